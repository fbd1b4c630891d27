// Graphs: work that is told once, kept, and given to a device again and again by one call.
#pragma once
#include <utility>

#include <tenon/cuda/streams.hpp>

namespace tenon::cuda {

/// Kernels and copies that one thread gave to one stream between two calls. A replay does them again, on the same
/// memory: inputs are changed by copying into the tensors of the capture, results are those tensors.
///
/// Memory taken while a graph is captured is its own until it ends, so tensors of the capture may end before. What
/// waits for the device cannot be captured, and operators that check elements there (indices, classes, probabilities)
/// do not check. Random numbers go on from replay to replay as they do from call to call. Numbers that the host
/// counts, as the step of an optimiser, are captured as they are.
class Graph {
 public:
  Graph() : graph_(detail::runtime_calls().graph_create()) {}
  Graph(Graph&& o) noexcept : graph_(std::exchange(o.graph_, nullptr)) {}
  Graph& operator=(Graph&& o) noexcept {
    std::swap(graph_, o.graph_);
    return *this;
  }
  ~Graph() {
    if (graph_) detail::runtime_calls().graph_destroy(graph_);
  }
  /// From here on the current stream, which must not be the default one, keeps what it is given and does not do it.
  /// With the pool of another graph memory is shared with that; the two must then never run at a time.
  /// Errors: ValueError for the default stream and for a second capture.
  void capture_begin(std::uint64_t pool = 0) { detail::runtime_calls().graph_begin(graph_, pool); }
  /// On the stream that it began on.
  void capture_end() { detail::runtime_calls().graph_end(graph_); }
  /// Gives all of it to the current stream.
  void replay() { detail::runtime_calls().graph_replay(graph_); }
  std::uint64_t pool() const { return detail::runtime_calls().graph_pool(graph_); }

 private:
  void* graph_;
};

/// Whether this thread captures a graph.
inline bool is_capturing() { return detail::runtime_calls().is_capturing(); }

/// Captures what a function gives to the device on a stream of the pool, when the device has done all else.
template <class F>
void capture(Graph& graph, F body, std::uint64_t pool = 0) {
  synchronize();
  StreamGuard guard(stream_from_pool());
  graph.capture_begin(pool);
  try {
    body();
  } catch (...) {
    try {
      graph.capture_end();
    } catch (const Error&) {}  // what was captured is no graph
    throw;
  }
  graph.capture_end();
}

}  // namespace tenon::cuda
