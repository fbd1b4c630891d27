// Functions of 256 examples at once beside the loop over them and beside the operator called by hand on all;
// gradients of single examples, forward mode, and hooks.
#include <tenon/autograd/graph/hooks.hpp>
#include <tenon/func.hpp>
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

namespace {

constexpr std::int64_t kExamples = 256;

/// Rows `/loop`, `/vmap` and `/batched` of a function of one example; `by_hand` is what it is on all.
template <class F, class H>
void batch_rows(const std::string& name, const Tensor& x, F f, H by_hand) {
  row("vmap/" + name + "/loop", [&] {
    std::vector<Tensor> results;
    for (std::int64_t i = 0; i < x.size(0); ++i) results.push_back(f(x[i]));
    keep(ops::stack(results));
  });
  row("vmap/" + name + "/vmap", [&] { keep(func::vmap(f)(x)); });
  row("vmap/" + name + "/batched", [&] { keep(by_hand(x)); });
}

struct Digits {
  nn::Linear hidden{64, 32};
  nn::Linear output{32, 10};
  Tensor operator()(const Tensor& images) const { return output(ops::relu(hidden(images))); }
  TENON_FIELDS(hidden, output)
};
Tensor loss(const Digits& network, const Tensor& image, const Tensor& digit) {
  return nn::functional::cross_entropy(network(image), digit);
}

}  // namespace

BENCH_PART(transforms) {
  manual_seed(0);
  Tensor x = ops::rand({kExamples, 64});
  for (std::int64_t size : {16, 64}) {
    Tensor of = ops::rand({kExamples, size}), b = ops::rand({size}), weight = ops::rand({size});
    std::string n = std::to_string(size);
    auto add = [&](const Tensor& t) { return t + b; };
    batch_rows("add" + n, of, add, add);
    batch_rows(
        "sum" + n, of, [](const Tensor& t) { return t.sum(); }, [](const Tensor& t) { return t.sum(1); });
    batch_rows(
        "softmax" + n, of, [](const Tensor& t) { return ops::softmax(t, 0); },
        [](const Tensor& t) { return ops::softmax(t, 1); });
    auto norm = [&](const Tensor& t) { return ops::layer_norm(t, {size}, weight, b); };
    batch_rows("layer_norm" + n, of, norm, norm);
  }
  Tensor matrices = ops::rand({kExamples, 8, 8}), other = ops::rand({8, 8});
  batch_rows(
      "mm", matrices, [&](const Tensor& t) { return ops::mm(t, other); },
      [&](const Tensor& t) { return ops::matmul(t, other); });
  Tensor images = ops::rand({kExamples, 1, 8, 8}), filters = ops::rand({4, 1, 3, 3});
  auto filtered = [&](const Tensor& t) { return ops::conv2d(t, filters, "padding"_a = 1); };
  batch_rows("conv2d", images, filtered, filtered);

  Digits network;
  Tensor classes = ops::randint(10, {kExamples}, "dtype"_a = kLong);
  row("func/per_example_grad/loop", [&] {
    for (std::int64_t i = 0; i < kExamples; ++i) keep(func::grad(loss)(network, x[i], classes[i]));
  });
  row("func/per_example_grad/vmap", [&] {
    keep(func::vmap(func::grad(loss), {.in_dims = {std::nullopt, 0, 0}})(network, x, classes));
  });
  auto outputs = [&](const Tensor& t) { return network(t); };
  Tensor direction = ops::rand({kExamples, 64});
  row("func/jvp/forward", [&] {
    NoGradGuard no_grad;
    keep(outputs(x));
  });
  row("func/jvp/jvp", [&] {
    NoGradGuard no_grad;
    keep(func::jvp(outputs, x, direction));
  });
}

BENCH_PART(hooks) {
  Tensor a = ops::rand({8, 8}), b = ops::rand({8, 8}), up = ops::rand({8, 8});
  a.set_requires_grad(true);
  auto chain = [&](bool hooked) {
    Tensor y = a;
    for (int i = 0; i < 100; ++i) {
      y = y * b;
      if (hooked) y.register_hook([](const Tensor&) {});
    }
    return y;
  };
  Tensor plain = chain(false), hooked = chain(true);
  row("autograd/run100", [&] { plain.backward(up, true); });
  row("autograd/run100/hooks", [&] { hooked.backward(up, true); });
}
