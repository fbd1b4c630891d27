// Registers random numbers and dropout on CUDA.
#include <cmath>
#include <mutex>
#include <tuple>

#include <tenon/base/device_random.hpp>
#include <tenon/composite/dropout_checks.hpp>
#include <tenon/composite/random_bounds.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/overlap.hpp>

#include "fault.hpp"
#include "generators.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The devices' generators.
struct Generators {
  static constexpr std::size_t kDevices = 64;
  std::mutex mutex;
  RngState state[kDevices];
  Generators() { seed(67280421310721u); }
  void seed(std::uint64_t seed) {
    for (RngState& s : state) s = {seed, 0};
  }
  static Generators& get() {
    static auto* all = new Generators;
    return *all;
  }
};
}  // namespace

RandomState take_random(const MaybeGenerator& given, std::uint64_t steps) {
  TENON_CHECK(!given || !given->defined(), ValueError, "Expected a 'cuda' device type for generator but found '",
              (*given)->device(), "'");
  if (GraphRandom* graph = runtime::graph_random()) {
    RandomState state{0, graph->drawn, graph->device};
    graph->drawn += 4 * steps;
    return state;
  }
  Generators& g = Generators::get();
  std::lock_guard lock(g.mutex);
  auto device = static_cast<std::size_t>(runtime::current_device());
  TENON_CHECK(device < Generators::kDevices, NotImplementedError, "random numbers on device ", device);
  RandomState state{g.state[device].seed, g.state[device].offset};
  g.state[device].offset += 4 * steps;
  return state;
}
std::int64_t random_blocks(std::int64_t n) {
  std::int64_t most = runtime::resident_blocks(256), blocks = (n + 255) / 256;
  return blocks < most ? blocks : most;
}
std::uint64_t random_steps(std::int64_t n, std::int64_t blocks, std::int64_t parts) {
  return static_cast<std::uint64_t>((n - 1) / (blocks * 256 * parts) + 1);
}

namespace {

/// Of a replay.
void take_for_graph(std::uint64_t drawn, std::uint64_t (&state)[2]) {
  RandomState taken = take_random(std::nullopt, drawn / 4);
  state[0] = taken.seed;
  state[1] = taken.offset;
}
struct Install {
  Install() { runtime::set_random_source(&take_for_graph); }
};
const Install install;
/// A number as one of the dtype.
double as_element(ScalarType dtype, double x) {
  alignas(8) unsigned char element[8];
  store_as(element, dtype, x);
  return load_as<double>(element, dtype);
}

void run(const char* name, RandomCall c, std::int64_t parts, const Tensor& self, const MaybeGenerator& generator) {
  if (self.numel() == 0) return;
  check_no_internal_overlap(self);
  DimVector steps = steps_of(self, self.sizes());
  c.walk = walk_over(self.sizes(), {&steps}, true);
  c.out = static_cast<char*>(self.data_ptr());
  c.dtype = self.dtype();
  std::int64_t blocks = random_blocks(self.numel());
  c.state = take_random(generator, random_steps(self.numel(), blocks, parts));
  draw(c, blocks, runtime::current_stream());
  runtime::check_launch(name);
}
void run_real(const char* name, Draw what, double a, double b, const Tensor& self, const MaybeGenerator& generator) {
  if (!has_arithmetic(self.dtype())) not_implemented_for(name, self.dtype());
  RandomCall c{};
  c.what = what, c.a = a, c.b = b;
  run(name, c, self.dtype() == kDouble ? 2 : 4, self, generator);
}
void need_floating(const char* name, const Tensor& self) {
  if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype())) not_implemented_for(name, self.dtype());
}
/// A complex tensor as its parts.
Tensor parts_of(const Tensor& self) { return self.is_complex() ? Tensor(ops::view_as_real(self)) : self; }

