// A file written whole.
#pragma once
#include <string>
#include <string_view>

namespace tenon::data::detail {

/// Writes a file, which appears under its name when it is complete. Throws FileError.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace tenon::data::detail
