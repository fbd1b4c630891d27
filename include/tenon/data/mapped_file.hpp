// The bytes of a file, mapped.
#pragma once
#include <string>
#include <string_view>

#include <tenon/base/intrusive_ptr.hpp>

namespace tenon::data {

/// A file for reading. Its bytes live as long as this object. Errors: FileError if it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  std::string_view bytes() const { return bytes_; }

 private:
  intrusive_ptr<RefCounted> keeper_;
  std::string_view bytes_;
};

}  // namespace tenon::data
