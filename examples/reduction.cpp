// Reductions of your own, outside the library: an operation, a row, and every form, dtype, dimension list and gradient
// follows.
#include <cstdio>

#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/cpu/reduction.hpp>
#include <tenon/tenon.hpp>

namespace my {

using namespace tenon;

// The root of the mean square. `map` and `combine` see plain numbers and vectors of the unit's instruction set.
template <class T>
struct root_mean_square {
  using value_type = T;
  static T identity() { return T(0); }
  template <class X>
  X map(X x) const {
    return x * x;
  }
  template <class X>
  X combine(X a, X b) const {
    return a + b;
  }
  T finish(T total, std::int64_t n) const { return std::sqrt(total / static_cast<T>(n)); }
};
TENON_OPERATORS_OUT(rms,
                    "my::rms(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
TENON_REDUCTION(rms_base, root_mean_square, tenon::reduction::floating_dtype,
                TENON_WRT((self), (grad, self, result, dim, keepdim),
                          (self * ops::derivatives::spread(grad / result, self.sizes(), dim, keepdim) /
                           static_cast<double>(ops::derivatives::reduced_count(self.sizes(), dim)))));

// What the schema has besides self, dim, keepdim and dtype is given to the operation's constructor.
template <class T>
struct ones_above : reduction::sum_op<T> {
  double limit;
  explicit ones_above(double given) : limit(given) {}
  template <class X>
  X map(X x) const {
    using reduction::numbers::select;
    return select(x > X(static_cast<T>(limit)), X(T(1)), X(T(0)));
  }
};
struct as_count : reduction::same_dtype {
  static ScalarType result(std::string_view, const Outputs&, const reduction::Arguments&) { return kLong; }
};
TENON_OPERATORS_OUT(count_above,
                    "my::count_above(Tensor self, float limit, int[1] dim=[], bool keepdim=False) -> Tensor");
TENON_REDUCTION(count_above_base, ones_above, as_count, reduction::no_gradient{});

// All bits that integers share; no floating dtype.
template <class T>
struct shared_bits : reduction::prod_op<T> {
  static T identity() { return T(-1); }
  T combine(T a, T b) const { return a & b; }
};
using shared_bits_of_integers = reduction::operation<shared_bits, std::int64_t>;
TENON_OPERATORS_OUT(common_bits, "my::common_bits(Tensor self, int dim, bool keepdim=False) -> Tensor");
TENON_REDUCTION(common_bits_base, shared_bits_of_integers, reduction::same_dtype, reduction::no_gradient{});

}  // namespace my

int main() {
  using namespace tenon;
  Tensor x = tensor({{3.0, 4.0, 0.0}, {1.0, 2.0, 2.0}}).to(kDouble).requires_grad_();
  std::printf("rms          %s\n", to_string(my::rms(x.detach(), IntArrayRef(1))).c_str());
  my::rms(x, IntArrayRef(1)).sum().backward();
  std::printf("gradient     %s\n", to_string(x.grad()).c_str());
  std::printf("of integers  %s\n", to_string(my::rms(tensor({{1, 7}, {1, 1}}), IntArrayRef(0), true)).c_str());
  std::printf("above 1      %s\n", to_string(my::count_above(x.detach(), 1.0, IntArrayRef(0))).c_str());
  std::printf("common bits  %s\n", to_string(my::common_bits(tensor({{12, 6}, {7, 7}}), 1)).c_str());
  try {
    my::common_bits(x.detach(), 1);
  } catch (const NotImplementedError& e) { std::printf("%s\n", e.what()); }

  // In a test of it: is the schema true, does Meta compute the same, and is the derivative that of the values?
  SchemaCheckGuard checked;
  Tensor out = ops::empty({0}, "dtype"_a = kDouble);
  my::rms(x.detach(), "out"_a = out);
  autograd::gradcheck([](const std::vector<Tensor>& in) { return my::rms(in[0], IntArrayRef(0)); },
                      {x.detach().requires_grad_()});
}

// Prints:
// rms          tensor([2.8868, 1.7321], dtype=float64)
// gradient     tensor([[0.3464, 0.4619, 0.0000],
//         [0.1925, 0.3849, 0.3849]], dtype=float64)
// of integers  tensor([[1., 5.]])
// above 1      tensor([1, 2, 1])
// common bits  tensor([4, 7])
// "common_bits" not implemented for 'Double'
