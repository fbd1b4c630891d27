// Cells, with and without quotes.
#pragma once
#include <algorithm>
#include <charconv>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/data/csv.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::data {

TENON_COLD_BODY CsvReader CsvReader::open(const std::string& path, CsvOptions options) {
  MappedFile file(path);
  CsvReader reader(file.bytes(), path, options);
  reader.file_ = std::move(file);
  return reader;
}
TENON_COLD_BODY CsvReader::CsvReader(std::string_view text, std::string name, CsvOptions options)
    : text_(text), name_(std::move(name)), options_(options) {
  if (options.header && parse_row()) names_.assign(cells_.begin(), cells_.end());
}
TENON_COLD_BODY void CsvReader::bad(std::int64_t line, const std::string& what) const {
  fail<FileError>(name_, ":", line, ": ", what);
}

TENON_BODY bool CsvReader::parse_row() {
  auto end_of_line = [&] { return text_.compare(at_, 2, "\r\n") == 0 || (at_ < text_.size() && text_[at_] == '\n'); };
  auto pass_line = [&] {
    at_ += text_[at_] == '\r' ? 2 : 1;
    ++next_line_;
  };
  while (at_ < text_.size() && end_of_line()) pass_line();
  cells_.clear();
  unquoted_.clear();
  line_ = next_line_;
  if (at_ >= text_.size()) return false;
  std::vector<std::pair<std::size_t, std::size_t>> later;  // cells in unquoted_, which may still move
  for (;;) {
    std::size_t first = at_;
    if (at_ < text_.size() && text_[at_] == options_.quote) {
      bool doubled = false;
      std::size_t start = ++at_;
      for (;; ++at_) {
        at_ = text_.find(options_.quote, at_);
        if (at_ == std::string_view::npos) bad(line_, "a quote does not end");
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != options_.quote) break;
        doubled = true;
        ++at_;
      }
      std::string_view inner = text_.substr(start, at_ - start);
      for (char c : inner) next_line_ += c == '\n';
      ++at_;
      if (doubled) {
        std::string plain;
        for (std::size_t i = 0; i < inner.size(); ++i) {
          plain += inner[i];
          if (inner[i] == options_.quote) ++i;
        }
        later.emplace_back(cells_.size(), unquoted_.size());
        unquoted_.push_back(std::move(plain));
      }
      cells_.push_back(inner);
      if (at_ < text_.size() && text_[at_] != options_.delimiter && !end_of_line())
        bad(line_, ::tenon::concat("column ", cells_.size(), ": expected the end of the cell behind its quote"));
    } else {
      while (at_ < text_.size() && text_[at_] != options_.delimiter && !end_of_line()) ++at_;
      cells_.push_back(text_.substr(first, at_ - first));
    }
    if (at_ >= text_.size()) break;
    if (text_[at_] == options_.delimiter) {
      ++at_;
      continue;
    }
    pass_line();
    break;
  }
  for (auto [cell, place] : later) cells_[cell] = unquoted_[place];
  if (width_ && cells_.size() != *width_)
    bad(line_, ::tenon::concat("expected ", *width_, " columns, got ", cells_.size()));
  width_ = cells_.size();
  return true;
}
TENON_BODY bool CsvReader::next() { return parse_row(); }

TENON_BODY std::string_view CsvReader::cell(std::size_t column) const {
  TENON_CHECK(column < cells_.size(), IndexError, name_, ":", line_, ": column ", column, " is out of range for ",
              cells_.size());
  std::string_view text = cells_[column];
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}
TENON_BODY double CsvReader::number(std::size_t column) const {
  std::string_view text = cell(column);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    bad(line_, ::tenon::concat("column ", column + 1, ": expected a number, got '", text, "'"));
  return value;
}
TENON_BODY std::int64_t CsvReader::integer(std::size_t column) const {
  std::string_view text = cell(column);
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    bad(line_, ::tenon::concat("column ", column + 1, ": expected an integer, got '", text, "'"));
  return value;
}

namespace detail {
inline Tensor table_of(CsvReader reader, const std::string& name, ScalarType dtype) {
  bool floating = is_floating_type(dtype);
  TENON_CHECK(floating || (is_integral_type(dtype, false)), ValueError,
              "load_csv(): expected a floating or whole dtype, got ", dtype);
  return visit_scalar_type(dtype, [&]<class T>(type_tag<T>) -> Tensor {
    std::vector<T> values;
    std::int64_t rows = 0, columns = static_cast<std::int64_t>(reader.names().size());
    for (; reader.next(); ++rows) {
      columns = static_cast<std::int64_t>(reader.cells().size());
      for (std::size_t i = 0; i < reader.cells().size(); ++i)
        if constexpr (std::is_integral_v<T>) {
          std::int64_t value = reader.integer(i);
          TENON_CHECK(static_cast<std::int64_t>(static_cast<T>(value)) == value, FileError, name, ":", reader.line(),
                      ": column ", i + 1, ": ", value, " is out of range for ", dtype);
          values.push_back(static_cast<T>(value));
        } else {
          values.push_back(static_cast<T>(reader.number(i)));
        }
    }
    Tensor t = make_tensor({rows, columns}, {}, dtype);
    std::copy(values.begin(), values.end(), static_cast<T*>(t.data_ptr()));
    return t;
  });
}
}  // namespace detail

TENON_COLD_BODY Tensor load_csv(const std::string& path, CsvOptions options, ScalarType dtype) {
  return detail::table_of(CsvReader::open(path, options), path, dtype);
}
TENON_COLD_BODY Tensor decode_csv(std::string_view text, const std::string& name, CsvOptions options,
                                  ScalarType dtype) {
  return detail::table_of(CsvReader(text, name, options), name, dtype);
}
TENON_COLD_BODY std::string csv_cell(std::string_view text, const CsvOptions& options) {
  bool plain = !text.empty();
  for (char c : text) plain = plain && c != options.delimiter && c != options.quote && c != '\n' && c != '\r';
  if (plain) return std::string(text);
  std::string quoted(1, options.quote);
  for (char c : text) {
    quoted += c;
    if (c == options.quote) quoted += c;
  }
  return quoted + options.quote;
}

}  // namespace tenon::data
