// Every operator gives the same bits for any number of threads.
#include <map>

#include <tenon/cpu/parallel.hpp>

#include "every.hpp"

using namespace test;

namespace {

/// Operators that none of the arguments suits, and why.
const std::map<std::string, std::string> not_called = {
    {"aten::linalg_cholesky", "its matrix is positive definite, those here are not"},
    {"aten::linalg_cholesky.out", "as linalg_cholesky"},
    {"aten::item", "its tensor has one element"},
    {"aten::_batch_norm_impl_index_backward", "its statistics belong to an implementation"},
    {"aten::_backward", "its tensor requires grad"},
    {"aten::from_file.out", "its file is there"},
    {"aten::retain_grad", "its tensor requires grad"},
    {"aten::masked_select_backward", "its gradient has as many elements as the mask selects"},
};

class ThreadsGuard {
 public:
  ThreadsGuard() = default;
  ThreadsGuard(const ThreadsGuard&) = delete;
  ~ThreadsGuard() {
    set_num_threads(before_);
    set_cpu_fill(CpuFill::None);
  }

 private:
  int before_ = get_num_threads();
};

/// A tensor to call with, made once and copied.
Tensor tensor_of(const every::Shapes& shapes, const DimVector& sizes, ScalarType dtype, std::int64_t seed) {
  static std::map<std::string, Tensor> known;
  bool is_places = dtype == kLong && shapes.dtype != kLong;
  Tensor& t = known[concat(sizes, dtype, is_places, seed % 4)];
  if (!t.defined())
    t = is_places ? every::places(sizes, shapes.self[0].guard_int())
                  : every::scattered(sizes, dtype, dtype == kLong ? 1 : 0.2, dtype == kLong ? 9 : 0.9, seed % 4);
  return t.clone();
}
/// What the operator leaves, as bytes: its results, and the arguments that it may have written.
std::string bytes_of(const OperatorHandle& op, const every::Shapes& shapes, bool defaults, int threads) {
  set_num_threads(threads);
  set_cpu_fill(CpuFill::Zero);
  manual_seed(11);
  std::int64_t seed = 0;
  every::Source from{shapes,
                     [&](std::string_view, const SymDimVector& sizes, ScalarType dtype) {
                       return tensor_of(shapes, every::plain(sizes), dtype, seed++);
                     },
                     kCPU, defaults};
  Stack stack = every::arguments_for(op, from);
  std::vector<Tensor> tensors = every::tensors_of(stack);
  op.call_boxed(stack);
  for (const Tensor& t : every::tensors_of(stack)) tensors.push_back(t);
  std::string out;
  for (const Tensor& t : tensors) {
    if (!t.defined()) continue;
    Tensor c = t.contiguous();
    out += concat(c.dtype(), c.sizes());
    out.append(static_cast<const char*>(c.data_ptr()), c.nbytes());
  }
  return out;
}

}  // namespace

TEST_CASE("every operator gives the same bits for any number of threads", "[ops][every]") {
  ThreadsGuard guard;
  WarningGuard quiet([](const std::string&, void*) {}, nullptr);
  std::string differ, other;
  int parallel = 0;
  std::size_t at = 0;
  for (const OperatorHandle& op : every::operators()) {
    if (TENON_NO_FREE_LISTS && at++ % 16 != 0) continue;  // under a sanitizer a sample
    std::string why;
    bool works = false;
    // Longer than a thread's smallest share, whole and by rows; the first shapes that suit an operator will do.
    for (const every::Shapes& shapes : every::all_shapes(190)) {
      for (bool defaults : {true, false}) {
        std::string one;
        try {
          one = bytes_of(op, shapes, defaults, 1);
        } catch (const Error& e) {
          why = e.what();
          continue;
        }
        works = true;
        for (int threads : {2, 5})
          if (bytes_of(op, shapes, defaults, threads) != one) {
            differ += concat(op.name(), ": ", threads, " threads, shapes ", shapes.self, "\n");
            break;
          }
        parallel += one.size() > 100000;
      }
      if (works) break;
    }
    if (!works && !not_called.contains(std::string(op.name()))) other += concat(op.name(), ": ", why, "\n");
  }
  CHECK(differ == "");
  CHECK(other == "");
  CHECK(parallel > (TENON_NO_FREE_LISTS ? 20 : 300));
}
