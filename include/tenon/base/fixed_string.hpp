// A string literal as a template argument.
#pragma once
#include <cstddef>
#include <string_view>

namespace tenon {

template <std::size_t N>
struct fixed_string {
  char data[N]{};
  consteval fixed_string(const char (&text)[N]) {
    for (std::size_t i = 0; i < N; ++i) data[i] = text[i];
  }
  constexpr std::string_view view() const { return {data, N - 1}; }
};

}  // namespace tenon
