// Options that are one number for all dimensions, or one for each.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::nn {

/// One number for all dimensions, however many those are, or one for each: `.scale_factor = 2.0`, `.size = {4, 6}`.
/// Nothing, `{}`, where the option is left out. A number in braces, `{2.0}`, stands for all too; a vector of one is a
/// list of one, as PyTorch's lists are. A number with a fraction is no integer.
template <class T>
class OneOrSeveral : public std::vector<T> {
 public:
  OneOrSeveral() = default;
  OneOrSeveral(std::nullopt_t) {}
  template <class Number>
    requires(std::is_arithmetic_v<Number> && (std::is_floating_point_v<T> || std::is_integral_v<Number>))
  OneOrSeveral(Number all) : std::vector<T>(1, static_cast<T>(all)), for_all_(true) {}
  OneOrSeveral(std::initializer_list<T> each) : std::vector<T>(each), for_all_(each.size() == 1) {}
  OneOrSeveral(std::vector<T> each) : std::vector<T>(std::move(each)) {}
  /// The numbers of so many dimensions: one for all as often, a list as it is.
  std::vector<T> expanded(std::size_t dims) const {
    if (for_all_ && this->size() == 1) return std::vector<T>(dims, this->front());
    return *this;
  }

 private:
  bool for_all_ = false;
};

}  // namespace tenon::nn
