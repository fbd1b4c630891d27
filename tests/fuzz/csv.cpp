// Feeds text to the reader of CSV; what it accepts must come back when it is written.
#include <cstdlib>
#include <string>

#include <tenon/data/csv.hpp>

namespace {
using Rows = std::vector<std::vector<std::string>>;
bool read(std::string_view text, Rows& rows) {
  using namespace tenon;
  try {
    data::CsvReader reader(text);
    while (reader.next()) rows.emplace_back(reader.cells().begin(), reader.cells().end());
    return true;
  } catch (const FileError&) { return false; }
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    data::decode_csv(text);
  } catch (const FileError&) {}
  Rows rows, again;
  if (!read(text, rows)) return 0;
  std::string written;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) written += (i ? "," : "") + data::csv_cell(row[i]);
    written += '\n';
  }
  if (!read(written, again) || again != rows) std::abort();
  return 0;
}