// What an operator refuses, its Meta kernel refuses.
Tensor& uniform_(Tensor& self, double from, double to, const MaybeGenerator& generator) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self), parts = parts_of(self);
  ops::uniform_(meta, from, to);
  run_real("uniform_kernel_cuda", Draw::Uniform, as_element(parts.dtype(), from), as_element(parts.dtype(), to), parts,
           generator);
  return self;
}
Tensor& normal_(Tensor& self, double mean, double std, const MaybeGenerator& generator) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self), parts = parts_of(self);
  ops::normal_(meta, mean, std);
  // The variance of a complex number is shared by its parts.
  run_real("normal_kernel_cuda", Draw::Normal, mean, self.is_complex() ? std / std::sqrt(2.0) : std, parts, generator);
  return self;
}
Tensor& log_normal_(Tensor& self, double mean, double std, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self);
  ops::log_normal_(meta, mean, std);
  need_floating("log_normal_cuda", self);
  run_real("log_normal_cuda", Draw::LogNormal, mean, std, self, generator);
  return self;
}
Tensor& exponential_(Tensor& self, double rate, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self);
  ops::exponential_(meta, rate);
  TENON_CHECK(
      self.is_floating_point(), ValueError,
      "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
      "specified ",
      enumerator_name(self.dtype()));
  run_real("exponential_cuda", Draw::Exponential, rate, 0, self, generator);
  return self;
}
Tensor& cauchy_(Tensor& self, double median, double sigma, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self);
  ops::cauchy_(meta, median, sigma);
  run_real("cauchy_cuda", Draw::Cauchy, median, sigma, self, generator);
  return self;
}
Tensor& geometric_(Tensor& self, double p, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self);
  ops::geometric_(meta, p);
  if (self.dtype() == kBool || self.is_complex()) not_implemented_for("geometric_cuda", self.dtype());
  run_real("geometric_cuda", Draw::Geometric, p, 0, self, generator);
  return self;
}
Tensor& bernoulli_(Tensor& self, double p, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self);
  ops::bernoulli_(meta, p);
  if (self.is_complex()) not_implemented_for("bernoulli_scalar_cuda_", self.dtype());
  run_real("bernoulli_scalar_cuda_", Draw::Bernoulli, p, 0, self, generator);
  return self;
}
Tensor& bernoulli_each_(Tensor& self, const Tensor& p, const MaybeGenerator& generator) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  Tensor meta = without_data(self);
  ops::bernoulli_(meta, without_data(p));
  if (self.is_complex() || !has_arithmetic(self.dtype()))
    not_implemented_for("bernoulli_tensor_cuda_self_", self.dtype());
  check_no_internal_overlap(self);
  RandomState state = take_random(generator, 3);
  if (self.numel() == 0) return self;
  Tensor each = make_tensor(self.sizes(), {}, self.dtype() == kDouble ? kDouble : kFloat, self.device());
  ops::copy_(each, p);
  Fault fault(self.device());
  DimVector steps = steps_of(self, self.sizes());
  BernoulliCall c{walk_over(self.sizes(), {&steps}),
                  static_cast<char*>(self.data_ptr()),
                  self.dtype(),
                  each.data_ptr(),
                  fault.data(),
                  state};
  draw_each(c, runtime::current_stream());
  runtime::check_launch("bernoulli_");
  TENON_CHECK(fault.told() == 0, ValueError, "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
  return self;
}

