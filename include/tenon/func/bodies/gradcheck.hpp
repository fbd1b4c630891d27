// Checks of tangents and of batched derivatives.
#pragma once
#include <limits>

#include <tenon/base/body.hpp>
#include <tenon/func/bodies/grad.hpp>
#include <tenon/func/gradcheck.hpp>
#include <tenon/func/jvp.hpp>
#include <tenon/func/vmap.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

using Tensors = std::vector<Tensor>;

class TransformCheck {
 public:
  TransformCheck(CheckedFunction f, const Tensors& inputs, const GradcheckOptions& options) : f_(f), options_(options) {
    for (const Tensor& x : inputs) {
      if (x.defined() && x.requires_grad()) checked_.push_back(all_.size());
      all_.push_back(x.defined() ? Tensor(ops::detach(x)) : x);
    }
    for (std::size_t i : checked_) primals_.push_back(all_[i]);
    NoGradGuard no_grad;
    outputs_ = of(primals_);
  }

  /// Along every direction, or a random one.
  void forward() const {
    for (std::size_t n = 0; n < primals_.size(); ++n)
      if (options_.fast_mode)
        compare_along(n, random_like(primals_[n]));
      else
        for (const Tensor& v : directions(primals_[n])) compare_along(n, v);
  }
  void batched_forward() const {
    for (std::size_t n = 0; n < primals_.size(); ++n) {
      auto push = [&](const Tensor& v) {
        Tensors tangents(primals_.size());
        tangents[n] = v;
        return jvp([this](const Tensors& x) { return of(x); }, std::tuple(primals_), std::tuple(tangents)).second;
      };
      Tensor two = ops::stack({random_like(primals_[n]), random_like(primals_[n])});
      compare_batch("forward-mode derivatives", n, {push(two[0]), push(two[1])},
                    batch([&] { return vmap(push)(two); }));
    }
  }
  void batched_backward() const {
    auto pullback = vjp([this](const Tensors& x) { return of(x); }, primals_);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (!takes_gradient(outputs_[o])) continue;
      auto pull = [&](const Tensor& weight) {
        Tensors weights;
        for (std::size_t k = 0; k < outputs_.size(); ++k)
          weights.push_back(k == o ? weight : Tensor(ops::zeros_like(outputs_[k])));
        return pullback(weights);
      };
      Tensor two = ops::stack({random_like(outputs_[o]), random_like(outputs_[o])});
      compare_batch("gradients", o, {pull(two[0]), pull(two[1])}, batch([&] { return vmap(pull)(two); }));
    }
  }

 private:
  Tensors of(const Tensors& primals) const {
    Tensors all = all_;
    for (std::size_t k = 0; k < checked_.size(); ++k) all[checked_[k]] = primals[k];
    return f_(all);
  }
  static Tensor random_like(const Tensor& t) { return ops::randn_like(t); }
  /// A vector for each real number of a tensor.
  static Tensors directions(const Tensor& x) {
    Tensors list;
    Tensor all = directions_of(x, 0, x.numel());
    for (std::int64_t k = 0; k < x.numel(); ++k) {
      list.push_back(all[k]);
      if (x.is_complex()) list.push_back(ops::mul(all[k], Scalar(Complex<double>(0, 1))));
    }
    return list;
  }
  void compare_along(std::size_t n, const Tensor& v) const {
    Tensors tangents(primals_.size());
    tangents[n] = v;
    Tensors analytical =
        jvp([this](const Tensors& x) { return of(x); }, std::tuple(primals_), std::tuple(tangents)).second;
    NoGradGuard no_grad;
    auto moved = [&](double by) {
      Tensors x = primals_;
      x[n] = ops::add(x[n], ops::mul(v, by));
      return of(x);
    };
    Tensors above = moved(options_.eps), below = moved(-options_.eps);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (!outputs_[o].defined() || !takes_gradient(outputs_[o])) continue;
      Tensor numerical = ops::div(ops::sub(above[o], below[o]), 2 * options_.eps);
      if (double off = excess(analytical[o], numerical); off > 0)
        fail<AutogradError>("gradcheck(): Jacobian computed with forward mode mismatch for output ", o,
                            " with respect to input ", checked_[n], ": the tangent is off by ", off,
                            " more than the tolerance");
    }
  }
  /// By how much `a` differs from `b` at most, less what is allowed; infinite for NaN in one of them.
  double excess(const Tensor& a, const Tensor& b) const {
    if (a.numel() == 0) return 0;
    Tensor off = ops::sub(ops::abs(ops::sub(a, b)), ops::add(ops::mul(ops::abs(b), options_.rtol), options_.atol));
    double most = ops::max(ops::where(ops::eq(a, b), ops::full_like(off, -1), off)).item<double>();
    return most <= 0 ? 0 : most == most ? most : std::numeric_limits<double>::infinity();
  }
  template <class F>
  static Tensors batch(F f) {
    bool warned = warns_of_loops;
    struct Restore {
      bool on;
      ~Restore() { warn_of_loops(on); }
    } restore{warned};
    warn_of_loops(false);
    return f();
  }
  void compare_batch(const char* what, std::size_t of, const std::vector<Tensors>& loop, const Tensors& all) const {
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::int64_t i = 0; i < 2; ++i) {
        const Tensor& one = loop[static_cast<std::size_t>(i)][k];
        if (!one.defined() || !takes_gradient(one)) continue;
        if (double off = excess(all[k][i], one); off > 0)
          fail<AutogradError>("gradcheck(): While computing batched ", what, ", got different results from vmap (",
                              "number ", k, " of those for number ", of, " is off by ", off,
                              " more than the tolerance)");
      }
  }

  CheckedFunction f_;
  GradcheckOptions options_;
  Tensors all_, primals_, outputs_;
  std::vector<std::size_t> checked_;
};

