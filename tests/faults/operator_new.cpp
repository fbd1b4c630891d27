// Every operator, and the library's other public entries, where `operator new` itself fails at the n-th call, n = 1 and
// on until there is enough: std::bad_alloc or an error of the library, nothing that was there before is changed, and
// the next call finds everything in order.
#include <catch.hpp>

#include <cstdlib>
#include <new>
#include <sstream>

#include <tenon/tenon.hpp>

#include <tenon/data/npy.hpp>
#include <tenon/func.hpp>
#include <tenon/profiler.hpp>

#include "../ops/scarce.hpp"

namespace {
/// Of the thread: how many allocations may be made (below 0: any number), and how many were asked for.
thread_local int left = -1, made = 0;

void* take(std::size_t bytes, std::size_t alignment) {
  ++made;
  if (left == 0) return nullptr;
  if (left > 0) --left;
  return alignment > alignof(std::max_align_t)
             ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
             : std::malloc(bytes ? bytes : 1);
}
void* demand(std::size_t bytes, std::size_t alignment) {
  if (void* memory = take(bytes, alignment)) return memory;
  throw std::bad_alloc();
}
// Not inlined: GCC would take the pair of `operator new` and `free` for a mistake.
[[gnu::noinline]] void give(void* memory) { std::free(memory); }
}  // namespace