void run_whole(RandomCall c, const Tensor& self, const MaybeGenerator& generator) {
  c.what = Draw::Whole;
  run("random_from_to_kernel_cuda", c, c.wide ? 2 : 4, self, generator);
}
Tensor& random_from(Tensor& self, std::int64_t from, std::optional<std::int64_t> to, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  composite::RandomBounds bounds = composite::random_bounds(self.dtype(), from, to);
  RandomCall c{};
  c.range = bounds.range, c.base = bounds.base;
  c.wide = c.range == 0 || c.range >= std::uint64_t{1} << 28;
  run_whole(c, self, generator);
  return self;
}
Tensor& random_to(Tensor& self, std::int64_t to, const MaybeGenerator& generator) {
  return random_from(self, 0, to, generator);
}
Tensor& random_(Tensor& self, const MaybeGenerator& generator) {
  DeviceGuard guard(self.device());
  RandomCall c{};
  composite::visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    c.wide = std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) == 8);
    c.range = composite::largest_whole<T>() + 1;
  });
  run_whole(c, self, generator);
  return self;
}
/// The order is the host generator's, as PyTorch's is for fewer than 30,000 numbers.
Tensor& randperm_out(std::int64_t n, const MaybeGenerator& generator, Tensor& out) {
  AutoDispatchBelowADInplaceOrView below;
  std::int64_t none = 0;
  Tensor host = make_tensor({&none, 1}, {}, out.dtype());
  ops::randperm(n, "generator"_a = generator, "out"_a = host);
  ops::resize_(out, host.sizes());
  ops::copy_(out, host);
  return out;
}

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(input.device());
  Tensor mask = ops::empty_like(input, "dtype"_a = kBool);
  if ((train && !*train) || input.numel() == 0) {
    fill_elements(mask, operand_of(Scalar(true), kBool));
    return {ops::clone(input), mask};
  }
  composite::check_dropout(p);
  Tensor out = ops::empty_like(input);
  if (p == 1) {
    fill_elements(mask, operand_of(Scalar(false), kBool));
    fill_elements(out, operand_of(Scalar(0), out.dtype()));
    return {out, mask};
  }
  need_floating("fused_dropout", input);
  // Elements in the order of their memory, and so their numbers.
  bool dense = input.is_non_overlapping_and_dense();
  Tensor from = dense ? input : row_major(input),
         to = dense ? out : make_tensor(input.sizes(), {}, input.dtype(), input.device()),
         stays = dense ? mask : make_tensor(input.sizes(), {}, kBool, input.device());
  DropoutCall c{};
  c.dtype = input.dtype(), c.n = input.numel(), c.keeps = 1 - p;
  c.in = from.data_ptr(), c.out = to.data_ptr(), c.mask = static_cast<bool*>(stays.data_ptr());
  c.vector = !dense ? 1 : c.n % 4 == 0 ? 4 : c.n % 2 == 0 ? 2 : 1;
  std::int64_t blocks = random_blocks(c.n);
  c.state = take_random(std::nullopt, random_steps(c.n, blocks, 4));
  if (!dropout(c, blocks, runtime::current_stream())) not_implemented_for("fused_dropout", c.dtype);
  runtime::check_launch("native_dropout");
  if (!dense) {
    copy_elements(out, to);
    copy_elements(mask, stays);
  }
  return {out, mask};
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::cuda {
namespace {

std::size_t place_of(std::int8_t device) {
  auto place = static_cast<std::size_t>(device < 0 ? runtime::current_device() : device);
  TENON_CHECK(place < Generators::kDevices && static_cast<int>(place) < runtime::device_count(), ValueError,
              "no device cuda:", place, ": the process has ", runtime::device_count(), " of CUDA");
  return place;
}
RngState get_state(std::int8_t device) {
  const std::size_t place = place_of(device);
  Generators& g = Generators::get();
  std::lock_guard lock(g.mutex);
  return g.state[place];
}
void set_state(std::int8_t device, const RngState& state) {
  const std::size_t place = place_of(device);
  Generators& g = Generators::get();
  std::lock_guard lock(g.mutex);
  g.state[place] = state;
}

}  // namespace
}  // namespace tenon::cuda

extern const tenon::cuda::RandomCalls tenon_cuda_random = {&tenon::cuda::get_state, &tenon::cuda::set_state};

extern "C" void tenon_cuda_manual_seed(std::uint64_t seed) {
  auto& g = tenon::cuda::Generators::get();
  std::lock_guard lock(g.mutex);
  g.seed(seed);
}

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::uniform_base_, &cuda::uniform_>()
      .impl<ops::normal_base_, &cuda::normal_>()
      .impl<ops::log_normal_base_, &cuda::log_normal_>()
      .impl<ops::exponential_base_, &cuda::exponential_>()
      .impl<ops::cauchy_base_, &cuda::cauchy_>()
      .impl<ops::geometric_base_, &cuda::geometric_>()
      .impl<ops::bernoulli_float_, &cuda::bernoulli_>()
      .impl<ops::bernoulli_Tensor_, &cuda::bernoulli_each_>();
  m.impl<ops::random_base_, &cuda::random_>()
      .impl<ops::random_from_, &cuda::random_from>()
      .impl<ops::random_to_, &cuda::random_to>()
      .impl<ops::randperm_generator_out, &cuda::randperm_out>()
      .impl<ops::native_dropout_base, &cuda::native_dropout>();
}
