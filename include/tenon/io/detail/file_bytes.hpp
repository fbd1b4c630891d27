// Bytes of a file: mapped for reading, written so that a reader never sees half of them.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/base/error.hpp>
#include <tenon/base/intrusive_ptr.hpp>

namespace tenon::detail {

/// The bytes of a file or of a buffer, shared by everything that views them. Writes stay private to the process.
class FileBytes final : public RefCounted {
 public:
  /// Maps a file. Throws FileError.
  static intrusive_ptr<FileBytes> map(const std::string& path) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail<FileError>(path, ": cannot be opened: ", std::strerror(errno));
    struct stat info {};
    bool regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    auto size = static_cast<std::size_t>(regular ? info.st_size : 0);
    void* data = MAP_FAILED;
    if (size > 0) data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    int error = errno;
    ::close(file);
    if (!regular) fail<FileError>(path, ": expected a regular file");
    if (size > 0 && data == MAP_FAILED) fail<FileError>(path, ": cannot be mapped: ", std::strerror(error));
    return intrusive_ptr<FileBytes>::adopt(new FileBytes(size > 0 ? static_cast<char*>(data) : nullptr, size));
  }
  /// Takes over a buffer.
  static intrusive_ptr<FileBytes> own(std::string bytes) {
    return intrusive_ptr<FileBytes>::adopt(new FileBytes(std::move(bytes)));
  }
  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_, size_}; }

 private:
  FileBytes(char* data, std::size_t size) : data_(data), size_(size), mapped_(data != nullptr) {}
  explicit FileBytes(std::string bytes) : buffer_(std::move(bytes)), data_(buffer_.data()), size_(buffer_.size()) {}
  ~FileBytes() override {
    if (mapped_) ::munmap(data_, size_);
  }
  void release_resources() noexcept override {}

  std::string buffer_;
  char* data_;
  std::size_t size_;
  bool mapped_ = false;
};

/// Writes a file beside its place and moves it there when it is complete: tensors that view the old file keep their
/// bytes. A link stays one, and a file that is replaced keeps its permissions.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path) : path_(path), place_(path) {
    int file = -1;
    struct stat old {};
    bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) {
      file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // a file in place of a device or a pipe would end it
    } else {
      if (char* real = exists ? ::realpath(path.c_str(), nullptr) : nullptr) {
        place_ = real;
        std::free(real);
      }
      // Another writer of the same file may be at work.
      for (int n = 0; file < 0 && n < 100; ++n) {
        beside_ = concat(place_, ".part", ::getpid(), ".", n);
        file = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) break;
      }
      if (file >= 0 && exists) ::fchmod(file, old.st_mode & 0777);
    }
    if (file < 0) fail<FileError>(path, ": cannot be written: ", std::strerror(errno));
    file_ = ::fdopen(file, "wb");
    if (!file_) {
      int error = errno;
      ::close(file);
      if (!beside_.empty()) ::unlink(beside_.c_str());
      fail<FileError>(path, ": cannot be written: ", std::strerror(error));
    }
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() {
    if (file_) std::fclose(file_);
    if (!beside_.empty()) ::unlink(beside_.c_str());
  }
  void write(const void* data, std::size_t bytes) {
    if (bytes != 0 && std::fwrite(data, 1, bytes, file_) != bytes) failed();
  }
  void finish() {
    // A new name must not reach the disk before the bytes do. Some file systems cannot say when that is.
    if (!beside_.empty() && (std::fflush(file_) != 0 || (::fsync(::fileno(file_)) != 0 && errno != EINVAL))) failed();
    if (std::fclose(std::exchange(file_, nullptr)) != 0) failed();
    if (beside_.empty()) return;
    if (::rename(beside_.c_str(), place_.c_str()) != 0) failed();
    beside_.clear();
    std::size_t slash = place_.rfind('/');
    std::string folder = slash == std::string::npos ? "." : place_.substr(0, slash + 1);
    if (int f = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); f >= 0) {
      ::fsync(f);
      ::close(f);
    }
  }

 private:
  [[noreturn]] void failed() { fail<FileError>(path_, ": cannot be written: ", std::strerror(errno)); }
  std::string path_, place_, beside_;
  std::FILE* file_ = nullptr;
};

}  // namespace tenon::detail
