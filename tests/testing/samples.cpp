// Which calls follow from a schema, what they find, and what a fuzzer's bytes call.
#include <tenon/testing/samples.hpp>

#include <algorithm>
#include <catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/testing/catch2.hpp>
#include <tenon/testing/fuzz.hpp>
#include <tenon/testing/opcheck_samples.hpp>

using namespace tenon;
using namespace tenon::testing;
using K = DispatchKey;

namespace {
Library fragment() { return Library(Library::Kind::Fragment, "_samples"); }
std::set<std::string> texts(std::string_view op, Sample::Kind kind, const SampleOptions& options = {}) {
  std::set<std::string> all;
  for (const Sample& s : samples(op, options))
    if (s.kind == kind) all.insert(s.text);
  return all;
}
std::string problem_of(const char* check, const char* op, const SampleOptions& options = {}) {
  OpcheckOptions forward{.meta = false, .gradients = false};
  for (const CheckResult& r : opcheck_samples_results(op, options, forward))
    if (r.check == check) return r.problem.empty() ? "none" : r.problem;
  return "not run";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
Tensor doubled(const Tensor& x) { return ops::mul(x, Scalar(2)); }
}  // namespace

TEST_CASE("calls of every kind follow from a schema", "[testing][samples]") {
  using Kind = Sample::Kind;
  CHECK(texts("aten::add.Tensor", Kind::Base) ==
        std::set<std::string>{"self=float32[2, 3], other=float32[2, 3], alpha=1"});
  std::set<std::string> dtypes = texts("aten::add.Tensor", Kind::Dtype),
                        shapes = texts("aten::add.Tensor", Kind::Broadcast);
  CHECK(dtypes.contains("self=int64[2, 3], other=int64[2, 3], alpha=1"));
  CHECK(dtypes.contains("self=float32[2, 3], other=complex64[2, 3], alpha=1"));
  CHECK(shapes.contains("self=float32[2, 3], other=float32[3], alpha=1"));
  CHECK(shapes.contains("self=float32[2, 1], other=float32[2, 3], alpha=1"));
  CHECK(texts("aten::add.Tensor", Kind::Empty).contains("self=float32[0, 3], other=float32[0, 3], alpha=1"));
  CHECK(texts("aten::add.Tensor", Kind::Huge).contains("self=float16[2, 3], other=float16[2, 3], alpha=1, huge"));
  for (const Sample& s : samples("aten::sum", {}))
    if (s.kind == Kind::Long) CHECK(s.arguments[0].to_tensor().numel() > 90000);
  // Matrices, indices and lists are found by trying.
  CHECK(texts("aten::mm", Kind::Base) == std::set<std::string>{"self=float32[3, 3], mat2=float32[3, 3]"});
  CHECK(texts("aten::cat", Kind::Base) == std::set<std::string>{"tensors=[float32[2, 3], float32[2, 3]], dim=0"});
  CHECK(texts("aten::index_select", Kind::Base) == std::set<std::string>{"self=float32[3], dim=0, index=int64[3]"});
}

TEST_CASE("the dtypes that an operator takes are found by calls", "[testing][samples]") {
  auto has = [](const std::vector<ScalarType>& all, ScalarType dtype) {
    return std::find(all.begin(), all.end(), dtype) != all.end();
  };
  Library m = fragment();
  m.def("whole_numbers(Tensor x) -> Tensor").impl("whole_numbers", K::CPU, [](const Tensor& x) {
    TENON_CHECK(x.dtype() == kLong || x.dtype() == kInt, TypeError, "whole_numbers(): expected integers");
    return x;
  });
  CHECK(accepted_dtypes("_samples::whole_numbers") == std::vector<ScalarType>{kInt, kLong});
  std::vector<ScalarType> zeros = accepted_dtypes("aten::zeros"), masks = accepted_dtypes("aten::bitwise_not");
  CHECK((has(zeros, kFloat8_e4m3fn) && has(zeros, kComplexHalf)));
  CHECK((has(masks, kBool) && has(masks, kByte) && !has(masks, kFloat)));
  CHECK_ERROR(accepted_dtypes("_samples::nothing"), ValueError,
              "accepted_dtypes(): no operator is named '_samples::nothing'");
}

TEST_CASE("what a schema does not tell is asked for", "[testing][samples]") {
  Library m = fragment();
  m.def("by_word(Tensor x, str how) -> Tensor").impl("by_word", K::CPU, [](const Tensor& x, std::string_view how) {
    TENON_CHECK(how == "twice", ValueError, "how is ", how);
    return doubled(x);
  });
  CHECK_ERROR_CONTAINS(samples("_samples::by_word"), ValueError, "nothing is known of the argument 'how'");
  CHECK_ERROR_CONTAINS(samples("_samples::by_word", {.arguments = {{"how", "once"}}}), ValueError, "how is once");
  CHECK_ERROR(samples("_samples::by_word", {.arguments = {{"why", "once"}}}), ValueError,
              "samples(): _samples::by_word has no argument 'why'");
  CHECK_ERROR(samples("_samples::nothing"), ValueError, "samples(): no operator is named '_samples::nothing'");
  CHECK(problem_of("repeat", "_samples::by_word", {.arguments = {{"how", "twice"}}}) == "none");
}

TEST_CASE("operators of the library pass by their schemas alone", "[testing][samples]") {
  opcheck("aten::add.Tensor");
  opcheck("aten::sigmoid");
  opcheck("aten::mm");
  TENON_CATCH_OPCHECK("aten::mul.Tensor");
  TENON_CATCH_OPCHECK("aten::amax", SampleOptions{.arguments = {{"dim", Value::list({0}, ValueKind::Int)}}},
                      OpcheckOptions{.gradients = false});
  Tensor x = samples("aten::sigmoid")[0].arguments[0].to_tensor();
  CHECK_THAT(doubled(x), is_close(ops::add(x, x)));
  CHECK_THAT(doubled(x), !is_close(x));
}

TEST_CASE("mistakes that one example does not show are found", "[testing][samples]") {
  Library m = fragment();
  // Right for small tensors: a sum whose order depends on the number of threads.
  m.def("sum(Tensor x) -> Tensor").impl("sum", K::CPU, [](const Tensor& x) {
    if (x.dtype() != kFloat) fail<NotImplementedError>("float32 only");
    Tensor whole = ops::contiguous(x);
    std::int64_t parts = whole.numel() > 1000 ? get_num_threads() : 1;
    float sums[64] = {};
    for (std::int64_t i = 0; i < whole.numel(); ++i) sums[i % parts] += whole.data_ptr<float>()[i];
    float sum = 0;
    for (std::int64_t k = 0; k < parts; ++k) sum += sums[k];
    return ops::add(ops::mul(ops::sum(x), Scalar(0)), Scalar(double(sum)));
  });
  std::string threads = problem_of("threads", "_samples::sum");
  CHECK(has(threads, "with x=float32[256, 384]: on 2 threads it gives other bits than on one"));
  CHECK(problem_of("repeat", "_samples::sum") == "none");
  // Right for every dtype but one.
  m.def("once(Tensor x) -> Tensor").impl("once", K::CPU, [](const Tensor& x) {
    static double calls = 0;
    return x.dtype() == kDouble ? ops::add(x, Scalar(++calls)) : doubled(x);
  });
  CHECK(has(problem_of("repeat", "_samples::once"), "with x=float64[2, 3]: Tensor-likes are not equal!"));
  // Wrong where shapes broadcast: an operator of composite kind without a broadcast in its derivative.
  m.def("wrong(Tensor x, Tensor y) -> Tensor")
      .impl("wrong", K::CompositeImplicitAutograd, [](const Tensor& x, const Tensor& y) {
        return x.sizes() == y.sizes() ? ops::mul(x, y) : ops::mul(x, y.detach());
      });
  std::string gradients;
  for (const CheckResult& r : opcheck_samples_results("_samples::wrong"))
    if (r.check == "gradients") gradients = r.problem;
  CHECK(has(gradients, "with x=float32[2, 3], y=float32[2, 1]: "));
  CHECK_FALSE(has(gradients, "x=float32[2, 3], y=float32[2, 3]: "));
  CHECK_ERROR_CONTAINS(opcheck("_samples::wrong"), AssertionError, "opcheck(): _samples::wrong\ngradients: with x=");
}

TEST_CASE("tensors that may be none are given, too", "[testing][samples]") {
  using Kind = Sample::Kind;
  Library m = fragment();
  // The derivative with respect to the weight is twice what it should be.
  m.def("weighted(Tensor x, Tensor? weight=None) -> Tensor")
      .impl("weighted", K::CompositeImplicitAutograd, [](const Tensor& x, const std::optional<Tensor>& weight) {
        if (!weight) return doubled(x);
        return ops::mul(x, ops::sub(doubled(*weight), weight->detach()));
      });
  CHECK(texts("_samples::weighted", Kind::Base) == std::set<std::string>{"x=float32[2, 3], weight=None"});
  CHECK(texts("_samples::weighted", Kind::Optional) == std::set<std::string>{"x=float32[2, 3], weight=float32[2, 3]"});
  std::string gradients;
  for (const CheckResult& r : opcheck_samples_results("_samples::weighted"))
    if (r.check == "gradients") gradients = r.problem;
  CHECK(has(gradients, "with x=float32[2, 3], weight=float32[2, 3]: gradcheck(): Jacobian mismatch"));
  CHECK_FALSE(has(gradients, "weight=None"));
  // Each alone, then all together; a weight has one number for each channel.
  auto norm = [](const char* weight, const char* bias) {
    return concat("input=float32[2, 3], num_groups=1, weight=", weight, ", bias=", bias,
                  ", eps=0.5, cudnn_enabled=True");
  };
  CHECK(texts("aten::group_norm", Kind::Optional, {.arguments = {{"num_groups", 1}, {"eps", 0.5}}}) ==
        std::set{norm("float32[3]", "None"), norm("None", "float32[3]"), norm("float32[3]", "float32[3]")});
}

TEST_CASE("results are compared with those of an earlier run", "[testing][samples]") {
  Library m = fragment();
  static double factor = 2;
  m.def("scaled(Tensor x) -> Tensor").impl("scaled", K::CPU, [](const Tensor& x) {
    return ops::mul(x, Scalar(factor));
  });
  std::string folder = (std::filesystem::temp_directory_path() / "tenon-sets-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  CHECK(problem_of("sets", "_samples::scaled") == "not run");
  setenv("TENON_OPCHECK_RESULTS", folder.c_str(), 1);
  CHECK(problem_of("sets", "_samples::scaled") == "none");  // remembered
  CHECK(problem_of("sets", "_samples::scaled") == "none");
  factor = 2.001;
  CHECK(has(problem_of("sets", "_samples::scaled"), "with x=complex64[2, 3]: Tensor-likes are not close!"));
  unsetenv("TENON_OPCHECK_RESULTS");
  std::filesystem::remove_all(folder);
}

TEST_CASE("bytes of a fuzzer make calls that end with results or the library's errors", "[testing][fuzz]") {
  Library m = fragment();
  static int calls = 0;
  m.def("counted(Tensor x, int? k, float[] f, str s) -> Tensor")
      .impl("counted", K::CPU, [](const Tensor& x, std::optional<std::int64_t>, ArrayRef<double>, std::string_view) {
        ++calls;
        return ops::sum(x);
      });
  std::uint64_t state = 7;
  std::uint8_t bytes[48];
  for (int i = 0; i < 400; ++i) {
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>((state = state * 6364136223846793005u + 1) >> 40);
    for (const char* op : {"_samples::counted", "aten::add.Tensor", "aten::cat", "aten::index_select", "aten::narrow"})
      CHECK(fuzz(op, bytes, sizeof bytes) == 0);
  }
  CHECK(calls > 200);
  CHECK(fuzz("aten::add.Tensor", nullptr, 0) == 0);
  CHECK_ERROR(fuzz("_samples::nothing", nullptr, 0), ValueError, "fuzz(): no operator is named '_samples::nothing'");
}
