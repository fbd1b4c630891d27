// Every operator in forward mode beside reverse mode, and within vmap beside the loop.
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "../ops/every_function.hpp"
#include "support.hpp"

using namespace test;
using every::Function;

namespace {

using Reasons = std::map<std::string, std::string>;

/// Operators with a derivative whose tangents are missing or others, and why.
const Reasons other_tangents = {
    {"aten::logical_and_", "PyTorch does not record it: gradients pass on"},
    {"aten::logical_not_", "as logical_and_"},
    {"aten::logical_or_", "as logical_and_"},
    {"aten::logical_xor_", "as logical_and_"},
    {"aten::segment_reduce", "its gradient has no derivative, as in PyTorch"},
    {"aten::_embedding_bag", "its gradient has no derivative, as in PyTorch"},
    {"aten::embedding_bag", "as _embedding_bag"},
    {"aten::embedding_bag.padding_idx", "as _embedding_bag"},
    {"aten::_ctc_loss", "its gradient has no derivative, as in PyTorch"},
    {"aten::_ctc_loss.Tensor", "as _ctc_loss"},
    {"aten::ctc_loss.IntList", "as _ctc_loss"},
    {"aten::ctc_loss.Tensor", "as _ctc_loss"},
    {"aten::_native_batch_norm_legit_functional", "its new running statistics have no derivative, as in PyTorch"},
    {"aten::_batch_norm_with_update_functional", "as _native_batch_norm_legit_functional"},
    {"aten::_cast_Half", "the result has too few digits"},
    {"aten::chalf", "as _cast_Half"},
    {"aten::polar", "of a negative length PyTorch's gradient has the other sign"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", "its gradient has no derivative, as in PyTorch"},
    {"aten::as_strided_scatter", "PyTorch's gradient of self, which recorded cases hold, is not its derivative"},
    {"aten::linalg_qr", "one of these matrices is singular"},
    {"aten::max_unpool2d", "of elements that go to one place PyTorch's gradient counts all, its tangents the last"},
    {"aten::max_unpool3d", "as max_unpool2d"},
    {"aten::put", "as max_unpool2d"},
    {"aten::put_", "as max_unpool2d"},
    {"aten::index_put", "as max_unpool2d"},
    {"aten::index_put_", "as max_unpool2d"},
    {"aten::_index_put_impl", "as max_unpool2d"},
    {"aten::_index_put_impl_", "as max_unpool2d"},
    {"aten::_unsafe_index_put", "as max_unpool2d"},
};
/// Whether elements of the result are those of new memory: any, and of bool not to be read.
bool leaves_new_memory(const OperatorHandle& op) {
  for (std::string_view name : {"aten::empty", "aten::new_empty", "aten::resize_"})
    if (op.name().starts_with(name)) return true;
  return false;
}

struct Problem {
  std::string text;
};
struct Attempt {
  every::Shapes shapes;
  double low, high;
  bool defaults;
};

/// Calls `check` with every operator that writes nothing or its first argument, and with several sets of arguments;
/// returns the operators with problems that are not among the exceptions, and, if `each` must be one, the exceptions
/// without a problem.
template <class F>
std::string walk(const Reasons& exceptions, int& agreed, F check, bool each = true) {
  std::string problems;
  for (const OperatorHandle& op : every::operators()) {
    if (every::writes_of(op.schema()) == every::Writes::Out) continue;
    std::string why;
    bool any = false;
    for (bool defaults : {true, false})
      for (every::Shapes shapes : every::all_shapes(3)) {
        if (shapes.dtype == kFloat) shapes.dtype = kDouble;
        for (auto [low, high] : {std::pair{0.15, 0.85}, {-2.3, 2.2}}) try {
            any = check(op, Attempt{shapes, low, high, defaults}) || any;
          } catch (const Problem& p) {
            why = concat(p.text, " (shapes ", shapes.self, ", ", shapes.index, ", ", shapes.small, ", ", shapes.dtype,
                         ", from ", low, defaults ? ", defaults)" : ")");
          }
      }
    agreed += any && why.empty();
    std::string name(op.name());
    bool listed = exceptions.contains(name);
    if (!why.empty() && !listed) problems += concat(name, ": ", why, "\n");
    if (each && why.empty() && listed) problems += concat(name, ": is no exception any more\n");
  }
  return problems;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-7 * (1 + std::abs(a) + std::abs(b)); }

/// The change of the weighted results along the directions of the inputs from number `from` on.
double change_along(const Function& f, const std::vector<bool>& counts, std::size_t from) {
  func::LevelGuard guard(func::LevelKind::Tangent);
  std::vector<Tensor> duals;
  for (std::size_t k = 0; k < f.inputs.size(); ++k) {
    Tensor x = f.inputs[k].detach();
    duals.push_back(
        k < from ? x : func::make_dual(x, Function::weight(x, 20 + static_cast<std::int64_t>(k)), guard.level()));
  }
  double sum = 0;
  std::int64_t weights = 0;
  std::vector<Tensor> results = f.of(duals);
  if (results.size() != counts.size()) throw Problem{"another number of results"};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!counts[i]) continue;
    Tensor tangent = func::detail::tangent_of(results[i], guard.level());
    sum += Function::inner(tangent, Function::weight(tangent, weights++)).item<double>();
  }
  return sum;
}

