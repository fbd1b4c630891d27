// Options of optimisers by name: how schedules change them and how they are saved.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/nn/fields.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::optim {

/// One option of a group. Its type is one of those that as_tensor() and from_tensor() below know.
struct OptionRef {
  std::string name;
  double* number;  ///< the option, or of a pair its first part; null for other types
  void* option;
  Tensor (*as_tensor)(const void* option);
  /// Throws ValueError for a tensor that no option of the type gives.
  void (*from_tensor)(const Tensor& t, void* option);
};

namespace detail {

// float64, int64 and bool of no dimension for a number, of one for several; an option without a value has no elements.
Tensor as_tensor(double v);
Tensor as_tensor(bool v);
Tensor as_tensor(std::int64_t v);
Tensor as_tensor(const std::string& v);
Tensor as_tensor(const std::vector<double>& v);
void from_tensor(const Tensor& t, double& v);
void from_tensor(const Tensor& t, bool& v);
void from_tensor(const Tensor& t, std::int64_t& v);
void from_tensor(const Tensor& t, std::string& v);
/// The elements of a tensor of one dimension; `least` and `most` bound their number.
std::vector<double> numbers_of(const Tensor& t, std::size_t least, std::size_t most);
Tensor as_tensor(const std::pair<double, double>& v);
Tensor as_tensor(const std::array<double, 3>& v);
Tensor as_tensor(const std::optional<double>& v);
Tensor as_tensor(const std::optional<std::int64_t>& v);
Tensor as_tensor(const std::pair<std::optional<double>, double>& v);
void from_tensor(const Tensor& t, std::pair<double, double>& v);
void from_tensor(const Tensor& t, std::array<double, 3>& v);
void from_tensor(const Tensor& t, std::optional<double>& v);
void from_tensor(const Tensor& t, std::optional<std::int64_t>& v);
void from_tensor(const Tensor& t, std::pair<std::optional<double>, double>& v);

/// References to the options of a struct that names them with TENON_FIELDS.
template <class Options>
std::vector<OptionRef> option_refs_of(Options& options) {
  std::vector<OptionRef> refs;
  nn::for_each_field(options, [&]<class T>(const std::string& name, T& option) {
    double* number = nullptr;
    if constexpr (std::is_same_v<T, double>) number = &option;
    if constexpr (std::is_same_v<T, std::pair<double, double>>) number = &option.first;
    refs.push_back({name, number, &option, [](const void* o) { return as_tensor(*static_cast<const T*>(o)); },
                    [](const Tensor& t, void* o) { from_tensor(t, *static_cast<T*>(o)); }});
  });
  return refs;
}

}  // namespace detail
}  // namespace tenon::optim
