// TENON_POINTWISE: an elementwise operator of your own from one lambda.
#pragma once
#include <array>

#include <tenon/math/dual.hpp>
#include <tenon/autograd/pointwise.hpp>
#include <tenon/cpu/detail/dual_gradients.hpp>
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/cuda/own_formulas.hpp>
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/names.hpp>

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
  static constexpr bool complex_too = math::is_complex_too_v<decltype(Op::lambda())>;
  using elements = std::conditional_t<complex_too, over::fast_float_or_complex, over::fast_float>;
  /// Of the arguments: k is tensor k, ~k is number k.
  static constexpr auto order = [] {
    std::array<int, sizeof...(A)> at{};
    constexpr bool tensor[] = {tenon::detail::is_tensor_argument_v<A>...};
    int t = 0, s = 0;
    for (std::size_t i = 0; i < sizeof...(A); ++i) at[i] = tensor[i] ? t++ : ~s++;
    return at;
  }();

  template <int Code, class N, class X>
  static auto argument(const N& n, const X& x) {
    if constexpr (Code >= 0)
      return std::get<static_cast<std::size_t>(Code)>(x);
    else
      return n[~Code];
  }
  template <class N, class X>
  static auto call(const N& n, const X& x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return Op::lambda()(argument<order[I]>(n, x)...); }
    (std::index_sequence_for<A...>{});
  }
  struct forward {
    template <class N, class... X>
    auto operator()(const N& n, X... x) const {
      using R = decltype(call(n, std::tuple<X...>(x...)));
      using V = std::tuple_element_t<0, std::tuple<X...>>;
      // A number that depends on no tensor fills the vector.
      if constexpr (math::is_vec_v<V> && std::is_arithmetic_v<R>)
        return V(static_cast<typename V::value_type>(call(n, std::tuple<X...>(x...))));
      else
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
    static auto run(const N& n, G grad, const X& x, std::index_sequence<I...> each) {
      return gradients_of(grad, call(n, std::make_tuple(math::dual_input<I, sizeof...(I)>(std::get<I>(x))...)), each);
    }
  };

  /// The same by operators, which record what they do.
  static void recorded(const void*, const Tensor& grad, const Tensor* inputs, unsigned, const Scalar* numbers, unsigned,
                       Tensor* results) {
    using number = std::conditional_t<complex_too, math::symbol, double>;
    typename PointwiseNumbers::typed<number> n{};
    for (unsigned i = 0; i < n_numbers; ++i) {
      if constexpr (complex_too)
        n.value[i] = math::symbol::of(numbers[i]);
      else
        n.value[i] = numbers[i].to_double();
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto y = call(n, std::make_tuple(math::dual_input<I, sizeof...(I)>(math::symbol(inputs[I]))...));
      if constexpr (!math::is_dual_v<decltype(y)>)
        ((results[I] = pointwise::gradient_of(0, grad)), ...);
      else
        ((results[I] = pointwise::gradient_of(math::detail::full<math::symbol>(std::get<I>(y.tangents)), grad)), ...);
    }
    (std::make_index_sequence<n_tensors>{});
  }

  /// What the lambda returns for vectors: a mask tells a comparison.
  template <std::size_t... I>
  static auto sample(std::index_sequence<I...>) {
    using V = math::vec<float, default_arch>;
    return forward{}(typename PointwiseNumbers::typed<float>{}, (static_cast<void>(I), V(1.0f))...);
  }
  static constexpr bool compares = math::is_mask_v<decltype(sample(std::make_index_sequence<n_tensors>{}))>;
};