bool tangents_agree(const OperatorHandle& op, const Attempt& with) {
  if (!every::counts(with.shapes.dtype)) return false;
  std::vector<bool> counts;
  std::vector<Tensor> gradients;
  std::optional<Function> f;
  try {
    f.emplace(op, with.shapes, with.low, with.high, with.defaults);
    if (f->inputs.empty()) return false;
    for (const Tensor& t : (*f)()) counts.push_back(t.requires_grad());
    gradients = f->gradient();
  } catch (const Error&) { return false; }  // not these arguments, or no derivative
  if (gradients.empty()) return false;
  std::size_t last = f->inputs.size() - 1;
  for (std::size_t from : {std::size_t{0}, last}) {
    std::vector<Tensor> of = gradients;
    for (std::size_t k = 0; k < from; ++k) of[k] = Tensor();
    double expected = f->product(of), got = 0;
    if (!std::isfinite(expected)) return false;
    try {
      got = change_along(*f, counts, from);
    } catch (const Error& e) {
      // A tensor without a tangent cannot be written with one.
      if (from > 0 && f->writes()) continue;
      throw Problem{e.what()};
    }
    if (!near(expected, got)) throw Problem{concat("forward mode gives ", got, ", reverse mode ", expected)};
  }
  return true;
}

/// Two examples at once beside one after the other; `batched` tells which tensors differ.
void check_batch(const Function& a, const Function& b, const std::vector<bool>& batched) {
  std::vector<Tensor> first = a.tensors, second, both;
  for (std::size_t k = 0; k < first.size(); ++k) {
    first[k] = first[k].detach();
    second.push_back(batched[k] ? b.tensors[k].detach() : first[k]);
  }
  std::vector<std::vector<Tensor>> loop{a.results(a.tensors, first), a.results(a.tensors, second)};
  func::LevelGuard guard(func::LevelKind::Batch, 2);
  for (std::size_t k = 0; k < first.size(); ++k)
    both.push_back(batched[k] ? func::make_batched(ops::stack({first[k], second[k]}), guard.level()) : first[k]);
  std::vector<Tensor> got;
  try {
    got = a.results(a.tensors, both);
  } catch (const func::BatchError&) { return; } catch (const Error& e) {
    throw Problem{e.what()};
  }
  if (got.size() != loop[0].size()) throw Problem{"another number of results"};
  for (std::size_t i = 0; i < got.size(); ++i)
    for (std::size_t n : {0, 1}) {
      const Tensor& expected = loop[n][i];
      Tensor t = got[i].defined()
                     ? ops::select(func::detail::batch_of(got[i], guard.level()), 0, static_cast<std::int64_t>(n))
                     : got[i];
      if (!every::same_elements(t, expected))
        throw Problem{concat("result ", i, " of example ", n,
                             " differs: ", t.defined() ? concat(t.dtype(), t.sizes()) : "none", ", the loop has ",
                             expected.defined() ? concat(expected.dtype(), expected.sizes()) : "none")};
    }
}

bool batches_agree(const OperatorHandle& op, const Attempt& with) {
  // Examples do not require grad, and are no tensors of memory of their own.
  if (leaves_new_memory(op) || op.name() == "aten::retain_grad" || op.name() == "aten::set_data") return false;
  std::optional<Function> a, b;
  try {
    a.emplace(op, with.shapes, with.low, with.high, with.defaults);
    b.emplace(op, with.shapes, with.low, with.high, with.defaults, 1);
    if (a->tensors.empty()) return false;
    a->results({}, {});
    b->results({}, {});
  } catch (const Error&) { return false; }  // not these arguments
  std::size_t n = a->tensors.size();
  check_batch(*a, *b, std::vector<bool>(n, true));
  for (std::size_t k = 0; k < std::min<std::size_t>(n, 4) && n > 1; ++k) {
    std::vector<bool> one(n, false);
    one[k] = true;
    try {
      check_batch(*a, *b, one);
    } catch (const Problem&) { throw; } catch (const Error&) {  // not these examples
    }
  }
  return true;
}

}  // namespace

TEST_CASE("every derivative has a tangent, which agrees with it", "[func][every]") {
  int agreed = 0;
  CHECK(walk(other_tangents, agreed, &tangents_agree) == "");
  CHECK(agreed > 500);
}

TEST_CASE("every derivative by complex numbers has a tangent, which agrees with it", "[func][every]") {
  int agreed = 0;
  Reasons exceptions = other_tangents;
  for (const char* name : {"aten::linalg_lstsq", "aten::linalg_pinv.atol_rtol_float",
                           "aten::linalg_pinv.atol_rtol_tensor", "aten::pinverse"})
    exceptions.emplace(name, "one of these matrices is singular");
  auto check = [](const OperatorHandle& op, Attempt with) {
    if (with.shapes.dtype == kDouble) with.shapes.dtype = kComplexDouble;
    return tangents_agree(op, with);
  };
  CHECK(walk(exceptions, agreed, check, false) == "");
  CHECK(agreed > 200);
}

TEST_CASE("every operator within vmap is its loop", "[func][every]") {
  Warnings silent;
  int agreed = 0;
  CHECK(walk({}, agreed, &batches_agree) == "");
  CHECK(agreed > 1000);
}
