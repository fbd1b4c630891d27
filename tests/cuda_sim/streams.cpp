// Streams, events, pinned memory and memory that several streams use, over a driver that runs them late.
#include <tenon/cuda/streams.hpp>

#include <set>
#include <thread>

#include <tenon/cuda/events.hpp>
#include <tenon/cuda/memory.hpp>
#include <tenon/cuda/runtime.hpp>
#include <tenon/tenon.hpp>

#include "driver.hpp"
#include "late.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;
namespace runtime = tenon::cuda::runtime;
using fake::driver;

namespace {

const Device kOther("cuda:1");

}  // namespace

TEST_CASE("pools give 32 streams of each priority in turn", "[cuda_runtime]") {
  fake::reset();
  std::set<std::int64_t> ids;
  std::set<void*> handles;
  for (int i = 0; i < 32; ++i) {
    cuda::Stream s = cuda::stream_from_pool();
    ids.insert(s.id);
    handles.insert(s.handle());
    CHECK(s.priority() == 0);
  }
  CHECK(ids.size() == 32);
  CHECK(handles.size() == 32);
  CHECK(handles.count(nullptr) == 0);
  CHECK(ids.count(cuda::stream_from_pool().id) == 1);
  cuda::Stream high = cuda::stream_from_pool(-1), highest = cuda::stream_from_pool(-7);
  CHECK(high.priority() == -1);
  CHECK(highest.priority() == -2);  // as far as the device goes
  CHECK(ids.count(high.id) == 0);
  CHECK(cuda::stream_from_pool(0, 1).device == kOther);
  CHECK(cuda::default_stream().handle() == nullptr);
  CHECK_ERROR(cuda::stream_from_pool(1), ValueError,
              "Expected cuda stream priority to be less than or equal to 0, got 1");
  CHECK_ERROR(cuda::stream_from_pool(0, 2), ValueError, "no device cuda:2: the process has 2 of CUDA");
  CHECK_THROWS_AS(cuda::Stream(Stream{0, kCPU}), ValueError);
}

TEST_CASE("guards make streams current and go back", "[cuda_runtime]") {
  fake::reset();
  cuda::Stream usual = cuda::current_stream(), a = cuda::stream_from_pool(), b = cuda::stream_from_pool(0, 1);
  CHECK(usual == cuda::default_stream());
  {
    cuda::StreamGuard guard(b);
    CHECK(driver().current() == 1);
    CHECK(cuda::current_stream() == b);
    CHECK(cuda::current_stream(0) == usual);
    CHECK(runtime::current_stream() == b.handle());
    CHECK(guard.original_stream() == cuda::default_stream(1));
    cuda::StreamGuard inner(a);
    CHECK(driver().current() == 0);
    CHECK(runtime::current_stream() == a.handle());
  }
  CHECK(driver().current() == 0);
  CHECK(cuda::current_stream(1) == cuda::default_stream(1));
  {
    cuda::MultiStreamGuard guard({a, b});
    CHECK(driver().current() == 0);
    CHECK(cuda::current_stream(0) == a);
    CHECK(cuda::current_stream(1) == b);
  }
  CHECK(cuda::current_stream(0) == usual);
  {
    cuda::OptionalStreamGuard guard;
    CHECK_FALSE(guard.original_stream());
    guard.reset_stream(b);
    CHECK(driver().current() == 1);
    guard.reset_stream(a);
    CHECK(driver().current() == 0);
    CHECK(cuda::current_stream(1) == cuda::default_stream(1));
    CHECK(*guard.original_stream() == usual);
  }
  CHECK(cuda::current_stream() == usual);
  cuda::set_current_stream(a);
  std::thread([&] { CHECK(cuda::current_stream(0) == usual); }).join();  // each thread has its own
  cuda::set_current_stream(usual);
  cuda::Stream external = cuda::stream_from_handle(a.handle(), 0);
  CHECK(external.handle() == a.handle());
}

