// The optimisers' loops: one pass over a parameter, its gradient and its state.
#pragma once
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/math/optim_rules.hpp>
#include <tenon/math/vec.hpp>

namespace tenon::cpu {

/// Each kernel updates `n` elements of float (or double) in place; state that the step does not use is null.
struct OptimKernels {
  void (*sgd)(bool is_double, const math::steps::SgdStep&, void* p, const void* g, void* buffer, std::int64_t n);
  void (*adagrad)(bool is_double, const math::steps::AdagradStep&, void* p, const void* g, void* sum, std::int64_t n);
  void (*rmsprop)(bool is_double, const math::steps::RmspropStep&, void* p, const void* g, void* square_avg,
                  void* grad_avg, void* buffer, std::int64_t n);
  void (*adam)(bool is_double, const math::steps::AdamStep&, void* p, const void* g, void* exp_avg, void* exp_avg_sq,
               void* max_exp_avg_sq, std::int64_t n);
  void (*adadelta)(bool is_double, const math::steps::AdadeltaStep&, void* p, const void* g, void* square_avg,
                   void* acc_delta, std::int64_t n);
  void (*adamax)(bool is_double, const math::steps::AdamaxStep&, void* p, const void* g, void* exp_avg, void* exp_inf,
                 std::int64_t n);
  void (*nadam)(bool is_double, const math::steps::NadamStep&, void* p, const void* g, void* exp_avg, void* exp_avg_sq,
                std::int64_t n);
  void (*radam)(bool is_double, const math::steps::RadamStep&, void* p, const void* g, void* exp_avg, void* exp_avg_sq,
                std::int64_t n);
  void (*asgd)(bool is_double, const math::steps::AsgdStep&, void* p, const void* g, void* ax, std::int64_t n);
  void (*rprop)(bool is_double, const math::steps::RpropStep&, void* p, const void* g, void* previous, void* step_size,
                std::int64_t n);
};

namespace detail {

// The rule is a local copy: stores through the pointers cannot change it, so that it stays in registers.
template <template <class> class Rule, class T, class Arch, class Step, class... S>
void optim_loop(const Step& step, T* p, const T* g, std::int64_t n, S*... state) {
  using V = math::vec<T, Arch>;
  const Rule<V> rule(step);
  std::int64_t i = 0;
  for (; i + V::size <= n; i += V::size) {
    V x = V::load(p + i);
    [&](auto... s) {
      rule(x, V::load(g + i), s...);
      ((state ? s.store(state + i) : void()), ...);
    }((state ? V::load(state + i) : V(T(0)))...);
    x.store(p + i);
  }
  if (int rest = static_cast<int>(n - i)) {
    V x = V::load_partial(p + i, rest);
    [&](auto... s) {
      rule(x, V::load_partial(g + i, rest), s...);
      ((state ? s.store_partial(state + i, rest) : void()), ...);
    }((state ? V::load_partial(state + i, rest) : V(T(0)))...);
    x.store_partial(p + i, rest);
  }
}
template <template <class> class Rule, class Arch, class Step>
struct optim_kernel {
  static void one(bool is_double, const Step& step, void* p, const void* g, void* a, std::int64_t n) {
    if (is_double)
      run<double>(step, p, g, n, a);
    else
      run<float>(step, p, g, n, a);
  }
  static void two(bool is_double, const Step& step, void* p, const void* g, void* a, void* b, std::int64_t n) {
    if (is_double)
      run<double>(step, p, g, n, a, b);
    else
      run<float>(step, p, g, n, a, b);
  }
  static void three(bool is_double, const Step& step, void* p, const void* g, void* a, void* b, void* c,
                    std::int64_t n) {
    if (is_double)
      run<double>(step, p, g, n, a, b, c);
    else
      run<float>(step, p, g, n, a, b, c);
  }

 private:
  template <class T, class... S>
  static void run(const Step& step, void* p, const void* g, std::int64_t n, S*... state) {
    optim_loop<Rule, T, Arch>(step, static_cast<T*>(p), static_cast<const T*>(g), n, static_cast<T*>(state)...);
  }
};

}  // namespace detail

template <class Arch>
struct kernel_group<OptimKernels, Arch> {
  static constexpr OptimKernels value{
      &detail::optim_kernel<math::steps::SgdRule, Arch, math::steps::SgdStep>::one,
      &detail::optim_kernel<math::steps::AdagradRule, Arch, math::steps::AdagradStep>::one,
      &detail::optim_kernel<math::steps::RmspropRule, Arch, math::steps::RmspropStep>::three,
      &detail::optim_kernel<math::steps::AdamRule, Arch, math::steps::AdamStep>::three,
      &detail::optim_kernel<math::steps::AdadeltaRule, Arch, math::steps::AdadeltaStep>::two,
      &detail::optim_kernel<math::steps::AdamaxRule, Arch, math::steps::AdamaxStep>::two,
      &detail::optim_kernel<math::steps::NadamRule, Arch, math::steps::NadamStep>::two,
      &detail::optim_kernel<math::steps::RadamRule, Arch, math::steps::RadamStep>::two,
      &detail::optim_kernel<math::steps::AsgdRule, Arch, math::steps::AsgdStep>::one,
      &detail::optim_kernel<math::steps::RpropRule, Arch, math::steps::RpropStep>::two};
};

}  // namespace tenon::cpu
