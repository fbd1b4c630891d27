// A kernel with a loop of its own: one instantiation for each dtype, operands with any strides, rows split over
// threads.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <type_traits>

#include <tenon/cpu/parallel.hpp>
#include <tenon/tenon.hpp>

namespace my {

// Along each row: y[j] = x[j] + factor * y[j - 1].
void decay_meta(tenon::Outputs& out, const tenon::Tensor& self, double) {
  TENON_CHECK(self.dim() == 2, tenon::ValueError, "decay(): expected a matrix, got shape ", self.sizes());
  out.set_output_strided(0, self.sizes(), {}, self.dtype(), self.device());
}
template <class T>
void decay_rows(const tenon::Tensor& self, double factor, const tenon::Tensor& out) {
  const T* x = self.const_data_ptr<T>();
  T* y = out.mutable_data_ptr<T>();
  // Strides count elements; those of an `out` are the caller's.
  const std::int64_t columns = self.size(1), grain = 1 + 10000 / std::max<std::int64_t>(columns, 1);
  const std::int64_t xs[] = {self.stride(0), self.stride(1)}, ys[] = {out.stride(0), out.stride(1)};
  tenon::parallel_for(0, self.size(0), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      T last = 0;
      for (std::int64_t j = 0; j < columns; ++j)
        y[i * ys[0] + j * ys[1]] = last = x[i * xs[0] + j * xs[1]] + static_cast<T>(factor) * last;
    }
  });
}
void decay_cpu(const tenon::Tensor& self, double factor, const tenon::Tensor& out) {
  tenon::visit_element_type(self.dtype(), [&]<class T>(tenon::type_tag<T>) {
    if constexpr (std::is_floating_point_v<T>)
      decay_rows<T>(self, factor, out);
    else
      tenon::fail<tenon::NotImplementedError>("decay(): expected float32 or float64, got ", self.dtype());
  });
}
TENON_STRUCTURED(decay, "my::decay(Tensor self, float factor) -> Tensor", decay_meta);
TENON_STRUCTURED_KERNEL(decay, CPU, decay_cpu);

}  // namespace my

int main() {
  using namespace tenon;
  Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}}), wide = ops::zeros({2, 4});
  std::cout << my::decay(x.t(), 0.5) << "\n";
  my::decay_out(x, 0.5, "out"_a = wide.slice(1, 0, 4, 2));
  std::cout << wide << "\n";
  std::cout << my::decay_(x, 0.5) << "\n";
}

// Prints:
// tensor([[1.0000, 3.5000],
//         [2.0000, 5.0000]])
// tensor([[1.0000, 0.0000, 2.5000, 0.0000],
//         [3.0000, 0.0000, 5.5000, 0.0000]])
// tensor([[1.0000, 2.5000],
//         [3.0000, 5.5000]])