TEST_CASE("what a stream was given runs later, and waiting for it runs it", "[cuda_runtime]") {
  Late late;
  cuda::Stream s = cuda::stream_from_pool();
  cuda::StreamGuard guard(s);
  Tensor x = ops::ones({4}, "device"_a = kCuda);
  CHECK(fake::pending() > 0);
  CHECK_FALSE(s.query());
  CHECK(driver().error == 0);  // not ready is no error
  s.synchronize();
  CHECK(s.query());
  Tensor y = x + 1;
  CHECK_FALSE(s.query());
  cuda::synchronize();
  CHECK(s.query());
  CHECK(ops::equal(on_cpu(y), ops::full({4}, 2.0)));
}

TEST_CASE("events order streams and measure", "[cuda_runtime]") {
  Late late;
  cuda::Stream a = cuda::stream_from_pool(), b = cuda::stream_from_pool();
  cuda::Event begin({.timed = true}), end({.timed = true}), plain;
  CHECK(plain.query());  // never recorded
  CHECK_FALSE(plain.is_created());
  plain.wait(a);
  plain.synchronize();
  begin.record(a);
  Tensor x;
  {
    cuda::StreamGuard guard(a);
    x = ops::ones({4}, "device"_a = kCuda);
    x = x * 3;
  }
  end.record(a);
  CHECK_FALSE(end.query());
  CHECK_ERROR(begin.elapsed_time(end), ValueError, "Both events must be completed before calculating elapsed time.");
  Tensor y;
  {
    cuda::StreamGuard guard(b);
    end.wait(b);
    y = x + 1;  // of what the other stream has not made yet
    b.synchronize();
  }
  CHECK(end.query());
  CHECK(begin.elapsed_time(end) > 0);
  CHECK(ops::equal(on_cpu(y), ops::full({4}, 4.0)));
  CHECK_ERROR(begin.elapsed_time(plain), ValueError, "Both events must be created with argument 'enable_timing=True'.");
  CHECK_ERROR(end.record(cuda::stream_from_pool(0, 1)), ValueError,
              "Event device 0 does not match recording stream's device 1.");
  cuda::Event moved = std::move(end);
  moved.synchronize();
  std::size_t destroyed = driver().calls("event_destroy");
  { cuda::Event gone = std::move(moved); }
  CHECK(driver().calls("event_destroy") == destroyed + 1);
}

TEST_CASE("memory that another stream uses goes to nobody before that is done", "[cuda_runtime]") {
  Late late;
  cuda::Stream side = cuda::stream_from_pool();
  Tensor x = ops::ones({100}, "device"_a = kCuda), y;
  cuda::synchronize();
  const void* data = x.data_ptr();
  {
    cuda::StreamGuard guard(side);
    y = x + 1;
  }
  x.record_stream(side);
  x = Tensor();
  CHECK(cuda::memory_stats().waiting == 512);
  Tensor other = ops::zeros({100}, "device"_a = kCuda);
  CHECK(other.data_ptr() != data);
  side.synchronize();
  Tensor next = ops::zeros({100}, "device"_a = kCuda);
  CHECK(next.data_ptr() == data);
  CHECK(cuda::memory_stats().waiting == 0);
  CHECK(ops::equal(on_cpu(y), ops::full({100}, 2.0)));
  CHECK_ERROR_CONTAINS(y.record_stream(Stream{0, kCPU}), ValueError, "expected a stream of CUDA");
  // Of a leaf that requires a gradient too: nothing is written.
  Tensor leaf = ops::ones({2}, "device"_a = kCuda).requires_grad_();
  leaf.record_stream(side);
  CHECK(leaf.is_leaf());
}

TEST_CASE("without a record the next tensor of the stream has the memory at once", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({100}, "device"_a = kCuda), y = x * 2;
  const void* data = x.data_ptr();
  x = Tensor();
  Tensor z = ops::zeros({100}, "device"_a = kCuda);
  CHECK(z.data_ptr() == data);
  CHECK(ops::equal(on_cpu(y), ops::full({100}, 2.0)));  // the stream reads before it writes
}

