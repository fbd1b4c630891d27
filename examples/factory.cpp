// A factory of one's own: no argument is a tensor, so the device in its options says whose kernel runs.
#include <cstdio>

#include <tenon/composite/options.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace my {

TENON_OPERATORS_PLAIN(
    board,
    "my::board(int size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");

Tensor board_cpu(std::int64_t size, std::optional<ScalarType> dtype, std::optional<Layout>, std::optional<Device>,
                 std::optional<bool>) {
  Tensor places = ops::arange(size);
  return ((places.unsqueeze(1) + places) % 2).to(dtype.value_or(kFloat));
}
Tensor board_meta(std::int64_t size, std::optional<ScalarType> dtype, std::optional<Layout>, std::optional<Device>,
                  std::optional<bool>) {
  return ops::empty({size, size}, "dtype"_a = dtype.value_or(kFloat), "device"_a = kMeta);
}

TENON_LIBRARY(my, m) { m.def<board_base>(); }
TENON_LIBRARY_IMPL(my, CPU, m) { m.impl<board_base, &board_cpu>(); }
TENON_LIBRARY_IMPL(my, Meta, m) { m.impl<board_base, &board_meta>(); }
TENON_LIBRARY_IMPL(my, BackendSelect, m) { composite::select_back_end<board_base>(m); }

}  // namespace my

int main() {
  std::printf("%s\n", to_string(my::board(3)).c_str());
  Tensor large = my::board(1'000'000, "dtype"_a = kByte, "device"_a = kMeta);
  std::printf("%s\n", concat(large.dtype(), " of ", large.numel(), " elements on ", large.device()).c_str());
}
// Prints:
// tensor([[0., 1., 0.],
//         [1., 0., 1.],
//         [0., 1., 0.]])
// uint8 of 1000000000000 elements on meta
