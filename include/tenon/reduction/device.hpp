// Reduction rows on a device: the operation of a call by its number in the library's list, so that the component holds
// no row.
#pragma once
#include <tuple>

#include <boost/mp11/algorithm.hpp>

#include <tenon/reduction/row.hpp>

namespace tenon::reduction {

/// A call of a row, whose result has its geometry.
struct DeviceCall {
  const Rule& rule;
  const Arguments& arguments;
  std::string_view name;  ///< of the kernel, as errors name it
  int operation;          ///< its place in library_operations
  const Scalar* number;   ///< what the operation is made from, or null
  const Tensor& out;
};

/// The operation of a call: the row's own, or that of the first case whose condition holds, as `f(type_tag)` of it.
template <class Operation, class F, class Numbers>
auto choose(types<>, const Arguments&, ScalarType, const Numbers&, F f) {
  return f(std::type_identity<Operation>{});
}
template <class Operation, class Condition, class Other, class... More, class F, class Numbers>
auto choose(types<when<Condition, Other>, More...>, const Arguments& a, ScalarType result, const Numbers& numbers,
            F f) {
  if (holds<Condition>(a, result, numbers)) return f(std::type_identity<Other>{});
  return choose<Operation>(types<More...>{}, a, result, numbers, f);
}

/// The place of a row's operation, given its arguments, in the library's list.
template <class Operation, class Numbers>
inline constexpr std::size_t place_of_operation =
    boost::mp11::mp_find<library_operations, given_numbers<Operation, Numbers>>::value;
/// Whether the library compiles an operation for devices.
template <class Operation, class Numbers>
inline constexpr bool is_library_operation =
    place_of_operation<Operation, Numbers> < boost::mp11::mp_size<library_operations>::value;

}  // namespace tenon::reduction

/// The reductions of the CUDA component; without one the symbol has no address.
extern "C" [[gnu::weak]] void tenon_cuda_reduce(const tenon::reduction::DeviceCall& call);

namespace tenon::reduction {

/// How the CUDA component reads a row.
struct CudaBackend {
  static constexpr DispatchKey key = DispatchKey::CUDA;
  template <class Row, class Numbers>
  static void run(const Arguments& a, const Numbers& numbers, const Tensor& out) {
    choose<typename Row::operation_type>(
        typename Row::cases{}, a, out.dtype(), numbers, [&]<class Operation>(std::type_identity<Operation>) {
          const Scalar* number = nullptr;
          if constexpr (std::is_same_v<Numbers, std::tuple<Scalar>>) number = &std::get<0>(numbers);
          tenon_cuda_reduce({rule_of<Row>, a, kernel_name<Operation>,
                             static_cast<int>(place_of_operation<Operation, Numbers>), number, out});
        });
  }
};

template <class Row>
inline constexpr bool is_on_devices = is_library_operation<typename Row::operation_type, detail::numbers_of<Row>>;

/// Registers a row for CUDA where the program links that component and the component has its operation.
template <class Row>
TENON_COLD void add_cuda_reduction(Library& m, const Place& place) {
  if constexpr (is_on_devices<Row>)
    if (&tenon_cuda_reduce) add_kernels<CudaBackend, Row>(m, place);
}

}  // namespace tenon::reduction
