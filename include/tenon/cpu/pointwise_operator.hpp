// TENON_POINTWISE: an elementwise operator of your own from one lambda.
#pragma once
#include <tenon/cpu/dual.hpp>
#include <tenon/cpu/pointwise_run.hpp>

namespace tenon::cpu {

namespace detail {

/// The user's lambda in the form of an inner loop: numbers from the closure, elements from the operands, in the
/// schema's order.
template <class Op, class Sig = signature_of_t<Op>>
struct user_lambda;
template <class Op, class... A>
struct user_lambda<Op, Tensor(A...)> {
  using arguments = tenon::detail::pointwise_arguments<A...>;
  static constexpr unsigned n_tensors = arguments::n_tensors, n_numbers = arguments::n_numbers;
  static_assert(n_tensors >= 1 && n_tensors <= kMaxOutputs, "tenon: TENON_POINTWISE takes one to four tensors");
  static_assert(n_numbers <= PointwiseNumbers::kMost, "tenon: TENON_POINTWISE takes at most three numbers");
  static_assert(n_tensors + n_numbers == sizeof...(A),
                "tenon: the arguments of TENON_POINTWISE are tensors and numbers");

  template <int Code, class N, class X>
  static auto argument(const N& n, const X& x) {
    if constexpr (Code >= 0)
      return std::get<static_cast<std::size_t>(Code)>(x);
    else
      return n[~Code];
  }
  template <class N, class X>
  static auto call(const N& n, const X& x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Op::lambda()(argument<arguments::order.at[I]>(n, x)...);
    }
    (std::index_sequence_for<A...>{});
  }
  struct forward {
    template <class N, class... X>
    auto operator()(const N& n, X... x) const {
      return call(n, std::tuple<X...>(x...));
    }
  };
  /// The gradient of every tensor in one pass.
  struct backward {
    template <class N, class G, class... X>
    auto operator()(const N& n, G grad, X... x) const {
      return run(n, grad, std::tuple<X...>(x...), std::index_sequence_for<X...>{});
    }

   private:
    template <class N, class G, class X, std::size_t... I>
    static auto run(const N& n, G grad, const X& x, std::index_sequence<I...>) {
      auto y = call(n, std::make_tuple(math::dual_input<I, sizeof...(I)>(std::get<I>(x))...));
      auto one = [&](auto tangent) {
        using D = decltype(tangent);
        if constexpr (std::is_same_v<D, math::zero_tangent>)
          return G(0);
        else if constexpr (std::is_same_v<D, math::unit_tangent>)
          return grad;
        else
          return G(grad * tangent);
      };
      if constexpr (sizeof...(I) == 1)
        return one(std::get<0>(y.tangents));
      else
        return std::make_tuple(one(std::get<I>(y.tangents))...);
    }
  };

  /// What the lambda returns for vectors: a mask tells a comparison.
  template <std::size_t... I>
  static auto sample(std::index_sequence<I...>) {
    using V = math::vec<float, default_arch>;
    return forward{}(typename PointwiseNumbers::typed<float>{}, (static_cast<void>(I), V(1.0f))...);
  }
  static constexpr bool compares = math::is_mask_v<decltype(sample(std::make_index_sequence<n_tensors>{}))>;
};

/// The loops of a user's operator for the instruction set of the unit.
template <class Op, class Arch = default_arch>
struct user_operator {
  using lambda = user_lambda<Op>;
  static constexpr unsigned n = lambda::n_tensors;
  static constexpr auto forward_loops = [] {
    if constexpr (lambda::compares)
      return make_loops<Arch, n, 1, PointwiseNumbers>(real{}, typename lambda::forward{});
    else
      return make_loops<Arch, n, 1, PointwiseNumbers>(types<float, double, Half, BFloat16>{},
                                                      typename lambda::forward{});
  }();
  static constexpr LoopTable forward_table = make_table(forward_loops);
  static constexpr PointwiseRule rule{.name = Op::display_name(),
                                      .promote = lambda::compares ? Promote::Compare : Promote::IntToFloat,
                                      .loops = &forward_table};

  struct gradient {
    static constexpr auto loops = make_loops<Arch, n + 1, n, PointwiseNumbers>(types<float, double, Half, BFloat16>{},
                                                                               typename lambda::backward{});
    static constexpr LoopTable table = make_table(loops);
  };
};

/// Runs a backward loop: `results[k]` = grad times the derivative by inputs[k], all in one pass over the memory.
inline void pointwise_backward(const void* loops, const Tensor& grad, const Tensor* inputs, unsigned n,
                               const Scalar* numbers, unsigned n_numbers, Tensor* results) {
  const Loop* loop = static_cast<const LoopTable*>(loops)->find(grad.dtype());
  TENON_CHECK(loop, NotImplementedError, "the derivative of a pointwise operator is not implemented for '",
              grad.dtype(), "'");
  IntArrayRef sizes = grad.sizes();
  Operands o(sizes.data(), static_cast<int>(sizes.size()), grad.numel(), grad.dtype());
  for (unsigned k = 0; k < n; ++k) {
    results[k] = make_tensor(sizes, {}, grad.dtype());
    o.add_output(operand_of(results[k], sizes));
  }
  o.add_input(operand_of(grad, sizes));
  for (unsigned k = 0; k < n; ++k) o.add_input(operand_of(inputs[k], sizes));
  PointwiseNumbers closure{numbers, static_cast<int>(n_numbers)};
  active_tables().pointwise->run(*loop, &closure, o);
}

}  // namespace detail
}  // namespace tenon::cpu

