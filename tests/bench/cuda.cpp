// Rows of a CUDA device, in microseconds, by the names of ../shared/peer/torch_bench_cuda.py: time of the device
// between events around batches of calls, `launch` and `train` by the host's clock. main() runs them for --device cuda.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <tenon/cuda/events.hpp>
#include <tenon/cuda/graphs.hpp>
#include <tenon/cuda/products.hpp>
#include <tenon/cuda/streams.hpp>
#include <tenon/tenon.hpp>

#include "cuda_rows.hpp"
#include "row.hpp"

using namespace tenon;

namespace {

constexpr int kRepeats = 15;
void print(const char* name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%-34s %14.3f %14.3f\n", name, times.front(), times[times.size() / 2]);
  std::fflush(stdout);
  ++bench::rows;
}
bool is_wanted(const char* name) { return !bench::only || std::strstr(name, bench::only); }

template <class F>
void device_row(const char* name, F f, int batch = 20) {
  if (!is_wanted(name)) return;
  for (int i = 0; i < 3; ++i) f();
  cuda::synchronize();
  std::vector<double> times;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    cuda::Event from({.timed = true}), to({.timed = true});
    from.record(cuda::current_stream());
    for (int i = 0; i < batch; ++i) f();
    to.record(cuda::current_stream());
    to.synchronize();
    times.push_back(from.elapsed_time(to) * 1000 / batch);
  }
  print(name, times);
}
template <class F>
void host_row(const char* name, F f, int batch = 2000) {
  if (!is_wanted(name)) return;
  for (int i = 0; i < 50; ++i) f();
  cuda::synchronize();
  std::vector<double> times;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; ++i) f();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
                    batch);
    cuda::synchronize();
  }
  print(name, times);
}

void train_rows() {
  auto net = nn::Sequential(nn::Linear(64, 128), nn::ReLU(), nn::Linear(128, 10));
  nn::to(net, kCUDA);
  optim::SGD sgd(nn::parameters(net), {.lr = 0.01, .momentum = 0.9});
  Tensor x = ops::rand({64, 64}, "device"_a = kCUDA), classes = ops::randint(10, {64}, "device"_a = kCUDA);
  auto step = [&] {
    sgd.zero_grad(false);
    nn::functional::cross_entropy(net(x), classes).backward();
    sgd.step();
  };
  host_row(
      "gpu/train/mlp_b64",
      [&] {
        step();
        cuda::synchronize();
      },
      200);
  if (!is_wanted("gpu/train/mlp_b64_graph")) return;
  for (int i = 0; i < 3; ++i) step();
  cuda::Graph graph;
  cuda::capture(graph, step);
  host_row(
      "gpu/train/mlp_b64_graph",
      [&] {
        graph.replay();
        cuda::synchronize();
      },
      200);
}

}  // namespace

int bench_cuda() {
  if (!cuda::is_available()) {
    std::puts("SKIPPED: no device of CUDA");
    return 77;
  }
  std::printf("# tenon, CUDA %s\n", std::string(cuda::version().value_or("")).c_str());
  manual_seed(0);
  NoGradGuard no_grad;
  auto random = [](std::initializer_list<std::int64_t> sizes) {
    return ops::rand(IntArrayRef(sizes), "device"_a = kCUDA);
  };
  if (bench_launch_nothing) host_row("gpu/launch/nothing", [] { bench_launch_nothing(nullptr); });
  Tensor a16 = random({16}), b16 = random({16}), o16 = random({16});
  host_row("gpu/launch/add_16", [&] { (void)ops::add(a16, b16); });
  host_row("gpu/launch/add_out_16", [&] { ops::add(a16, b16, "out"_a = o16); });
  constexpr std::int64_t n = 1 << 26;  // 256 MiB of float
  Tensor a = random({n}), b = random({n}), o = random({n});
  device_row("gpu/copy_256m", [&] { ops::copy_(o, a); });
  device_row("gpu/add_out_256m", [&] { ops::add(a, b, "out"_a = o); });
  device_row("gpu/add_256m", [&] { (void)ops::add(a, b); });
  device_row("gpu/exp_out_256m", [&] { ops::exp(a, "out"_a = o); });
  device_row("gpu/chain_256m", [&] { (void)bench_gate.sum()(a, b); });
  device_row("gpu/sum_256m", [&] { (void)ops::sum(a); });
  Tensor m = ops::view(a, {8192, 8192}), mo = ops::view(o, {8192, 8192});
  device_row("gpu/sum_dim0_8192", [&] { (void)ops::sum(m, {0}); });
  device_row("gpu/softmax_8192", [&] { (void)ops::softmax(m, 1); });
  device_row("gpu/layer_norm_8192", [&] { (void)ops::layer_norm(m, {8192}); });
  device_row("gpu/transpose_copy_8192", [&] { ops::copy_(mo, m.t()); });
  device_row(
      "gpu/cumsum_256m", [&] { (void)ops::cumsum(a, 0); }, 5);
  Tensor k = random({1 << 24});
  device_row(
      "gpu/sort_16m", [&] { (void)ops::sort(k); }, 5);
  Tensor places = ops::randint(8192, {8192}, "device"_a = kCUDA);
  device_row("gpu/index_select_8192", [&] { (void)ops::index_select(m, 0, places); });
  Tensor p = random({4096, 4096}), q = random({4096, 4096});
  device_row(
      "gpu/gemm_f32_4096", [&] { (void)ops::mm(p, q); }, 5);
  cuda::set_allow_tf32(true);
  device_row(
      "gpu/gemm_tf32_4096", [&] { (void)ops::mm(p, q); }, 10);
  cuda::set_allow_tf32(false);
  Tensor ph = random({8192, 8192}).to(kBFloat16), qh = random({8192, 8192}).to(kBFloat16);
  device_row(
      "gpu/gemm_bf16_8192", [&] { (void)ops::mm(ph, qh); }, 10);
  {
    AutoGradMode recording(true);
    train_rows();
  }
  return bench::rows == 0;
}
