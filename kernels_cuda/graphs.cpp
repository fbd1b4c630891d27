// Graphs of captured work.
#include "graph_calls.hpp"

#include <atomic>
#include <cstring>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/runtime.hpp>

#include "runtime_state.hpp"

namespace tenon::cuda {
namespace {

struct Graph {
  std::int8_t device = 0;
  void* stream = nullptr;  ///< that it is captured on
  void* executable = nullptr;
  std::uint64_t pool = 0;
  bool holds_pool = false;
  std::uint64_t* random = nullptr;  ///< the seed and the offset, on the device
  GraphRandom counts{};
  Uses replays{};  ///< streams that it was replayed on
};
Graph*& captured() {
  thread_local Graph* graph = nullptr;
  return graph;
}
std::atomic<void (*)(std::uint64_t, std::uint64_t (&)[2])> random_source{nullptr};

/// Two words of the device, by a kernel that they come with: no memory of the host must last until it runs.
void set_words(std::uint64_t* to, const std::uint64_t (&words)[2]) {
  CopyCall call;
  Elementwise& c = call.elements;
  c.operands = 2;
  c.dense = true;
  c.at[0].data = reinterpret_cast<char*>(to);
  c.at[0].dtype = c.at[1].dtype = kComplexDouble;  // of 16 bytes
  std::memcpy(c.at[1].element, words, sizeof words);
  copy(call, runtime::current_stream());
  runtime::check_launch("replay");
}

/// Gives back what the graph holds; its work is done.
void clear(Graph& g) noexcept {
  if (g.executable && cudart().executable_destroy(g.executable)) cudart().last_error();
  if (g.random) device_memory().give(g.random);
  if (g.holds_pool && device_memory().end_graph(g.pool)) pinned_memory().end_graphs(g.pool);
  g = Graph{};
}

}  // namespace

void* graph_create() { return new Graph; }
void graph_destroy(void* graph) {
  auto* g = static_cast<Graph*>(graph);
  if (captured() == g) {
    // It ends before its capture does.
    void* made = nullptr;
    captured() = nullptr;
    if (cudart().capture_end(g->stream, &made)) cudart().last_error();
    if (made) cudart().graph_destroy(made);
    device_memory().end_capture();
  }
  if (g->replays.any()) {
    // A replay may still run. Other streams are not waited for: one of them may be captured, which no wait allows.
    MayTakeMemory allowed;
    g->replays.mark();
    g->replays.wait();
  }
  clear(*g);
  delete g;
}
void graph_begin(void* graph, std::uint64_t pool) {
  Graph& g = *static_cast<Graph*>(graph);
  TENON_CHECK(!g.holds_pool, ValueError, "This CUDAGraph instance already owns a captured graph. To capture a new ",
              "graph, create a new instance.");
  TENON_CHECK(!captured(), ValueError, "this thread captures another graph");
  void* stream = runtime::current_stream();
  TENON_CHECK(stream, ValueError,
              "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them "
              "on the default stream.)");
  g.device = runtime::current_device();
  g.stream = stream;
  g.random = static_cast<std::uint64_t*>(runtime::allocate(2 * sizeof(std::uint64_t)));
  g.counts = {g.random, 0};
  g.pool = device_memory().begin_capture(pool);
  g.holds_pool = true;
  // A call of another thread that could not be captured is no business of this one.
  if (int error = cudart().capture_begin(stream, 1)) {
    device_memory().end_capture();
    clear(g);
    check(error, "capture_begin");
  }
  captured() = &g;
}
void graph_end(void* graph) {
  Graph& g = *static_cast<Graph*>(graph);
  TENON_CHECK(captured() == &g, ValueError, "capture_end(): this thread does not capture the graph");
  captured() = nullptr;
  void* made = nullptr;
  int error = cudart().capture_end(g.stream, &made);
  device_memory().end_capture();
  if (error == 0) error = cudart().graph_instantiate(&g.executable, made);
  if (made) cudart().graph_destroy(made);
  if (error) {
    g.executable = nullptr;
    clear(g);
    check(error, "capture_end");
  }
}
void graph_replay(void* graph) {
  Graph& g = *static_cast<Graph*>(graph);
  TENON_CHECK(g.executable, ValueError, "Called CUDAGraph::replay without a preceding successful capture.");
  OnDevice guard(g.device);
  if (auto source = random_source.load(); source && g.counts.drawn) {
    std::uint64_t state[2];
    source(g.counts.drawn, state);
    set_words(g.random, state);
  }
  check(cudart().graph_launch(g.executable, runtime::current_stream()), "replay");
  g.replays.add(g.device, runtime::current_stream());
}
std::uint64_t graph_pool(void* graph) { return static_cast<Graph*>(graph)->pool; }

namespace runtime {
bool is_capturing() { return captured() != nullptr; }
GraphRandom* graph_random() { return captured() ? &captured()->counts : nullptr; }
void set_random_source(void (*source)(std::uint64_t, std::uint64_t (&)[2])) { random_source = source; }
}  // namespace runtime

}  // namespace tenon::cuda
