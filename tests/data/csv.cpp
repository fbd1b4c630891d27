// Tables in text.
#include <filesystem>
#include <fstream>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
using Rows = std::vector<std::vector<std::string>>;
Rows rows_of(CsvReader reader) {
  Rows rows;
  while (reader.next()) rows.emplace_back(reader.cells().begin(), reader.cells().end());
  return rows;
}
Rows rows_of(const std::string& text, CsvOptions options = {}) { return rows_of(CsvReader(text, "f", options)); }
}  // namespace

TEST_CASE("rows end with LF, CRLF or the file, and empty lines are passed over", "[data][csv]") {
  Rows expected{{"a", "b"}, {"", "d"}};
  CHECK(rows_of("a,b\n,d\n") == expected);
  CHECK(rows_of("\r\na,b\r\n\n,d") == expected);
  CHECK(rows_of("a,\n") == Rows{{"a", ""}});
  CHECK(rows_of("").empty());
  CHECK(rows_of("a b;'c;d'\n", {.delimiter = ';', .quote = '\''}) == Rows{{"a b", "c;d"}});
}

TEST_CASE("cells in quotes hold delimiters, lines and quotes", "[data][csv]") {
  CHECK(rows_of("\"a,b\",\"c\"\"d\"\"\"\n\"\",\"e\nf\"\n") == Rows{{"a,b", "c\"d\""}, {"", "e\nf"}});
  CHECK_ERROR(rows_of("a\n\"b"), FileError, "f:2: a quote does not end");
  CHECK_ERROR(rows_of("x,\"a\"b"), FileError, "f:1: column 2: expected the end of the cell behind its quote");
  CHECK_ERROR(rows_of("a,b\n\nc\n"), FileError, "f:3: expected 2 columns, got 1");
  CsvReader reader("\"a\nb\"\nc\n");
  reader.next();
  reader.next();
  CHECK(reader.line() == 3);
  for (const std::string text : {"plain", "", "a,b", "a\"b", "a\r\nb", "\"\""})
    CHECK(rows_of(csv_cell(text) + "\n") == Rows{{text}});
}

TEST_CASE("names come from the header, numbers from cells", "[data][csv]") {
  CsvReader reader("x, y \n 1.5 ,-3\n1e3,7\n", "f", {.header = true});
  CHECK(reader.names() == std::vector<std::string>{"x", " y "});
  REQUIRE(reader.next());
  CHECK(reader.number(0) == 1.5);
  CHECK(reader.integer(1) == -3);
  CHECK_ERROR(reader.integer(0), FileError, "f:2: column 1: expected an integer, got '1.5'");
  CHECK_ERROR(reader.number(2), IndexError, "f:2: column 2 is out of range for 2");
  REQUIRE(reader.next());
  CHECK(reader.number(0) == 1000);
  CHECK_FALSE(reader.next());
}

TEST_CASE("a table of numbers is a tensor", "[data][csv]") {
  CHECK(ops::equal(decode_csv("1,2\n3,4.5\n"), tensor({{1.0, 2.0}, {3.0, 4.5}})));
  CHECK(ops::equal(decode_csv("a,b\n1,2\n", "f", {.header = true}, kByte).to(kLong), tensor({{1, 2}})));
  CHECK(decode_csv("a,b\n", "f", {.header = true}).sizes() == IntArrayRef({0, 2}));
  CHECK_ERROR(decode_csv("1\n256\n", "f", {}, kByte), FileError, "f:2: column 1: 256 is out of range for uint8");
  CHECK_ERROR(decode_csv("1\nx\n", "f"), FileError, "f:2: column 1: expected a number, got 'x'");
  CHECK_THROWS_AS(decode_csv("1\n", "f", {}, kBool), ValueError);
  auto path = (std::filesystem::temp_directory_path() / "tenon_csv").string();
  std::ofstream(path) << "1,2\n";
  CHECK(ops::equal(load_csv(path, {}, kLong), tensor({{1, 2}})));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(load_csv(path), FileError);
}
