// Options that are one number for all dimensions, or one for each.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::nn {

/// Numbers of which a single one stands for all dimensions, however many those are: `.scale_factor = 2.0`,
/// `.scale_factor = {2.0, 1.5}`, `.size = 4`. Nothing, `{}`, where the option is left out. A number with a fraction is
/// no integer.
template <class T>
class OneOrSeveral : public std::vector<T> {
 public:
  OneOrSeveral() = default;
  OneOrSeveral(std::nullopt_t) {}
  template <class Number>
    requires(std::is_arithmetic_v<Number> && (std::is_floating_point_v<T> || std::is_integral_v<Number>))
  OneOrSeveral(Number all) : std::vector<T>(1, static_cast<T>(all)) {}
  OneOrSeveral(std::initializer_list<T> each) : std::vector<T>(each) {}
  OneOrSeveral(std::vector<T> each) : std::vector<T>(std::move(each)) {}
  /// The numbers of so many dimensions: a single one as often, others as they are.
  std::vector<T> expanded(std::size_t dims) const {
    if (this->size() == 1) return std::vector<T>(dims, this->front());
    return *this;
  }
};

}  // namespace tenon::nn
