// The programs that somebody who knows libtorch writes in the first hour, against the installed package.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <tenon/autograd/graph/function.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/nn/clip_grad.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

int failures = 0;
void expect(bool ok, const char* what) {
  if (!ok) std::printf("FAILED: %s\n", what), ++failures;
}
bool close(const Tensor& a, const Tensor& b, double by = 1e-5) { return (a - b).abs().max().item<double>() <= by; }

// 1. A network, Adam, clipping, a learning rate that changes in mid-run, saved and loaded again.
struct Net {
  nn::Linear a{4, 16}, b{16, 1};
  nn::Dropout drop{.p = 0.1};
  Tensor operator()(const Tensor& x) const { return b(drop(ops::relu(a(x)))); }
  TENON_FIELDS(a, b, drop)
};

void network() {
  manual_seed(1);
  Net net;
  Tensor x = ops::randn({64, 4}), y = x.sum(1, true);
  optim::Adam optimizer(nn::parameters(net), {.lr = 0.02});
  double first = 0, last = 0;
  nn::train(net);
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    Tensor loss = nn::functional::mse_loss(net(x), y);
    loss.backward();
    nn::utils::clip_grad_norm_(nn::parameters(net), 1.0);
    optimizer.step();
    if (step == 100) optimizer.groups()[0].options.lr = 0.005;
    (step == 0 ? first : last) = loss.item<double>();
  }
  expect(last < 0.2 * first, "the network learns");

  nn::save(net, "newcomer.safetensors");
  nn::save(optimizer, "newcomer_adam.safetensors");
  Net again;
  nn::load(again, "newcomer.safetensors");
  optim::Adam resumed(nn::parameters(again), {});
  nn::load(resumed, "newcomer_adam.safetensors");
  expect(resumed.groups()[0].options.lr == 0.005, "an optimiser's options are saved with its state");

  nn::eval(net), nn::eval(again);
  NoGradGuard no_grad;
  expect(close(net(x), again(x), 0), "a saved network gives the same answers");
  std::remove("newcomer.safetensors"), std::remove("newcomer_adam.safetensors");
}

// 2. Operators by name, with a derivative and without: what a plugin registers (tests/install/plugins holds one).
struct MulAdd : autograd::Function<MulAdd> {
  static Tensor forward(autograd::AutogradContext& ctx, const Tensor& a, const Tensor& b, double c) {
    ctx.save_for_backward({a, b});
    AutoDispatchBelowAutograd below;
    return Registry::get()
        .find_schema_or_throw("newcomer::mymuladd", "")
        .typed<Tensor(const Tensor&, const Tensor&, double)>()
        .call(a, b, c);
  }
  static std::vector<Tensor> backward(autograd::AutogradContext& ctx, TensorList grads) {
    auto saved = ctx.saved_tensors();
    return {grads[0] * saved[1], grads[0] * saved[0], Tensor()};
  }
};
Tensor mymuladd(const Tensor& a, const Tensor& b, double c) { return a * b + c; }
void myadd_out(const Tensor& a, const Tensor& b, Tensor& out) { ops::add(a, b, "out"_a = out); }

TENON_LIBRARY(newcomer, m) {
  m.def("mymuladd(Tensor a, Tensor b, float c) -> Tensor");
  m.def("myadd_out(Tensor a, Tensor b, Tensor(a!) out) -> ()");
}
TENON_LIBRARY_IMPL(newcomer, CPU, m) {
  m.impl("mymuladd", &mymuladd);
  m.impl("myadd_out", &myadd_out);
}
TENON_LIBRARY_IMPL(newcomer, Autograd, m) {
  m.impl("mymuladd", [](const Tensor& a, const Tensor& b, double c) { return MulAdd::apply(a, b, c); });
}

// Names that every program has are the program's own under `using namespace tenon`.
double sum(double a, double b) { return a + b; }
void own_names() {
  int t = -2, norm = abs(t);
  expect(sum(norm, exp(0.0)) == 3, "`sum`, `t`, `abs`, `norm` and `exp` are none of the library's");
  Tensor x = tensor({{1.0, 5.0, 2.0}, {7.0, 3.0, 4.0}});
  expect(close(x.max(1).values, tensor({5.0, 7.0})), "a result by its name");
  auto [values, indices] = x.sort(1);
  expect(indices.index({0}).equal(x.sort(1).indices[0]) && close(values[0], tensor({1.0, 2.0, 5.0})),
         "results in order");
}

