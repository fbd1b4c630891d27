// Streams, events, graphs and pinned memory as programs use them: over the driver of the test, and on a real device.
#include <vector>

#include <tenon/cuda/events.hpp>
#include <tenon/cuda/graphs.hpp>
#include <tenon/cuda/memory.hpp>
#include <tenon/tenon.hpp>

#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

TEST_CASE("kernels of two streams wait for each other by events", "[on_cuda]") {
  cuda::Stream a = cuda::stream_from_pool(), b = cuda::stream_from_pool(-1);
  cuda::Event made, begin({.timed = true}), end({.timed = true});
  Tensor x, y;
  {
    cuda::StreamGuard guard(a);
    begin.record();
    x = ops::ones({1000, 100}, "device"_a = kCuda);
    for (int i = 0; i < 20; ++i) x = x + 1;
    end.record();
    made.record();
  }
  {
    cuda::StreamGuard guard(b);
    made.wait(b);
    y = x * 2;
    x.record_stream(b);
  }
  x = Tensor();
  b.synchronize();
  end.synchronize();
  CHECK((made.query() && b.query()));
  CHECK(begin.elapsed_time(end) > 0);
  CHECK(ops::equal(on_cpu(y), ops::full({1000, 100}, 42.0)));
}

TEST_CASE("pinned memory is copied without a wait, both ways", "[on_cuda]") {
  Tensor x = waves({1 << 16}, 0.37), p = x.pin_memory(), back = ops::empty({1 << 16}, "pin_memory"_a = true);
  CHECK((p.is_pinned() && back.is_pinned()));
  Tensor there = p.to("device"_a = kCuda, "non_blocking"_a = true);
  p = Tensor();  // the copy may not have read it
  Tensor next = ops::zeros({1 << 16}).pin_memory();
  ops::copy_(back, there + 1, true);
  cuda::synchronize();
  CHECK(ops::allclose(back, x + 1));
  CHECK(ops::equal(on_cpu(there), x));
}

TEST_CASE("a captured step of training does on new inputs what the eager one does", "[on_cuda]") {
  struct Net {
    Tensor w1, w2;
    explicit Net(Device device) : w1(waves({6, 5}, 0.7).to(device, kFloat)), w2(waves({3, 6}, 1.1).to(device, kFloat)) {
      w1.requires_grad_();
      w2.requires_grad_();
    }
    Tensor step(const Tensor& x, const Tensor& classes) {
      Tensor loss = ops::cross_entropy_loss(ops::linear(ops::relu(ops::linear(x, w1)), w2), classes);
      loss.backward();
      NoGradGuard none;
      for (Tensor* p : {&w1, &w2}) {
        p->sub_(p->grad(), 0.5);
        p->grad().zero_();
      }
      return loss.detach();
    }
  };
  Net here(kCPU), there(kCuda);
  Tensor x = waves({4, 5}, 0.37), classes = ops::remainder(ops::arange(4), 3);
  Tensor input = x.to(kCuda, kFloat), targets = classes.to(kCuda, kLong), loss;
  here.step(x, classes);
  there.step(input, targets);
  cuda::Graph graph;
  cuda::capture(graph, [&] { loss = there.step(input, targets); });
  for (int i = 0; i < 5; ++i) {
    Tensor next = waves({4, 5}, 0.4 + 0.1 * i);
    ops::copy_(input, next);
    graph.replay();
    CHECK(on_cpu(loss).item<float>() == Approx(here.step(next, classes).item<float>()).epsilon(1e-3));
  }
  CHECK(ops::allclose(on_cpu(there.w1), here.w1.detach(), 1e-3, 1e-4));
}

TEST_CASE("replays draw the numbers that calls draw, and what cannot be captured is told", "[on_cuda]") {
  cuda::Graph graph, other;
  Tensor a, x = ops::ones({4}, "device"_a = kCuda);
  cuda::capture(graph, [&] { a = ops::rand({1000}, "device"_a = kCuda); });
  manual_seed(11);
  Tensor first = on_cpu(ops::rand({1000}, "device"_a = kCuda)), second = on_cpu(ops::rand({1000}, "device"_a = kCuda));
  manual_seed(11);
  graph.replay();
  CHECK(ops::equal(on_cpu(a), first));
  graph.replay();
  CHECK(ops::equal(on_cpu(a), second));
  CHECK_THROWS_AS(cuda::capture(other, [&] { (void)x.sum().item<float>(); }), Error);
  CHECK(ops::equal(on_cpu(x + 1), ops::full({4}, 2.0)));  // nothing of it is left
}

TEST_CASE("memory is kept, counted, and given back", "[on_cuda]") {
  cuda::synchronize();
  cuda::empty_cache();
  std::size_t before = cuda::memory_stats().held();
  { Tensor t = ops::zeros({1 << 20}, "device"_a = kCuda); }
  CHECK(cuda::memory_stats().kept >= std::size_t{4} << 20);
  CHECK_THROWS_AS(ops::empty({std::int64_t{1} << 45}, "device"_a = kCuda), OutOfMemoryError);
  CHECK(ops::equal(on_cpu(ops::ones({8}, "device"_a = kCuda)), ops::ones({8})));
  cuda::empty_cache();
  CHECK(cuda::memory_stats().held() == before);
}
