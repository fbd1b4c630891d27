// The words that may stand for a number in a default value, and the text of devices.
#pragma once
#include <tenon/base/device.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/schema/detail/text.hpp>
#include <tenon/schema/type.hpp>

namespace tenon::schema {

namespace detail {

struct Symbol {
  std::string_view word;
  int value;
};
inline constexpr Symbol layout_symbols[] = {{"strided", 0},    {"sparse_coo", 1}, {"sparse_csr", 2}, {"mkldnn", 3},
                                            {"sparse_csc", 4}, {"sparse_bsr", 5}, {"sparse_bsc", 6}, {"jagged", 7}};
inline constexpr Symbol memory_format_symbols[] = {
    {"contiguous_format", 0}, {"preserve_format", 1}, {"channels_last", 2}, {"channels_last_3d", 3}};
inline constexpr Symbol int_symbols[] = {{"Mean", 1},    {"float", 6},   {"long", 4},
                                         {"complex", 9}, {"strided", 0}, {"contiguous_format", 0}};

template <std::size_t Size>
constexpr int find_symbol(const Symbol (&symbols)[Size], std::string_view word) {
  for (const Symbol& symbol : symbols)
    if (equal(symbol.word, word)) return symbol.value;
  return -1;
}

}  // namespace detail

/// The number that a word stands for as the default of an argument of that kind, or -1.
constexpr int symbol_value(Kind kind, std::string_view word) {
  switch (kind) {
    case Kind::ScalarType: {
      auto type = scalar_type_from_name(word);
      return type ? static_cast<int>(*type) : -1;
    }
    case Kind::Layout: return detail::find_symbol(detail::layout_symbols, word);
    case Kind::MemoryFormat: return detail::find_symbol(detail::memory_format_symbols, word);
    case Kind::Int:
    case Kind::SymInt: return detail::find_symbol(detail::int_symbols, word);
    default: return -1;
  }
}

/// Whether the text names a device: TYPE or TYPE:INDEX.
constexpr bool is_device_text(std::string_view text) {
  std::size_t colon = 0;
  while (colon < text.size() && text[colon] != ':') ++colon;
  bool known = false;
  for (int i = 0; i <= static_cast<int>(DeviceType::PrivateUse1); ++i)
    known = known || detail::equal(to_string(static_cast<DeviceType>(i)), std::string_view(text.data(), colon));
  if (!known || colon == text.size()) return known;
  if (text.size() - colon < 2 || text.size() - colon > 4) return false;
  int index = 0;
  for (std::size_t i = colon + 1; i < text.size(); ++i) {
    if (!detail::is_digit(text[i])) return false;
    index = index * 10 + (text[i] - '0');
  }
  return index <= 127;
}

}  // namespace tenon::schema
