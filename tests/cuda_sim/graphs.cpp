// Graphs: work that is captured once and done again, over a driver that runs streams late.
#include <tenon/cuda/graphs.hpp>

#include <vector>

#include <tenon/cuda/events.hpp>
#include <tenon/cuda/memory.hpp>
#include <tenon/tenon.hpp>

#include "driver.hpp"
#include "late.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;
using fake::driver;

namespace {

/// Two layers, and a step of gradient descent on the cross entropy of their answer.
struct Net {
  Tensor w1, b1, w2, b2;
  explicit Net(Device device)
      : w1(waves({6, 5}, 0.7).to(device, kFloat)),
        b1(waves({6}, 0.3).to(device, kFloat)),
        w2(waves({3, 6}, 1.1).to(device, kFloat)),
        b2(waves({3}, 0.9).to(device, kFloat)) {
    for (Tensor* p : all()) p->requires_grad_();
  }
  std::vector<Tensor*> all() { return {&w1, &b1, &w2, &b2}; }
  Tensor step(const Tensor& x, const Tensor& classes) {
    Tensor h = ops::relu(ops::linear(x, w1, b1));
    Tensor loss = ops::cross_entropy_loss(ops::linear(h, w2, b2), classes);
    loss.backward();
    NoGradGuard none;
    for (Tensor* p : all()) {
      p->sub_(p->grad(), 0.5);
      p->grad().zero_();
    }
    return loss.detach();
  }
};

}  // namespace

TEST_CASE("a captured training step is the eager one, on new inputs each time", "[cuda_runtime]") {
  Late late;
  Net here(kCPU), there(kCuda);
  Tensor x = waves({4, 5}, 0.37), classes = ops::remainder(ops::arange(4), 3);
  Tensor input = x.to(kCuda, kFloat), targets = classes.to(kCuda, kLong);
  // The gradients are made before the capture, as those of a step that went before.
  here.step(x, classes);
  there.step(input, targets);
  cuda::Graph graph;
  Tensor loss;
  cuda::capture(graph, [&] {
    CHECK(cuda::is_capturing());
    loss = there.step(input, targets);
  });
  CHECK_FALSE(cuda::is_capturing());
  std::size_t calls = driver().log.size();
  for (int i = 0; i < 5; ++i) {
    Tensor next = waves({4, 5}, 0.37 + 0.1 * i);
    ops::copy_(input, next);
    graph.replay();
    Tensor expected = here.step(next, classes);
    CHECK(on_cpu(loss).item<float>() == Approx(expected.item<float>()).epsilon(1e-4));
  }
  CHECK(driver().log.size() - calls < 5 * 25);  // one launch for a step of dozens of kernels
  CHECK(driver().calls("graph_launch") == 5);
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(ops::allclose(on_cpu(there.all()[k]->detach()), here.all()[k]->detach(), 1e-4, 1e-5));
}

TEST_CASE("memory of a graph is its own until it ends", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({50}, "device"_a = kCuda);
  std::size_t before = cuda::memory_stats().in_use;
  {
    cuda::Graph graph, second;
    Tensor y;
    const void* between = nullptr;
    cuda::capture(graph, [&] {
      Tensor t = x + 1;
      between = t.data_ptr();
      y = t * 2;
    });
    CHECK(graph.pool() != 0);
    for (int i = 0; i < 4; ++i) {
      cuda::StreamGuard guard(cuda::stream_from_pool());
      CHECK(ops::empty({50}, "device"_a = kCuda).data_ptr() != between);  // it ended, and is written by each replay
    }
    graph.replay();
    CHECK(ops::equal(on_cpu(y), ops::full({50}, 4.0)));
    Tensor z;
    cuda::capture(
        second, [&] { z = y + 1; }, graph.pool());
    CHECK(second.pool() == graph.pool());
    second.replay();
    CHECK(ops::equal(on_cpu(z), ops::full({50}, 5.0)));
    graph = cuda::Graph();  // the pool lives on with the second
    second.replay();
    CHECK(ops::equal(on_cpu(z), ops::full({50}, 5.0)));
  }
  CHECK(cuda::memory_stats().in_use == before);
  cuda::empty_cache();
  CHECK(cuda::memory_stats().kept == 0);
}

