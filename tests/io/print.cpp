// Printing, held against texts that PyTorch printed.
#include <tenon/io/print.hpp>

#include <catch.hpp>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <tenon/autograd/engine.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/default_dtype.hpp>

using namespace tenon;
using nlohmann::json;

namespace {

Tensor tensor_of(const json& c) {
  auto sizes = c.at("size").get<std::vector<std::int64_t>>();
  auto strides = c.value("stride", std::vector<std::int64_t>());
  ScalarType dtype = scalar_type_from_name(c.at("dtype").get<std::string>()).value();
  if (c.value("meta", false)) return make_tensor(sizes, strides, dtype, kMeta);
  Tensor t = make_tensor(sizes, strides, dtype);
  if (c.contains("hex")) {
    auto hex = c.at("hex").get<std::string>();
    auto digit = [](char d) { return d <= '9' ? d - '0' : d - 'a' + 10; };
    REQUIRE(hex.size() / 2 >= t.storage().nbytes());
    for (std::size_t i = 0; i < t.storage().nbytes(); ++i)
      static_cast<char*>(t.data_ptr())[i] = static_cast<char>(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
  } else {
    double start = c.at("start"), step = c.at("step");
    visit_scalar_type(dtype, [&]<class T>(type_tag<T>) {
      for (std::int64_t i = 0; i < t.numel(); ++i) {
        double value = static_cast<double>(i) * step + start;
        if constexpr (std::is_integral_v<T>)
          t.data_ptr<T>()[i] = static_cast<T>(static_cast<std::int64_t>(value));
        else
          t.data_ptr<T>()[i] = Scalar(value).to<T>();
      }
    });
  }
  return t;
}

PrintOptions options_of(const json& c) {
  PrintOptions options;
  if (!c.contains("options")) return options;
  const json& o = c.at("options");
  options.precision = o.value("precision", options.precision);
  options.threshold = o.value("threshold", options.threshold);
  options.edgeitems = o.value("edgeitems", options.edgeitems);
  options.linewidth = o.value("linewidth", options.linewidth);
  if (o.contains("sci_mode")) options.sci_mode = o.at("sci_mode").get<bool>();
  return options;
}

}  // namespace

TEST_CASE("streams take what tensors tell about themselves", "[io][print]") {
  Tensor x = make_tensor({2, 3}, {}, kFloat);
  std::ostringstream out;
  out << x.sizes() << x.strides() << ' ' << x.dtype() << ' ' << x.device() << ' ' << x.layout() << ' '
      << MemoryFormat::ChannelsLast << ' ' << Scalar(2.5) << ' ' << SymInt(3) << x.sym_sizes() << ' '
      << DispatchKey::CPU << ' ' << KeySet(DispatchKey::CPU) << ' ' << x.numel() << ' ' << 0.5;
  CHECK(out.str() == "[2, 3][3, 1] float32 cpu strided channels_last 2.5 3[2, 3] CPU DispatchKeySet(CPU) 6 0.5");
}

TEST_CASE("every recorded tensor prints as PyTorch prints it", "[io][print]") {
  std::ifstream file(TENON_TEST_DATA "/printed.json");
  REQUIRE(file);
  json recorded = json::parse(file);
  REQUIRE(recorded.at("cases").size() > 100);
  for (const json& c : recorded.at("cases")) {
    Tensor t = tensor_of(c);
    if (c.value("requires_grad", false)) t.set_requires_grad(true);
    CHECK(to_string(t, options_of(c)) == c.at("text").get<std::string>());
  }
}

namespace {
struct NamedNode : Node {
  std::string name() const override { return "MulBackward0"; }
  void apply(Tensor*, Tensor*) override {}
};
}  // namespace

TEST_CASE("the name of the gradient function follows the elements", "[io][print]") {
  auto result = [](std::int64_t n, double value, ScalarType dtype) {
    Tensor t = make_tensor({n}, {}, dtype);
    for (std::int64_t i = 0; i < n; ++i)
      if (dtype == kFloat)
        t.data_ptr<float>()[i] = static_cast<float>(value);
      else
        t.data_ptr<double>()[i] = value;
    autograd::set_gradient_edge(t, make_intrusive<NamedNode>(), 0);
    return to_string(t);
  };
  // Texts of PyTorch 2.15.
  CHECK(result(2, 1, kFloat) == "tensor([1., 1.], grad_fn=<MulBackward0>)");
  CHECK(result(9, 0.015625, kFloat) ==
        "tensor([0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156],\n"
        "       grad_fn=<MulBackward0>)");
  CHECK(result(8, 0.015625, kDouble) ==
        "tensor([0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156],\n"
        "       dtype=float64, grad_fn=<MulBackward0>)");
}

TEST_CASE("lines break where PyTorch breaks them, which writes a prefix before dtypes", "[io][print]") {
  auto tens = [](std::int64_t n) {
    Tensor t = make_tensor({n}, {}, kDouble);
    for (std::int64_t i = 0; i < n; ++i) t.data_ptr<double>()[i] = 10;
    return t;
  };
  Tensor empty = make_tensor({3, 0}, {}, kDouble);
  empty.set_requires_grad(true);
  // Texts of PyTorch 2.15, without `torch.`.
  CHECK(to_string(tens(10)) == "tensor([10., 10., 10., 10., 10., 10., 10., 10., 10., 10.], dtype=float64)");
  CHECK(to_string(tens(11)) ==
        "tensor([10., 10., 10., 10., 10., 10., 10., 10., 10., 10., 10.],\n       dtype=float64)");
  CHECK(to_string(empty, {.linewidth = 45}) == "tensor([], size=(3, 0), dtype=float64,\n       requires_grad=True)");
}

TEST_CASE("a tensor goes into any stream", "[io][print]") {
  Tensor t = make_tensor({2}, {}, kLong);
  t.data_ptr<std::int64_t>()[0] = 1;
  t.data_ptr<std::int64_t>()[1] = 2;
  std::ostringstream out;
  out << "t = " << t << '\n';
  CHECK(out.str() == "t = tensor([1, 2])\n");
  CHECK(concat("got ", t) == "got tensor([1, 2])");
}

TEST_CASE("an undefined tensor prints as an empty call", "[io][print]") { CHECK(to_string(Tensor()) == "tensor()"); }

TEST_CASE("lazily conjugated and negated elements print as their values", "[io][print]") {
  Tensor t = make_tensor({1}, {}, kComplexFloat);
  *t.data_ptr<Complex<float>>() = {1, 2};
  t->set_keys(t.keys().add(DispatchKey::Conjugate));
  CHECK(to_string(t) == "tensor([1.-2.j])");
  t->set_keys(t.keys().add(DispatchKey::Negative));
  CHECK(to_string(t) == "tensor([-1.+2.j])");
}

TEST_CASE("the default dtype is not printed", "[io][print]") {
  Tensor x = tensor({1.5f}), y = tensor({1.5}, "dtype"_a = kDouble);
  CHECK(to_string(x) == "tensor([1.5000])");
  set_default_dtype(kDouble);
  std::string single = to_string(x), twofold = to_string(y);
  set_default_dtype(kFloat);
  CHECK(single == "tensor([1.5000], dtype=float32)");
  CHECK(twofold == "tensor([1.5000])");
  Tensor c = make_tensor({1}, {}, kComplexFloat);
  *c.data_ptr<Complex<float>>() = {1, 2};
  set_default_dtype(kHalf);
  std::string paired = to_string(c);
  set_default_dtype(kFloat);
  CHECK(paired == "tensor([1.+2.j])");
}
