// Mapping a file, and writing one.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/detail/write_file.hpp>
#include <tenon/data/mapped_file.hpp>
#include <tenon/io/detail/file_bytes.hpp>

namespace tenon::data {

TENON_COLD_BODY MappedFile::MappedFile(const std::string& path) {
  auto file = ::tenon::detail::FileBytes::map(path);
  bytes_ = file->view();
  keeper_ = file;
}

namespace detail {

TENON_COLD_BODY void write_file(const std::string& path, std::string_view bytes) {
  ::tenon::detail::FileWriter file(path);
  file.write(bytes.data(), bytes.size());
  file.finish();
}

}  // namespace detail
}  // namespace tenon::data
