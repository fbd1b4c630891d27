// How tensors are printed.
#pragma once
#include <cstdint>
#include <optional>

namespace tenon {

/// The settings of printing, by PyTorch's names and with its defaults.
struct PrintOptions {
  int precision = 4;                  ///< digits after the point, at most 60
  std::int64_t threshold = 1000;      ///< elements; a larger tensor is summarised
  std::int64_t edgeitems = 3;         ///< what a summary shows at either end of a dimension
  std::int64_t linewidth = 80;        ///< characters
  std::optional<bool> sci_mode = {};  ///< scientific notation always or never; nothing: as the numbers demand
};

}  // namespace tenon