/// What keeps a schema and its lambda from being a pointwise operator.
template <class Op, class Sig = signature_of_t<Op>>
struct pointwise_mistake;
template <class Op, class R, class... A>
struct pointwise_mistake<Op, R(A...)> {
  static consteval auto find() {
    using enum operator_mistake;
    using tenon::detail::found_mistake;
    constexpr unsigned tensors = (0u + ... + std::is_same_v<A, const Tensor&>), numbers = (0u + ... + is_number<A>),
                       n = sizeof...(A);
    constexpr std::size_t wrong = [] {
      constexpr bool fits[] = {(std::is_same_v<A, const Tensor&> || is_number<A>)..., false};
      std::size_t i = 0;
      while (fits[i]) ++i;
      return i;
    }();
    if constexpr (std::is_same_v<R, void>)
      return found_mistake<nothing_is_returned, return_type>{};
    else if constexpr (tenon::detail::parsed_v<Op>.head.n_returns > 1)
      return found_mistake<more_than_one_result, return_type>{};
    else if constexpr (!std::is_same_v<R, Tensor>)
      return found_mistake<result_is_not_a_tensor, result<1>>{};
    else if constexpr (wrong < n)
      return found_mistake<argument_is_neither_tensor_nor_number,
                           tenon::detail::spell_t<argument_name, tenon::detail::parameter_name<Op, wrong>>>{};
    else if constexpr (tensors == 0)
      return found_mistake<no_tensor_among_the_arguments, number_of_arguments>{};
    else if constexpr (tensors > kMaxOutputs)  // the derivative has a result for each
      return found_mistake<more_than_four_tensors, count_is<static_cast<int>(tensors)>>{};
    else if constexpr (numbers > PointwiseNumbers::kMost)
      return found_mistake<more_than_three_numbers, count_is<static_cast<int>(numbers)>>{};
    else if constexpr (!Op::has_out)
      return found_mistake<result_has_the_name_of_an_argument, return_type>{};
    else if constexpr (!std::is_invocable_v<decltype(Op::lambda()), element<A>...>)
      return found_mistake<lambda_does_not_take_these_arguments, count_is<static_cast<int>(n)>>{};
    else {
      using Y = std::invoke_result_t<decltype(Op::lambda()), element<A>...>;
      if constexpr (math::is_vec_v<Y> || math::is_mask_v<Y> || (std::is_arithmetic_v<Y> && !std::is_same_v<Y, bool>))
        return find_complex(std::bool_constant<math::is_complex_too_v<decltype(Op::lambda())>>{});
      else
        return found_mistake<lambda_returns_neither_number_nor_comparison, found<Y>>{};
    }
  }

 private:
  static consteval tenon::detail::no_mistake find_complex(std::false_type) { return {}; }
  static consteval auto find_complex(std::true_type) {
    using Y = std::invoke_result_t<decltype(Op::lambda()), complex_element<A>...>;
    if constexpr (is_complex_v<Y>)
      return tenon::detail::no_mistake{};
    else
      return tenon::detail::found_mistake<operator_mistake::lambda_returns_no_complex_number, found<Y>>{};
  }
  template <class>
  using complex_element = Complex<float>;
  template <class T>
  static constexpr bool is_number = std::is_same_v<T, const Scalar&> || std::is_same_v<T, double> ||
                                    std::is_same_v<T, std::int64_t> || std::is_same_v<T, bool>;
  template <class T>
  using element = std::conditional_t<is_number<T>, float, math::vec<float, default_arch>>;
};

/// The loops of a gradient, and the formula's name, by which a device finds its own.
struct UserGradient {
  LoopTable loops;
  std::string_view name;
};

/// The loops of a user's operator for the instruction set of the unit.
template <class Op, class Arch = default_arch>
struct user_operator {
  using lambda = user_lambda<Op>;
  static constexpr unsigned n = lambda::n_tensors;
  static constexpr auto forward_loops = [] {
    if constexpr (lambda::compares)
      return make_loops<Arch, n, 1, PointwiseNumbers>(over::real{}, typename lambda::forward{});
    else
      return make_loops<Arch, n, 1, PointwiseNumbers>(typename lambda::elements{}, typename lambda::forward{});
  }();
  static constexpr LoopTable forward_table = make_table(forward_loops);
  inline static constinit const tenon::detail::PointwiseFormula formula{Op::text().data(), WideNumber::No,
                                                                        ServesUnsigned::No, &forward_table};
  static constexpr tenon::detail::PointwiseCase only = [] {
    tenon::detail::PointwiseCase c;
    PointwiseRule& r = c.rule;
    r.formula = &formula;
    r.name = Op::display_name();
    r.check = &ops::checks::numbers;
    r.promote = lambda::compares ? Promote::Compare : Promote::IntToFloat;
    r.n_elements = n;
    for (unsigned i = 0; i < n; ++i) r.elements[i] = static_cast<signed char>(i);
    r.n_numbers = lambda::n_numbers;
    return c;
  }();
  static constexpr tenon::detail::PointwiseRow row{&only, 1};

  struct gradient {
    static constexpr auto loops =
        make_loops<Arch, n + 1, n, PointwiseNumbers>(typename lambda::elements{}, typename lambda::backward{});
    static constexpr UserGradient table{make_table(loops), Op::text()};
  };
};

