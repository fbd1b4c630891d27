// An operator whose result comes later: it returns a future, in its schema and in C++.
#include <iostream>
#include <thread>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

std::thread worker;

/// Reads a batch in another thread.
Future<Tensor> load(std::int64_t size) {
  Future<Tensor> batch;
  worker = std::thread([batch, size] {
    if (size < 0)
      batch.set_error(std::make_exception_ptr(ValueError("load(): expected a size, got a negative number")));
    else
      batch.mark_completed(ops::arange(size));
  });
  return batch;
}

}  // namespace

TENON_LIBRARY(example, m) { m.def("load", &load); }

int main() {
  auto op = Registry::get().find("example::load")->handle();
  std::cout << to_string(op.schema()) << "\n";

  // Typed: what is done with the batch is said before it is there.
  Future<Tensor> batch = op.typed<Future<Tensor>(std::int64_t)>().call(4);
  auto sum = batch.then([](const Future<Tensor>& f) { return f.value().sum().item().to<double>(); });
  std::cout << "sum " << sum.get() << "\n";
  worker.join();

  // Boxed: the same object, and an error goes to who asks for the value.
  Stack stack{Value(-1)};
  op.call_boxed(stack);
  worker.join();
  std::cout << to_string(stack[0]) << "\n";

  // What nobody waits for is never computed.
  Await<Tensor> later([] { return ops::ones({2, 2}); });
  std::cout << to_string(Value(later)) << ", ";
  std::cout << later.wait().numel() << " elements\n";
}

// Prints:
// example::load(int _0) -> Future(Tensor)
// sum 6
// <Future(Tensor): error: load(): expected a size, got a negative number>
// <Await(Tensor): not yet run>, 4 elements
