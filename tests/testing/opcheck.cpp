// What opcheck finds in operators that keep their promises, and in ones that do not.
#include <tenon/testing/opcheck.hpp>

#include <catch.hpp>
#include <stdexcept>

#include <tenon/func/batching.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>

using namespace tenon;
using namespace tenon::testing;
using K = DispatchKey;

namespace {
Tensor matrix() { return ops::rand({2, 3}); }
Library fragment() { return Library(Library::Kind::Fragment, "_check"); }
/// The problem of one check, or `none`, or `not run`.
std::string problem_of(const char* check, const char* op, Stack arguments, OpcheckOptions options = {}) {
  for (const CheckResult& r : opcheck_results(op, arguments, options))
    if (r.check == check) return r.problem.empty() ? "none" : r.problem;
  return "not run";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
Tensor doubled(const Tensor& x) { return ops::mul(x, Scalar(2)); }
bool three_times(func::BatchedCall& call, Stack& results) {
  call.answer(call.physical, results);
  results[0] = ops::mul(results[0].to_tensor(), Scalar(3));
  return true;
}
TENON_BATCHING_RULE(check_by_rule, "_check::by_rule", three_times);
}  // namespace

TEST_CASE("operators of the library pass, with all their forms", "[testing][opcheck]") {
  Tensor a = matrix(), b = matrix();
  opcheck("aten::mul.Tensor", {a, b});
  opcheck("aten::add.Tensor", {a, b, Scalar(2)});
  opcheck("aten::sigmoid", {a});
  opcheck("aten::sum.dim_IntList", {a, Value::list({0}, ValueKind::Int), false, Value()});
  opcheck("aten::cat", {Value::list({a, b}), 0});
  std::vector<std::string> run;
  for (const CheckResult& r : opcheck_results("aten::mul.Tensor", {a, b})) run.push_back(r.check);
  CHECK(run == std::vector<std::string>{"schema", "repeat", "threads", "strides", "meta", "hostile", "in-place", "out",
                                        "gradients", "second gradients", "vmap"});
  std::size_t forward = opcheck_results("aten::mul.Tensor", {a, b}, {.gradients = false, .vmap = false}).size();
  CHECK(forward == run.size() - 3);
}

TEST_CASE("a composite operator of a user's passes without anything else", "[testing][opcheck]") {
  Library m = fragment();
  m.def("doubled(Tensor x) -> Tensor").impl("doubled", K::CompositeImplicitAutograd, TENON_FN(&doubled));
  opcheck("_check::doubled", {matrix()});
}

TEST_CASE("what is written, shared or missing is found", "[testing][opcheck]") {
  Library m = fragment();
  m.def("writes(Tensor x) -> Tensor").impl("writes", K::CPU, [](const Tensor& x) {
    if (x.numel() > 0) x.data_ptr<float>()[0] += 1;
    return ops::clone(x);
  });
  OpcheckOptions forward{.meta = false, .gradients = false};
  CHECK(problem_of("schema", "_check::writes", {matrix()}, forward) != "none");
  m.def("shares(Tensor x) -> Tensor").impl("shares", K::CPU, [](const Tensor& x) { return x; });
  CHECK(problem_of("schema", "_check::shares", {matrix()}, forward) != "none");
  m.def("lonely(Tensor x) -> Tensor").impl("lonely", K::CPU, TENON_FN(&doubled));
  CHECK(problem_of("meta", "_check::lonely", {matrix()}) != "none");
  CHECK(problem_of("meta", "_check::lonely", {matrix()}, forward) == "not run");
}

TEST_CASE("a kernel that reads memory in order, or changes its mind, is found", "[testing][opcheck]") {
  Library m = fragment();
  OpcheckOptions forward{.meta = false, .gradients = false};
  m.def("in_order(Tensor x) -> Tensor").impl("in_order", K::CPU, [](const Tensor& x) {
    Tensor out = ops::empty(x.sizes());
    for (std::int64_t i = 0; i < x.numel(); ++i) out.data_ptr<float>()[i] = static_cast<float*>(x.data_ptr())[i];
    return out;
  });
  CHECK(has(problem_of("strides", "_check::in_order", {matrix()}, forward),
            "with gaps between the elements it gives other results: Tensor-likes are not close!"));
  m.def("by_last_stride(Tensor x) -> Tensor").impl("by_last_stride", K::CPU, [](const Tensor& x) {
    Tensor out = ops::empty(x.sizes());
    if (x.numel() == 0) return out;
    const std::int64_t step = x.dim() ? x.strides().back() : 1, end = x.storage().nbytes() / 4 - x.storage_offset();
    for (std::int64_t i = 0; i < x.numel(); ++i)
      out.data_ptr<float>()[i] = static_cast<float*>(x.data_ptr())[i * step % end];
    return out;
  });
  CHECK(has(problem_of("strides", "_check::by_last_stride", {matrix()}, forward),
            "with elements in column order it gives other results: Tensor-likes are not close!"));
  m.def("random(Tensor x) -> Tensor").impl("random", K::CPU, [](const Tensor& x) { return ops::rand(x.sizes()); });
  CHECK(has(problem_of("repeat", "_check::random", {matrix()}, forward), "Tensor-likes are not equal!"));
}

TEST_CASE("forms that disagree, and errors of other libraries, are found", "[testing][opcheck]") {
  Library m = fragment();
  OpcheckOptions forward{.meta = false, .gradients = false};
  m.def("f(Tensor x) -> Tensor").impl("f", K::CPU, [](const Tensor& x) {
    if (x.dim() == 0) throw std::runtime_error("not ours");
    return doubled(x);
  });
  m.def("f_(Tensor(a!) x) -> Tensor(a!)").impl("f_", K::CPU, [](Tensor& x) -> Tensor& { return x; });
  m.def("f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
      .impl("f.out", K::CPU, [](const Tensor& x, Tensor& out) -> Tensor& { return out.copy_(x); });
  Stack arguments{matrix()};
  CHECK(has(problem_of("in-place", "_check::f", arguments, forward), "not close"));
  CHECK(has(problem_of("out", "_check::f", arguments, forward), "not close"));
  CHECK(has(problem_of("hostile", "_check::f", arguments, forward),
            "with tensors without dimensions it throws another error than the library's: not ours"));
}

TEST_CASE("a derivative that is wrong or missing is found", "[testing][opcheck]") {
  Library m = fragment();
  m.def("no_gradient(Tensor x) -> Tensor").impl("no_gradient", K::CPU, TENON_FN(&doubled));
  CHECK(problem_of("gradients", "_check::no_gradient", {matrix()}) != "none");
  m.def("cut(Tensor x) -> Tensor").impl("cut", K::CompositeImplicitAutograd, [](const Tensor& x) {
    return ops::add(ops::mul(x.detach(), x), x.detach());
  });
  CHECK(has(problem_of("gradients", "_check::cut", {matrix()}), "acobian"));
  m.def("numbers(Tensor x) -> Tensor").impl("numbers", K::CompositeImplicitAutograd, [](const Tensor& x) {
    return x.detach();
  });
  CHECK(has(problem_of("gradients", "_check::numbers", {matrix()}), "there is no derivative"));
}

TEST_CASE("a derivative that is right once and wrong twice is found", "[testing][opcheck]") {
  Library m = fragment();
  // The square, and the gradient 2 * x, which does not know that it depends on x.
  m.def("square(Tensor x) -> Tensor").impl("square", K::CompositeImplicitAutograd, [](const Tensor& x) {
    Tensor fixed = x.detach();
    return ops::sub(ops::mul(doubled(x), fixed), ops::mul(fixed, fixed));
  });
  CHECK(problem_of("gradients", "_check::square", {matrix()}) == "none");
  CHECK(has(problem_of("second gradients", "_check::square", {matrix()}), "Jacobian mismatch"));
  CHECK(problem_of("second gradients", "_check::square", {matrix()}, {.second_gradients = false}) == "not run");
  CHECK(problem_of("second gradients", "_check::square", {matrix()}, {.gradients = false}) == "not run");
}

TEST_CASE("a wrong rule for batches is found, and a tag that is none", "[testing][opcheck]") {
  Library m = fragment();
  OpcheckOptions forward{.meta = false, .gradients = false};
  m.def("by_rule(Tensor x) -> Tensor").impl("by_rule", K::CPU, TENON_FN(&doubled));
  CHECK(has(problem_of("vmap", "_check::by_rule", {matrix()}, forward),
            "over examples of all tensors it gives something else than a loop: Tensor-likes are not close!"));
  auto centred = [](const Tensor& x, const Tensor& y) { return ops::sub(x, ops::mean(y)); };
  m.def("centred(Tensor x, Tensor y) -> Tensor", std::vector<std::string>{"pointwise"})
      .impl("centred", K::CPU, centred);
  CHECK(has(problem_of("vmap", "_check::centred", {matrix(), matrix()}, forward), "over examples of all tensors"));
  m.def("looped(Tensor x, Tensor y) -> Tensor").impl("looped", K::CPU, centred);
  CHECK(problem_of("vmap", "_check::looped", {matrix(), matrix()}, forward) == "none");
  forward.vmap = false;
  CHECK(problem_of("vmap", "_check::by_rule", {matrix()}, forward) == "not run");
  // Nothing to compare: random numbers, and what is written.
  CHECK(problem_of("vmap", "aten::bernoulli", {matrix(), Value()}, {.gradients = false}) == "not run");
  CHECK(problem_of("vmap", "aten::mul_.Tensor", {matrix(), matrix()}, {.gradients = false}) == "not run");
}

TEST_CASE("failures are listed together, and wrong calls of opcheck refused", "[testing][opcheck]") {
  Library m = fragment();
  m.def("random2(Tensor x) -> Tensor").impl("random2", K::CPU, [](const Tensor& x) { return ops::rand(x.sizes()); });
  CHECK_ERROR_CONTAINS(opcheck("_check::random2", {matrix()}), AssertionError, "opcheck(): _check::random2\n");
  CHECK_ERROR(opcheck("_check::nothing", {}), ValueError, "opcheck(): no operator is named '_check::nothing'");
  CHECK_ERROR_CONTAINS(opcheck("aten::mul.Tensor", {matrix()}), ValueError, "takes 2 arguments, got 1");
}
