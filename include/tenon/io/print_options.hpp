// How tensors are printed.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/base/shared_object.hpp>

namespace tenon {

/// The settings of printing, by PyTorch's names and with its defaults.
struct PrintOptions {
  int precision = 4;                  ///< digits after the point, at most 60
  std::int64_t threshold = 1000;      ///< elements; a larger tensor is summarised
  std::int64_t edgeitems = 3;         ///< what a summary shows at either end of a dimension
  std::int64_t linewidth = 80;        ///< characters
  std::optional<bool> sci_mode = {};  ///< scientific notation always or never; nothing: as the numbers demand
};

/// Sets of settings: PyTorch's defaults, two digits and two items, or all elements.
enum class PrintProfile : std::uint8_t { Default, Short, Full };

/// Changes of the settings: those of the profile first, then what is given. What is not stays, but for `sci_mode`,
/// which each change sets.
struct PrintChanges {
  std::optional<int> precision = {};
  std::optional<std::int64_t> threshold = {};
  std::optional<std::int64_t> edgeitems = {};
  std::optional<std::int64_t> linewidth = {};
  std::optional<PrintProfile> profile = {};
  std::optional<bool> sci_mode = {};
};

namespace detail {
TENON_THREAD_WORD(PrintOptions, print_options);
}
/// How this thread prints tensors where nothing else is said: `std::cout << t` and `to_string(t)`.
inline PrintOptions get_printoptions() { return detail::print_options; }
/// Changes that, for this thread.
/// Errors: ValueError for a precision outside [0, 60], and for negative edgeitems; then nothing has changed.
/// Source: torch.set_printoptions of PyTorch 2.15.
void set_printoptions(const PrintChanges& changes);

/// Changes it for a scope.
class PrintOptionsGuard {
 public:
  explicit PrintOptionsGuard(const PrintChanges& changes) : before_(get_printoptions()) { set_printoptions(changes); }
  PrintOptionsGuard(const PrintOptionsGuard&) = delete;
  PrintOptionsGuard& operator=(const PrintOptionsGuard&) = delete;
  ~PrintOptionsGuard() { detail::print_options = before_; }

 private:
  PrintOptions before_;
};

}  // namespace tenon