/// Runs a backward loop: `results[k]` = grad times the derivative by inputs[k], all in one pass over the memory.
inline void pointwise_backward(const void* data, const Tensor& grad, const Tensor* inputs, unsigned n,
                               const Scalar* numbers, unsigned n_numbers, Tensor* results) {
  const auto& user = *static_cast<const UserGradient*>(data);
  if (!grad.is_cpu()) {
    for (unsigned k = 0; k < n; ++k) results[k] = make_tensor(grad.sizes(), {}, grad.dtype(), grad.device());
    return tenon_cuda_own_formulas.gradients(user.name, grad, {inputs, n}, numbers, {results, n});
  }
  const Loop* loop = user.loops.find(grad.dtype());
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

/// Whether the CUDA component has the gradient of the operator for these tensors.
inline bool serves_gradient(const void* data, const Tensor& grad, const Tensor* inputs, unsigned n) {
  return cuda::has_own_gradients(static_cast<const UserGradient*>(data)->name, grad, {inputs, n}, grad.dtype());
}

/// All that TENON_POINTWISE registers; `derivative` is told the operator's loops, for the layer above.
template <class Op, class D>
void add_user_operator(Library& m, D derivative, const char* file, int line) {
  if constexpr (!tenon::detail::parsed_v<Op>.head.ok()) {
    tenon::detail::schema_mistake::report<Op>();
  } else {
    using mistake = decltype(pointwise_mistake<Op>::find());
    if constexpr (mistake::ok) {
      using user = user_operator<Op>;
      pointwise::define_pointwise<Op, user, user>(m, Place{file, line});
      derivative(std::type_identity<user>{});
    } else {
      mistake::template report<Op>();
    }
  }
}

}  // namespace detail
}  // namespace tenon::cpu

/// What the lambda says of its operator: that it is elementwise, so that vmap and forward mode run it in one pass.
#define TENON_INTERNAL_LAMBDA(...)                                                           \
  static constexpr ::tenon::operator_options options() { return {::tenon::Tag::pointwise}; } \
  static constexpr auto lambda() {                                                           \
    TENON_INTERNAL_MATH_NAMES                                                                \
    return __VA_ARGS__;                                                                      \
  }

/// Declares and registers an elementwise operator from a stateless lambda over its arguments in the schema's order:
///
///     TENON_POINTWISE(swish, "my::swish(Tensor self, *, Scalar beta=1) -> Tensor",
///                     [](auto x, auto beta) { return x / (1 + exp(-beta * x)); });
///
/// Gives the operators NAME, NAME_ (in place, where the schema begins with a Tensor) and NAME_out with broadcasting and
/// type promotion (integers compute as the default floating dtype), kernels for CPU and Meta tensors, and the
/// derivative by every tensor from dual numbers, which has derivatives itself. A lambda that returns a comparison gives
/// a bool tensor of every real dtype and no derivative. Within `complex_too(lambda)` it is an operator of complex
/// tensors on the CPU and on Meta, too. The lambda calls functions of tenon::math unqualified: exp,
/// log, select(condition, a, b), maximum... One to four tensors and at most three numbers (Scalar, float, int, bool) in
/// any order, none optional; one result. A number that the compute type cannot hold raises ValueError. At namespace
/// scope, after <tenon/tenon.hpp>. The schema's namespace is a fragment: any number of operators may share it.
#define TENON_POINTWISE(NAME, SCHEMA, ...)                                                                             \
  TENON_INTERNAL_SCHEMA_FORMS(                                                                                         \
      NAME, SCHEMA, static constexpr const char* display_name() { return #NAME; } TENON_INTERNAL_LAMBDA(__VA_ARGS__)); \
  inline const ::tenon::detail::StaticLibrary NAME##_registration(                                                     \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<NAME##_op>(), ::std::nullopt,                    \
      [](::tenon::Library& m) {                                                                                        \
        ::tenon::cpu::detail::add_user_operator<NAME##_op>(                                                            \
            m,                                                                                                         \
            [&]<class tenon_user>(::std::type_identity<tenon_user>) {                                                  \
              if constexpr (tenon_user::lambda::compares)                                                              \
                ::tenon::autograd::register_not_differentiable(m, NAME, __FILE__, __LINE__);                           \
              else                                                                                                     \
                ::tenon::autograd::register_pointwise_derivative(                                                      \
                    m, NAME, &::tenon::cpu::detail::pointwise_backward, &tenon_user::lambda::recorded,                 \
                    &tenon_user::gradient::table, __FILE__, __LINE__, &::tenon::cpu::detail::serves_gradient);         \
            },                                                                                                         \
            __FILE__, __LINE__);                                                                                       \
      },                                                                                                               \
      __FILE__, __LINE__)