// Those of arrays and of sizes end here, by the standard.
void* operator new(std::size_t bytes) { return demand(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t a) { return demand(bytes, static_cast<std::size_t>(a)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return take(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { give(memory); }
void operator delete(void* memory, std::size_t) noexcept { give(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give(memory); }

using namespace test;

namespace {

class Scarce {
 public:
  explicit Scarce(int count) {
    left = count;
    ::made = 0;
  }
  Scarce(const Scarce&) = delete;
  ~Scarce() { end(); }
  void end() { left = -1; }
  int made() const { return ::made; }
};

/// Calls `entry` with ever more memory until it succeeds; `is_intact` is asked after each failure.
template <class Entry, class Intact>
void try_all(const char* name, Entry entry, Intact is_intact) {
  INFO(name);
  int count = 0;
  std::string wrong;
  for (bool finished = false; !finished && count < 20000; ++count) {
    {
      Scarce memory(count);
      try {
        entry();
        finished = true;
      } catch (const std::bad_alloc&) {
      } catch (const Error&) {}
    }
    if (!finished && !is_intact()) {
      wrong = concat("changed something after ", count, " allocations");
      break;
    }
  }
  CHECK(wrong == "");
  CHECK(count < 20000);
}

Tensor twice(const Tensor& self) { return self + self; }

}  // namespace

TEST_CASE("an operator without memory from operator new throws, and its arguments are as they were", "[faults]") {
  int calls = 0;
  CHECK(scarce::walk<Scarce>(calls, 2000) == "");
  CHECK(calls > 3000);
}

TEST_CASE("the other public entries throw without memory and change nothing", "[faults]") {
  Tensor x = tensor({{1.0, 2.0}, {3.0, -4.0}}), y = tensor({{0.5, 1.5}, {2.5, 3.5}});
  scarce::Picture of_x(x), of_y(y);
  auto same = [&] { return of_x.is_unchanged() && of_y.is_unchanged(); };
  auto always = [] { return true; };

  // Tensors, numbers, text.
  try_all(
      "tensor()",
      [] {
        tensor({{1.0, 2.0}, {3.0, 4.0}});
      },
      always);
  try_all(
      "add", [&] { ops::add(x, y); }, same);
  try_all(
      "matmul", [&] { ops::matmul(x, y); }, same);
  try_all(
      "indexing",
      [&] {
        x.index({Slice(0, 1), 1});
      },
      same);
  try_all(
      "writing to a part", [&] { x.index({0}).clone().index_put_({0}, 3.0); }, same);
  try_all(
      "printing", [&] { std::ostringstream() << x; }, same);
  try_all(
      "einsum",
      [&] {
        ops::einsum("ij,jk->ik", std::vector<Tensor>{x, y});
      },
      same);
  try_all(
      "a tensor's text", [&] { concat(x.sizes(), x.dtype()); }, same);

  // Schemas, boxed values and operators by name.
  const char* text = "faults::f(Tensor(a!) self, int[2] sizes=[1, 2], *, str? mode=None) -> (Tensor(a!), Tensor[])";
  try_all(
      "a schema", [&] { schema::FunctionSchema::parse(text); }, always);
  try_all(
      "boxed values",
      [&] {
        Value::list({Value(1), Value("two"), Value(x)});
      },
      same);
  try_all(
      "a boxed call",
      [&] {
        Stack stack{x, y, 2};
        OperatorHandle(Registry::get().find("aten::add.Tensor")).call_boxed(stack);
      },
      same);
  try_all(
      "a handle by name", [] { Registry::get().find("aten::add.Tensor"); }, always);

  // Registration: what was defined half is not defined.
  auto undefined = [] { return !Registry::get().find("faults::twice"); };
  try_all(
      "definitions",
      [] {
        Library library(Library::Kind::Fragment, "faults");
        library.def("twice(Tensor self) -> Tensor");
        library.impl("twice", DispatchKey::CPU, TENON_FN(twice));
      },
      undefined);

  // Gradients: the graph and the leaf's gradient are as they were, or whole.
  Tensor leaf = tensor({1.0, 2.0}).requires_grad_();
  try_all(
      "recording", [&] { (leaf * leaf).sum(); }, [&] { return !leaf.grad().defined() && leaf.version() == 0; });
  Tensor loss = (leaf * leaf).sum();
  try_all(
      "grad()", [&] { autograd::grad(std::vector<Tensor>{loss}, std::vector<Tensor>{leaf}, {}, true); },
      [&] { return !leaf.grad().defined(); });
  try_all(
      "backward()", [&] { loss.backward({}, true); },
      [&] { return !leaf.grad().defined() || leaf.grad().numel() == 2; });
  try_all(
      "vmap", [&] { func::vmap([](const Tensor& t) { return t.sum(); })(x); }, same);
  try_all(
      "func::grad", [&] { func::grad([](const Tensor& t) { return (t * t).sum(); })(x); }, same);

  // Modules and optimisers.
  nn::Linear linear{2, 3};
  std::vector<Tensor> parameters = nn::parameters(linear);
  auto pictures = [&] { return std::vector<scarce::Picture>(parameters.begin(), parameters.end()); };
  auto before = pictures();
  auto weights_same = [&] {
    for (const scarce::Picture& p : before)
      if (!p.is_unchanged()) return false;
    return same();
  };
  Tensor input = ops::ones({4, 2});
  try_all(
      "a module",
      [] {
        nn::Linear linear{2, 3};
      },
      always);
  try_all(
      "a module's call", [&] { linear(input); }, weights_same);
  try_all(
      "parameters", [&] { nn::named_parameters(linear); }, weights_same);
  try_all(
      "state", [&] { nn::state(linear); }, weights_same);
  try_all(
      "an optimiser", [&] { optim::Adam(parameters, {.lr = 0.1}); }, weights_same);

  // Files.
  NamedTensors named{{"x", x}, {"y", y}};
  std::string safetensors = to_safetensors(named), npy = data::encode_npy(x), npz = data::encode_npz(named);
  try_all(
      "to_safetensors", [&] { to_safetensors(named); }, same);
  try_all(
      "safetensors", [&] { SafetensorsFile::from_bytes(safetensors).tensors(); }, always);
  try_all(
      "encode_npy", [&] { data::encode_npy(x); }, same);
  try_all(
      "decode_npy", [&] { data::decode_npy(npy); }, always);
  try_all(
      "encode_npz", [&] { data::encode_npz(named); }, same);
  try_all(
      "decode_npz", [&] { data::decode_npz(npz); }, always);

  // Observers.
  try_all(
      "a profile",
      [&] {
        profiler::Profiler profiler({.shapes = true});
        ops::add(x, y);
        profiler::table(profiler.profile());
      },
      same);
  CHECK(ops::add(x, y).sum().item<double>() == 10);
}
