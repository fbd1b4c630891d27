// Tensors whose memory is a file.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/from_file.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::composite {

namespace files {

/// An open file; closed at the end of its scope, which a mapping outlives.
class OpenFile {
 public:
  OpenFile(const std::string& name, bool shared)
      : descriptor_(::open(name.c_str(), (shared ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0)
      fail<FileError>("unable to open file <", name, "> in ", shared ? "read-write" : "read-only",
                      " mode: ", std::strerror(errno), " (", errno, ")");
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(descriptor_); }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};
struct Mapping {
  void* data;
  std::size_t bytes;
  static void end(void* mapping) {
    auto* m = static_cast<Mapping*>(mapping);
    ::munmap(m->data, m->bytes);
    delete m;
  }
};

/// The first `bytes` of a file. Shared ones are the file's: a file that is too short, or missing, grows. Others are
/// private to the tensor.
inline intrusive_ptr<StorageImpl> map_file(const std::string& name, bool shared, std::size_t bytes) {
  OpenFile file(name, shared);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0)
    fail<FileError>("unable to stat the file <", name, ">: ", std::strerror(errno), " (", errno, ")");
  if (static_cast<std::size_t>(info.st_size) < bytes) {
    TENON_CHECK(shared, ValueError, "file <", name, "> size <", info.st_size,
                "> is smaller than the required mapping size <", bytes, ">");
    if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
      fail<FileError>("unable to resize file <", name, "> to the right size: ", std::strerror(errno), " (", errno, ")");
  }
  if (bytes == 0) return StorageImpl::adopt(DataPtr(nullptr, kCPU), 0, nullptr);
  auto mapping = std::make_unique<Mapping>(Mapping{nullptr, bytes});
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED)
    fail<FileError>("unable to mmap ", bytes, " bytes from file <", name, ">: ", std::strerror(errno), " (", errno,
                    ")");
  mapping->data = data;
  return StorageImpl::adopt(DataPtr(data, mapping.release(), &Mapping::end, kCPU), bytes, nullptr);
}
inline Tensor from_file(std::string_view filename, std::optional<bool> shared, std::optional<std::int64_t> size,
                        std::optional<ScalarType> dtype, std::optional<Layout>, std::optional<Device>,
                        std::optional<bool> pin_memory) {
  TENON_CHECK(!pin_memory.value_or(false), ValueError, "tensors constructed from a file cannot be pinned");
  const std::int64_t count = size.value_or(0);
  const ScalarType type = dtype.value_or(get_default_dtype());
  const auto item = static_cast<std::int64_t>(item_size(type));
  std::int64_t bytes = 0;
  TENON_CHECK(count >= 0 && !__builtin_mul_overflow(count, item, &bytes), ValueError,
              "from_file(): expected a size of at least 0, got ", count);
  Tensor out(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(map_file(std::string(filename), shared.value_or(false), static_cast<std::size_t>(bytes)),
                     new_tensor_keys(DeviceType::CPU), type, kCPU)));
  out->set_inference(is_inference_mode());
  out->set_contiguous({count});
  return out;
}
/// Elements of the file are of the dtype of `out`.
inline Tensor& from_file_out(std::string_view filename, std::optional<bool> shared, std::optional<std::int64_t> size,
                             Tensor& out) {
  return copy_to_out(ops::from_file(filename, shared, size, "dtype"_a = out.dtype()), out);
}

}  // namespace files

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::from_file_base>().def<ops::from_file_base_out>();
  m.impl<ops::from_file_base, &files::from_file>(DispatchKey::CPU);
  m.impl<ops::from_file_base_out, &files::from_file_out>(DispatchKey::CompositeExplicitAutograd);
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) { select_back_end<ops::from_file_base>(m); }

}  // namespace tenon::composite
