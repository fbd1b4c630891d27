// Tables in text: row by row, or whole.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/data/mapped_file.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

/// How cells are parted and held together.
struct CsvOptions {
  char delimiter = ',';
  char quote = '"';     ///< around a cell that holds delimiters, ends of lines or quotes, which are doubled in it
  bool header = false;  ///< the first row holds the names of the columns
};

/// Reads rows one after the other; the memory that it takes is that of one row. Lines end with LF or CRLF, empty ones
/// are passed over. Source: RFC 4180.
class CsvReader {
 public:
  /// Opens a file. Errors: FileError if it cannot be read.
  static CsvReader open(const std::string& path, CsvOptions options = {});
  /// Reads a text, which must outlive the reader; `name` stands for the file in messages.
  explicit CsvReader(std::string_view text, std::string name = "csv", CsvOptions options = {});

  CsvReader(CsvReader&&) = default;  // cells may point into the reader
  CsvReader& operator=(CsvReader&&) = default;

  /// Goes to the next row; false at the end.
  /// Errors: FileError, with the line, for another number of cells than in the row before, and for quotes that do not
  /// end or stand in the middle of a cell.
  bool next();
  /// The names of the columns; empty without a header.
  const std::vector<std::string>& names() const { return names_; }
  /// The cells of the row, without their quotes, until next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  /// The line on which the row begins, from 1.
  std::int64_t line() const { return line_; }
  /// A cell as a number. Errors: FileError with line and column for another text or a number out of range; IndexError
  /// for a column that there is not.
  double number(std::size_t column) const;
  std::int64_t integer(std::size_t column) const;

 private:
  bool parse_row();
  std::string_view cell(std::size_t column) const;
  [[noreturn]] void bad(std::int64_t line, const std::string& what) const;

  std::optional<MappedFile> file_;
  std::string_view text_;
  std::string name_;
  CsvOptions options_;
  std::size_t at_ = 0;
  std::int64_t line_ = 0, next_line_ = 1;
  std::optional<std::size_t> width_;
  std::vector<std::string> names_;
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;  // cells whose quotes were doubled
};

/// A table whose cells are all numbers, as a tensor (rows, columns) of a floating or whole dtype.
/// Errors: FileError for a file that cannot be read and for a cell that is no number of the dtype; ValueError for
/// another dtype.
Tensor load_csv(const std::string& path, CsvOptions options = {}, ScalarType dtype = kFloat);
Tensor decode_csv(std::string_view text, const std::string& name = "csv", CsvOptions options = {},
                  ScalarType dtype = kFloat);

/// A cell as CsvReader reads it back: in quotes where it needs them.
std::string csv_cell(std::string_view text, const CsvOptions& options = {});

}  // namespace tenon::data