template <class F>
bool checked(const GradcheckOptions& options, F run) {
  if (options.raise_exception) return run(), true;
  try {
    run();
  } catch (const AutogradError&) { return false; }
  return true;
}

TENON_COLD_BODY bool gradcheck(CheckedFunction f, const Tensors& inputs, const GradcheckOptions& options) {
  TENON_CHECK(options.check_backward_ad || options.check_forward_ad, ValueError,
              "gradcheck(): expected check_forward_ad or check_backward_ad to be true");
  TENON_CHECK(!options.check_batched_grad || options.check_backward_ad, ValueError,
              "gradcheck(): check_batched_grad asks for check_backward_ad");
  TENON_CHECK(!options.check_batched_forward_grad || options.check_forward_ad, ValueError,
              "gradcheck(): check_batched_forward_grad asks for check_forward_ad");
  return checked(options, [&] {
    autograd::GradcheckOptions raising = options;
    raising.raise_exception = true;
    if (options.check_backward_ad) autograd::detail::gradcheck(f, inputs, raising);
    TransformCheck check(f, inputs, options);
    if (options.check_forward_ad) check.forward();
    if (options.check_batched_grad) check.batched_backward();
    if (options.check_batched_forward_grad) check.batched_forward();
  });
}

/// The gradients of a function by weights of its outputs, which are its last arguments.
struct PulledBack {
  CheckedFunction f;
  std::vector<char> weighted;  // of the outputs
  std::vector<char> counts;    // of the inputs: whether a gradient is asked for
  Tensors operator()(const Tensors& all) const {
    Tensors inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(counts.size())), of;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (counts[i]) of.push_back(inputs[i]);
    auto g = [&](const Tensors& now) {
      Tensors own = inputs, kept;
      std::size_t next = 0;
      for (std::size_t i = 0; i < own.size(); ++i)
        if (counts[i]) own[i] = now[next++];
      Tensors results = f(own);
      for (std::size_t o = 0; o < results.size(); ++o)
        if (weighted[o]) kept.push_back(results[o]);
      return kept;
    };
    return vjp(g, of)({all.begin() + static_cast<std::ptrdiff_t>(counts.size()), all.end()});
  }
};

/// Every second element of one more dimension where it is not to be contiguous.
inline Tensor random_weight(const Tensor& y, bool apart) {
  Tensor like = ops::detach(y);
  if (!apart) return Tensor(ops::randn_like(like)).set_requires_grad(true);
  return Tensor(ops::select(ops::randn_like(ops::stack({like, like}, -1)), -1, 0)).set_requires_grad(true);
}

TENON_COLD_BODY bool gradgradcheck(CheckedFunction f, const Tensors& inputs, const Tensors& grad_outputs,
                                   const GradcheckOptions& options) {
  TENON_CHECK(options.check_fwd_over_rev || options.check_rev_over_rev, ValueError,
              "gradgradcheck(): expected check_fwd_over_rev or check_rev_over_rev to be true");
  PulledBack first{f, {}, {}};
  Tensors all = inputs;
  for (const Tensor& x : inputs) first.counts.push_back(x.defined() && x.requires_grad());
  std::size_t given = 0;
  for (const Tensor& y : f(inputs)) {
    first.weighted.push_back(y.defined() && y.requires_grad());
    if (!first.weighted.back()) continue;
    TENON_CHECK(grad_outputs.empty() || given < grad_outputs.size(), ValueError, "gradgradcheck(): got ",
                grad_outputs.size(), " grad_outputs, fewer than there are outputs");
    all.push_back(grad_outputs.empty() ? random_weight(y, options.gen_non_contig_grad_outputs) : grad_outputs[given]);
    ++given;
  }
  GradcheckOptions of_first = options;
  of_first.check_backward_ad = options.check_rev_over_rev;
  of_first.check_forward_ad = options.check_fwd_over_rev;
  of_first.check_batched_grad = options.check_batched_grad && options.check_rev_over_rev;
  of_first.check_batched_forward_grad = options.check_batched_forward_grad && options.check_fwd_over_rev;
  return gradcheck(autograd::detail::checked_function(first), all, of_first);
}

}  // namespace tenon::func::detail