// Unqualified names of a lambda mean these functions, not the operators of the same names.
#define TENON_INTERNAL_MATH_NAMES \
  using ::tenon::math::exp;       \
  using ::tenon::math::expm1;     \
  using ::tenon::math::exp2;      \
  using ::tenon::math::log;       \
  using ::tenon::math::log1p;     \
  using ::tenon::math::log2;      \
  using ::tenon::math::log10;     \
  using ::tenon::math::sqrt;      \
  using ::tenon::math::rsqrt;     \
  using ::tenon::math::sin;       \
  using ::tenon::math::cos;       \
  using ::tenon::math::tan;       \
  using ::tenon::math::asin;      \
  using ::tenon::math::acos;      \
  using ::tenon::math::atan;      \
  using ::tenon::math::sinh;      \
  using ::tenon::math::cosh;      \
  using ::tenon::math::tanh;      \
  using ::tenon::math::asinh;     \
  using ::tenon::math::acosh;     \
  using ::tenon::math::atanh;     \
  using ::tenon::math::sigmoid;   \
  using ::tenon::math::erf;       \
  using ::tenon::math::erfc;      \
  using ::tenon::math::abs;       \
  using ::tenon::math::sign;      \
  using ::tenon::math::floor;     \
  using ::tenon::math::ceil;      \
  using ::tenon::math::trunc;     \
  using ::tenon::math::round;     \
  using ::tenon::math::pow;       \
  using ::tenon::math::atan2;     \
  using ::tenon::math::hypot;     \
  using ::tenon::math::maximum;   \
  using ::tenon::math::minimum;   \
  using ::tenon::math::max;       \
  using ::tenon::math::min;       \
  using ::tenon::math::fma;       \
  using ::tenon::math::select;    \
  using ::tenon::math::isnan;     \
  using ::tenon::math::isinf;     \
  using ::tenon::math::isfinite;  \
  using ::tenon::math::copysign;  \
  using ::tenon::math::fmod;      \
  using ::tenon::math::remainder;

/// Declares and registers an elementwise operator from a stateless lambda over its arguments in the schema's order:
///
///     TENON_POINTWISE(swish, "my::swish(Tensor self, *, Scalar beta=1) -> Tensor",
///                     [](auto x, auto beta) { return x / (1 + exp(-beta * x)); });
///
/// Gives the operators NAME, NAME_ (in place) and NAME_out with broadcasting and type promotion (integers compute as
/// the default floating dtype), kernels for CPU and Meta tensors, and the derivative by every tensor from dual numbers.
/// A lambda that returns a comparison gives a bool tensor of every real dtype and no derivative. The lambda calls
/// functions of tenon::math unqualified: exp, log, select(condition, a, b), maximum... One to four tensors, at most
/// three numbers. At namespace scope, after <tenon/tenon.hpp>. The schema's namespace is a fragment: any number of
/// operators may share it.
#define TENON_POINTWISE(NAME, SCHEMA, ...)                                                                       \
  struct NAME##_op : ::tenon::operator_with_forms<NAME##_op, true, true> {                                       \
    static constexpr ::std::string_view text() { return SCHEMA; }                                                \
    static constexpr const char* display_name() { return #NAME; }                                                \
    static constexpr auto lambda() {                                                                             \
      TENON_INTERNAL_MATH_NAMES                                                                                  \
      return __VA_ARGS__;                                                                                        \
    }                                                                                                            \
  };                                                                                                             \
  inline constexpr NAME##_op NAME{};                                                                             \
  inline constexpr ::tenon::inplace_op<NAME##_op> NAME##_{};                                                     \
  inline constexpr ::tenon::out_op<NAME##_op> NAME##_out{};                                                      \
  inline const ::tenon::detail::StaticLibrary NAME##_registration(                                               \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<NAME##_op>(), ::std::nullopt,              \
      [](::tenon::Library& m) {                                                                                  \
        [&]<class tenon_user>(::std::type_identity<tenon_user>) {                                                \
          ::tenon::cpu::add_pointwise<NAME, tenon_user::rule>(m, __FILE__, __LINE__);                            \
          if constexpr (tenon_user::lambda::compares)                                                            \
            ::tenon::autograd::register_not_differentiable(m, NAME, __FILE__, __LINE__);                         \
          else                                                                                                   \
            ::tenon::autograd::register_pointwise_derivative(m, NAME, &::tenon::cpu::detail::pointwise_backward, \
                                                             &tenon_user::gradient::table, __FILE__, __LINE__);  \
        }(::std::type_identity<::tenon::cpu::detail::user_operator<NAME##_op>>{});                               \
      },                                                                                                         \
      __FILE__, __LINE__)