void by_name() {
  auto op = Registry::get().find_schema_or_throw("newcomer::mymuladd", "");
  Tensor a = tensor({1.0, 2.0}).requires_grad_(), b = tensor({3.0, 4.0});
  op.typed<Tensor(const Tensor&, const Tensor&, double)>().call(a, b, 1.0).sum().backward();
  expect(close(a.grad(), b), "a derivative of an operator registered by its string");

  Stack stack{Value(a), Value(b), Value(0.5)};
  op.call_boxed(stack);
  expect(close(stack[0].to_tensor(), a * b + 0.5), "a boxed call by name");
  Tensor out = ops::zeros({2});
  Registry::get()
      .find_schema_or_throw("newcomer::myadd_out", "")
      .typed<void(const Tensor&, const Tensor&, Tensor&)>()
      .call(b, b, out);
  expect(close(out, b * 2), "an operator that writes into its argument");
}

// 3. A cell of a recurrent network with a backward pass of one's own.
struct Cell : autograd::Function<Cell> {
  static Tensor forward(autograd::AutogradContext& ctx, const Tensor& x, const Tensor& weight, const Tensor& state) {
    Tensor gate = ops::sigmoid(ops::linear(x, weight));
    ctx.save_for_backward({x, weight, state, gate});
    return gate * state;
  }
  static std::vector<Tensor> backward(autograd::AutogradContext& ctx, TensorList grads) {
    auto s = ctx.saved_tensors();
    Tensor d = grads[0] * s[2] * s[3] * (1 - s[3]);
    return {ops::mm(d, s[1]), ops::mm(d.t(), s[0]), grads[0] * s[3]};
  }
};
void cell() {
  auto leaf = [](IntArrayRef sizes) { return ops::randn(sizes, "dtype"_a = kDouble, "requires_grad"_a = true); };
  expect(autograd::gradcheck([](const std::vector<Tensor>& in) { return Cell::apply(in[0], in[1], in[2]); },
                             {leaf({3, 4}), leaf({5, 4}), leaf({3, 5})}),
         "a backward pass by hand");
}

// 4. The heat equation: views, assignment to them, `out`, threads.
void heat() {
  set_num_threads(2);
  Tensor u = ops::zeros({64, 64});
  u.index({Slice(), 0}) = 1;
  u.select(0, 0) = ops::ones({64});
  Tensor centre = u.slice(0, 1, -1).slice(1, 1, -1), flow = ops::empty_like(centre);
  for (int step = 0; step < 50; ++step) {
    ops::add(u.narrow(0, 0, 62).slice(1, 1, -1), u.narrow(0, 2, 62).slice(1, 1, -1), "out"_a = flow);
    flow += u.slice(0, 1, -1).narrow(1, 0, 62) + u.slice(0, 1, -1).narrow(1, 2, 62) - 4 * centre;
    centre.add_(flow, "alpha"_a = 0.2);
  }
  expect(u[1][1].item<float>() > 0.9f && u[62][62].item<float>() < 0.1f, "heat flows in from two sides");
}

// 5. Logistic regression, batches in random order, a confusion matrix.
void regression() {
  manual_seed(2);
  Tensor x = ops::randn({200, 2}), label = ops::ge(x.sum(1), 0).to(kLong);
  Tensor weight = ops::zeros({2, 2}, "requires_grad"_a = true), bias = ops::zeros({2}, x.options().requires_grad(true));
  for (int epoch = 0; epoch < 20; ++epoch)
    for (const Tensor& rows : ops::randperm(200).split(50)) {
      Tensor loss = nn::functional::cross_entropy(ops::linear(x.index_select(0, rows), weight, bias),
                                                  label.index_select(0, rows));
      auto grads = autograd::grad({loss}, {weight, bias});
      NoGradGuard no_grad;
      weight -= 0.5 * grads[0];
      bias -= 0.5 * grads[1];
    }
  Tensor guess = ops::linear(x, weight, bias).argmax(1), confusion = ops::zeros({2, 2}, kLong);
  confusion.index_put_(std::vector<std::optional<Tensor>>{label, guess}, tensor({1}), true);
  expect((confusion[0][0] + confusion[1][1]).item<int>() > 190, "a plane is learnt");
}