TEST_CASE("replays draw the random numbers of calls", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({1000}, "device"_a = kCuda);
  cuda::Graph graph;
  Tensor a, b;
  cuda::capture(graph, [&] {
    a = ops::dropout(x, 0.5, true);
    b = ops::rand({1000}, "device"_a = kCuda);
  });
  manual_seed(11);
  std::vector<Tensor> eager, replayed;
  for (int i = 0; i < 2; ++i) {
    eager.push_back(on_cpu(ops::dropout(x, 0.5, true)));
    eager.push_back(on_cpu(ops::rand({1000}, "device"_a = kCuda)));
  }
  Tensor after = on_cpu(ops::rand({10}, "device"_a = kCuda));
  manual_seed(11);
  std::size_t copies = driver().calls("memcpy");
  graph.replay();
  CHECK(driver().calls("memcpy") == copies);  // the seed comes with a kernel: the host's memory is free at once
  manual_seed(11);
  for (int i = 0; i < 2; ++i) {
    graph.replay();
    replayed.push_back(on_cpu(a));
    replayed.push_back(on_cpu(b));
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK(ops::equal(eager[i], replayed[i]));
  CHECK_FALSE(ops::equal(replayed[1], replayed[3]));
  CHECK(ops::equal(on_cpu(ops::rand({10}, "device"_a = kCuda)), after));
}

TEST_CASE("a capture takes in streams that wait for it, and needs them back", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({8}, "device"_a = kCuda), y, z;
  auto body = [&](bool joins) {
    cuda::Stream main = cuda::current_stream(), side = cuda::stream_from_pool();
    cuda::Event forked, joined;
    forked.record(main);
    forked.wait(side);
    {
      cuda::StreamGuard guard(side);
      y = x + 2;
    }
    joined.record(side);
    if (joins) joined.wait(main);
    z = y * 3;
  };
  cuda::Graph graph, bad;
  cuda::capture(graph, [&] { body(true); });
  graph.replay();
  CHECK(ops::equal(on_cpu(z), ops::full({8}, 9.0)));
  CHECK_ERROR(cuda::capture(bad, [&] { body(false); }), Error,
              "capture_end: CUDA error: capturing stream has unjoined work");
}

TEST_CASE("what cannot be captured is told, and the next capture works", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({8}, "device"_a = kCuda), y;
  cuda::Graph graph;
  CHECK_ERROR_CONTAINS(graph.replay(), ValueError, "Called CUDAGraph::replay without a preceding successful capture.");
  CHECK_ERROR_CONTAINS(graph.capture_begin(), ValueError, "must be captured on a non-default stream");
  CHECK_ERROR_CONTAINS(cuda::capture(graph, [&] { (void)x.select(0, 0).item<float>(); }), Error,
                       "operation not permitted when stream is capturing");
  CHECK(driver().error == 0);
  CHECK_FALSE(cuda::is_capturing());
  driver().fails["capture_begin"] = 46;
  CHECK_THROWS_TEXT(cuda::capture(graph, [] {}), "capture_begin: CUDA error: lost device");
  driver().fails["graph_instantiate"] = 46;
  CHECK_THROWS_TEXT(cuda::capture(graph, [&] { y = x + 1; }), "capture_end: CUDA error: lost device");
  cuda::capture(graph, [&] {
    y = x + 1;
    cuda::Graph other;
    CHECK_ERROR_CONTAINS(other.capture_begin(), ValueError, "this thread captures another graph");
  });
  CHECK_ERROR_CONTAINS(cuda::capture(graph, [] {}), ValueError, "already owns a captured graph");
  graph.replay();
  CHECK(ops::equal(on_cpu(y), ops::full({8}, 2.0)));
}

TEST_CASE("memory that other streams use waits for the end of a capture too", "[cuda_runtime]") {
  Late late;
  cuda::Stream side = cuda::stream_from_pool();
  Tensor x = ops::ones({100}, "device"_a = kCuda), y;
  x.record_stream(side);
  cuda::synchronize();
  cuda::Graph graph;
  cuda::capture(graph, [&] {
    x = Tensor();  // no event of it becomes part of the graph
    y = ops::ones({100}, "device"_a = kCuda);
  });
  CHECK(cuda::memory_stats().waiting == 512);
  fake::finish();
  Tensor z = ops::ones({100}, "device"_a = kCuda);
  fake::finish();
  z = ops::ones({100}, "device"_a = kCuda);
  CHECK(cuda::memory_stats().waiting == 0);
}

TEST_CASE("pinned memory of a captured copy is the graph's until it ends", "[cuda_runtime]") {
  Late late;
  Tensor there = ops::zeros({100}, "device"_a = kCuda), before = ops::ones({100}).pin_memory();
  ops::copy_(there, before, true);
  before = Tensor();  // its copy is not done when the capture begins, and no event is asked for it then
  const void* host = nullptr;
  {
    cuda::Graph graph, second;
    cuda::capture(graph, [&] {
      Tensor ones = ops::ones({100}).pin_memory();
      host = ones.data_ptr();
      ops::copy_(there, ones, true);
      CHECK(ops::empty({300}, "pin_memory"_a = true).is_pinned());
    });
    Tensor other = ops::full({100}, 3.0).pin_memory();
    CHECK(other.data_ptr() != host);
    cuda::capture(second, [&] { ops::copy_(there, other, true); });
    graph.replay();
    CHECK(ops::equal(on_cpu(there), ops::ones({100})));
    second.replay();
    CHECK(ops::equal(on_cpu(there), ops::full({100}, 3.0)));
    second = cuda::Graph();
    CHECK(ops::full({100}, 4.0).pin_memory().data_ptr() != host);
    graph.replay();
    CHECK(ops::equal(on_cpu(there), ops::ones({100})));
  }
  CHECK(ops::empty({100}, "pin_memory"_a = true).data_ptr() == host);
  cuda::empty_cache();
  CHECK(driver().pinned.empty());
}

TEST_CASE("a graph ends behind its replays while another one is captured", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({8}, "device"_a = kCuda), y, z;
  cuda::Graph first, second;
  cuda::capture(first, [&] { y = x + 1; });
  {
    cuda::StreamGuard guard(cuda::stream_from_pool());
    second.capture_begin();
    {
      cuda::StreamGuard usual(cuda::default_stream());
      first.replay();
    }
    CHECK(fake::pending() > 0);
    first = cuda::Graph();
    CHECK(fake::pending() == 0);
    z = x * 3;
    second.capture_end();
  }
  second.replay();
  CHECK(ops::equal(on_cpu(y), ops::full({8}, 2.0)));
  CHECK(ops::equal(on_cpu(z), ops::full({8}, 3.0)));
}

TEST_CASE("a graph that ends while it is captured leaves nothing behind", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({8}, "device"_a = kCuda), y;
  {
    cuda::StreamGuard guard(cuda::stream_from_pool());
    cuda::Graph lost;
    lost.capture_begin();
    y = x + 1;
  }
  CHECK_FALSE(cuda::is_capturing());
  cuda::Graph graph;
  cuda::capture(graph, [&] {
    cuda::empty_cache();  // what is kept stays: the driver takes nothing back now
    y = x + 2;
  });
  graph.replay();
  CHECK(ops::equal(on_cpu(y), ops::full({8}, 3.0)));
  y = Tensor();
  graph = cuda::Graph();
  cuda::empty_cache();
  CHECK(cuda::memory_stats().kept == 0);
}
