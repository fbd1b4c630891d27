// A string literal as a template argument.
#pragma once
#include <cstddef>
#include <string_view>

namespace tenon {

template <std::size_t Size>
struct fixed_string {
  char data[Size]{};
  consteval fixed_string(const char (&text)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) data[i] = text[i];
  }
  constexpr std::string_view view() const { return {data, Size - 1}; }
};

}  // namespace tenon