// 6. A device that counts: kernels for two operators, the CPU for all others.
int counted = 0;
constexpr Device kCounting(DeviceType::PrivateUse1, 0);
Tensor seen_on(const Tensor& t, Device device) {
  return from_blob(
      t.data_ptr(), t.sizes(), t.strides(), t.dtype(),
      [](void* impl) { Tensor(intrusive_ptr<TensorImpl>::adopt(static_cast<TensorImpl*>(impl))); },
      intrusive_ptr<TensorImpl>(t.impl_ptr()).release(), device);
}
Tensor counting_empty(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout>, std::optional<Device>,
                      std::optional<bool>, std::optional<MemoryFormat>) {
  return seen_on(make_tensor(size, {}, dtype.value_or(kFloat)), kCounting);
}
Tensor& counting_copy(Tensor& self, const Tensor& source, bool) {
  Tensor to = seen_on(self, kCPU);
  ops::copy_(to, seen_on(source, kCPU));
  return self;
}
void counting_fallback(const OperatorHandle& op, Stack& stack) {
  ++counted;
  cpu_fallback(op, stack);
}
TENON_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl<ops::empty_memory_format, &counting_empty>();
  m.impl<ops::copy_base_, &counting_copy>();
}
TENON_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(&counting_fallback); }

void device() {
  Tensor x = ops::empty({2, 3}, "device"_a = kCounting), w = ops::empty({3, 2}, "device"_a = kCounting);
  x.copy_(ops::ones({2, 3})), w.copy_(ops::ones({3, 2}));
  w.requires_grad_();
  Tensor y = ops::cat({x.mm(w), x.mm(w)}).relu();
  y.backward(ops::ones({4, 2}, "device"_a = kCounting));
  expect(counted > 5 && close(seen_on(w.grad(), kCPU), ops::full({3, 2}, 4.0)), "a device by way of the CPU");
}

// 7. Memory of others: vectors, spans, elements.
void memory() {
  std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  Tensor view = from_blob(numbers, {2, 3});
  view *= 2;
  expect(numbers[5] == 12 && view.to_vector<float>()[5] == 12, "a tensor over a vector's memory");
  Tensor columns = from_blob(numbers.data(), {3, 2}, {1, 3}, kFloat);
  auto at = columns.accessor<float, 2>();
  expect(at[2][1] == 12 && columns[2][1].item<float>() == 12, "column-major memory");
  float sum = 0;
  for (Tensor row : view) sum += row.sum().item<float>();
  expect(sum == 42, "row by row");
}

// 8. Wrong calls say what was called.
template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const Error& e) { return e.what(); }
  return "";
}
void mistakes() {
  Tensor a = ops::ones({2, 3}), b = ops::ones({2, 4});
  expect(
      message([&] { a + b; }).find("aten::add.Tensor(self: float32 [2, 3], other: float32 [2, 4]") != std::string::npos,
      "an error names operator and shapes");
  expect(message([&] { a.to(kCUDA); }).find("devices cpu and meta") != std::string::npos, "no kernels for a device");
  expect(message([&] { ops::cat(std::vector<Tensor>{}); }) == "cat(): expected a non-empty list of Tensors",
         "an empty list");
}

// 9. Threads: inference and backward passes beside each other.
void threads() {
  nn::Linear layer{8, 8};
  Tensor x = ops::randn({4, 8}), expected = layer(x).detach();
  std::vector<std::thread> workers;
  std::vector<char> same(4);
  Tensor shared = ops::ones({1}, "requires_grad"_a = true);
  for (std::size_t i = 0; i < same.size(); ++i)
    workers.emplace_back([&, i] {
      for (int n = 0; n < 100; ++n) (shared * 2).sum().backward();
      NoGradGuard no_grad;
      same[i] = close(layer(x), expected, 0);
    });
  for (std::thread& t : workers) t.join();
  expect(std::count(same.begin(), same.end(), 1) == 4 && shared.grad().item<float>() == 800, "four threads");
}

}  // namespace

int main() {
  for (auto program :
       {&network, &own_names, &by_name, &cell, &heat, &regression, &device, &memory, &mistakes, &threads})
    program();
  std::printf("%d failed\n", failures);
  return failures != 0;
}