TEST_CASE("pinned memory is copied without a wait and kept until the copy is done", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::arange(200, "dtype"_a = kFloat);
  CHECK_FALSE(x.is_pinned());
  Tensor p = x.pin_memory();
  CHECK(p.is_pinned());
  CHECK(p.device() == kCPU);
  CHECK(ops::equal(p, x));
  CHECK(p.pin_memory().is_same(p));
  CHECK(p.slice(0, 5, 9).is_pinned());
  CHECK(driver().pinned.size() == 1);
  const void* data = p.data_ptr();
  std::size_t waits = driver().calls("synchronize");
  Tensor there = p.to("device"_a = kCuda, "non_blocking"_a = true);
  CHECK(driver().calls("synchronize") == waits);
  CHECK(fake::pending() > 0);
  p = Tensor();
  Tensor q = ops::empty({200}, "pin_memory"_a = true);
  CHECK(q.data_ptr() != data);  // the copy has not read it
  ops::copy_(q, there, true);
  CHECK(driver().calls("synchronize") == waits);
  cuda::synchronize();
  CHECK(ops::equal(q, x));
  Tensor r = ops::empty({200}, "pin_memory"_a = true);
  CHECK(r.data_ptr() == data);
  CHECK(cuda::pinned_memory_stats().in_use == 2048);
  // Of other memory a copy waits, whatever was asked for.
  Tensor s = x.to("device"_a = kCuda, "non_blocking"_a = true);
  CHECK(driver().calls("synchronize") == waits + 1);
  Tensor doubles = ops::empty({200}, "dtype"_a = kDouble, "pin_memory"_a = true);
  ops::copy_(doubles, there, true);  // converted on the device
  cuda::synchronize();
  CHECK(ops::equal(doubles, x.to(kDouble)));
  CHECK_ERROR(ops::empty({2}, "device"_a = kCuda, "pin_memory"_a = true), ValueError,
              "Only dense CPU tensors can be pinned");
  CHECK_THROWS_AS(there.pin_memory(), ValueError);
  Tensor g = ops::ones({3}).requires_grad_();
  ops::sum(g.pin_memory() * 2).backward();
  CHECK(ops::equal(g.grad(), ops::full({3}, 2.0)));
}

TEST_CASE("pinned memory that the driver refuses is an error of memory", "[cuda_runtime]") {
  fake::reset();
  cuda::empty_cache();
  driver().fails["host_alloc"] = 2;  // once: what is kept goes back first
  Tensor p = ops::empty({2}, "pin_memory"_a = true);
  CHECK(p.is_pinned());
  driver().lost = true;
  CHECK_THROWS_AS(runtime::allocate_pinned(100000), Error);
  driver().lost = false;
  driver().devices = 0;
  CHECK_ERROR_CONTAINS(ops::empty({2}, "pin_memory"_a = true), ValueError, "the process has 0 of CUDA");
  fake::reset();
}

TEST_CASE("copies between devices keep the order of both streams", "[cuda_runtime]") {
  Late late;
  Tensor x = ops::ones({2, 3}, "device"_a = kCuda) * 5;
  Tensor y = x.to(kOther, kFloat);
  CHECK(y.device() == kOther);
  Tensor z = y + 1;
  CHECK(z.device() == kOther);
  CHECK(driver().calls("memcpy_peer") == 1);
  x.fill_(0.0);  // behind the copy
  CHECK(ops::equal(on_cpu(z), ops::full({2, 3}, 6.0)));
  Tensor wide = ops::zeros({2, 2, 3}, "dtype"_a = kDouble, "device"_a = kCuda);
  ops::copy_(wide.transpose(1, 2), y.transpose(0, 1));
  CHECK(ops::equal(on_cpu(wide), ops::full({2, 2, 3}, 5.0, "dtype"_a = kDouble)));
  CHECK_ERROR_CONTAINS(ops::add(x, y), ValueError, "Expected all tensors to be on the same device");
  CHECK(driver().current() == 0);
}
