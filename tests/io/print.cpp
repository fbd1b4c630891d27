// Printing, held against texts that PyTorch printed.
#include <tenon/io/print.hpp>

#include <catch.hpp>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include <tenon/autograd/engine.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/tensor_options.hpp>

#include "../test_data.hpp"

using namespace tenon;
using nlohmann::json;

TEST_CASE("options print what they say", "[io][print]") {
  std::ostringstream out;
  out << TensorOptions(kDouble).device(kCPU).requires_grad(true) << "|" << TensorOptions() << "|"
      << TensorOptions().pinned_memory(false).memory_format(MemoryFormat::ChannelsLast);
  CHECK(out.str() == "dtype=float64, device=cpu, requires_grad=True||pin_memory=False, memory_format=channels_last");
}

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
  std::ifstream file(test_data("printed.json"));
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

// Printed by torch 2.15 (with `torch.float64` for float64).
TEST_CASE("numbers are written at the limits of each notation as PyTorch writes them", "[io][print]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  auto text = [](std::initializer_list<double> numbers, PrintOptions options = {}) {
    Tensor t = make_tensor({static_cast<std::int64_t>(numbers.size())}, {}, kDouble);
    std::copy(numbers.begin(), numbers.end(), t.data_ptr<double>());
    std::string whole = to_string(t, options), head = "tensor([", tail = "], dtype=float64)";
    REQUIRE((whole.starts_with(head) && whole.ends_with(tail)));
    return whole.substr(head.size(), whole.size() - head.size() - tail.size());
  };
  CHECK(text({1, 1000}) == "   1., 1000.");
  CHECK(text({1, 1001}) == "1.0000e+00, 1.0010e+03");
  CHECK(text({0.5, 500}) == "  0.5000, 500.0000");
  CHECK(text({0.5, 500.5}) == "5.0000e-01, 5.0050e+02");
  CHECK(text({1e8}) == "100000000.");
  CHECK(text({1e8, 0.5e8}) == "100000000.,  50000000.");
  CHECK(text({1e8 + 8}) == "1.0000e+08");
  CHECK(text({1e-4}) == "0.0001");
  CHECK(text({0.9e-4}) == "9.0000e-05");
  CHECK(text({-1, 22, 333}) == " -1.,  22., 333.");
  CHECK(text({nan, inf, -inf}) == "nan, inf, -inf");
  CHECK(text({-nan}) == "nan");
  CHECK(text({1.5, nan}) == "1.5000,    nan");
  CHECK(text({1, -inf}) == "1., -inf");
  CHECK(text({0, 0}) == "0., 0.");
  CHECK(text({-0.0}) == "-0.");
  CHECK(text({0, 1e-5}) == "0.0000e+00, 1.0000e-05");
  CHECK(text({2.5e-300, 1e300}) == "2.5000e-300, 1.0000e+300");
  CHECK(text({1e-5, 1}, {.sci_mode = false}) == "0.0000, 1.0000");
  CHECK(text({1e9}, {.sci_mode = false}) == "1000000000.");
  CHECK(text({1.5e300}, {.linewidth = 400, .sci_mode = false}).size() == 302);
  CHECK(text({1, 2}, {.precision = 2, .sci_mode = true}) == "1.00e+00, 2.00e+00");
  CHECK(text({1.5, nan}, {.precision = 2, .sci_mode = true}) == "1.50e+00,      nan");
  CHECK(text({-3, 1e5}, {.precision = 2, .sci_mode = true}) == "-3.00e+00,  1.00e+05");
}

TEST_CASE("integers, truth values and complex numbers are written part by part", "[io][print]") {
  Tensor n = make_tensor({2, 2}, {}, kLong), b = make_tensor({2, 2}, {}, kBool),
         z = make_tensor({2}, {}, kComplexDouble);
  for (int i : {0, 1, 2, 3}) {
    n.data_ptr<std::int64_t>()[i] = i == 2 ? -100 : 2 * i;
    b.data_ptr<bool>()[i] = i != 1;
  }
  CHECK(to_string(n) == "tensor([[   0,    2],\n        [-100,    6]])");
  CHECK(to_string(b) == "tensor([[ True, False],\n        [ True,  True]])");
  z.data_ptr<Complex<double>>()[0] = {1.0, 2.0};
  z.data_ptr<Complex<double>>()[1] = {-3.5, -0.25};
  CHECK(to_string(z) == "tensor([ 1.0000+2.0000j, -3.5000-0.2500j], dtype=complex128)");
}

TEST_CASE("sizes and strides print as Python's", "[io][print]") {
  Tensor x = make_tensor({1, 64, 5, 4}, {}, kFloat);
  CHECK(size_text(x.sizes()) == "torch.Size([1, 64, 5, 4])");
  CHECK(stride_text(x.strides()) == "(1280, 20, 4, 1)");
  CHECK(size_text({}) == "torch.Size([])");
  CHECK(stride_text({}) == "()");
  CHECK(stride_text({1}) == "(1,)");
}

TEST_CASE("a thread's print options hold for streams, and for a scope", "[io][print]") {
  Tensor x = tensor({1.0 / 3, 200.5, 1e5, 0.0, -2.0, 7.25, 1.5, 0.125});
  auto printed = [&] {
    std::ostringstream out;
    out << x;
    CHECK(to_string(x) == out.str());
    return out.str();
  };
  // As PyTorch 2.15 prints.
  std::string usual =
      "tensor([ 3.3333e-01,  2.0050e+02,  1.0000e+05,  0.0000e+00, -2.0000e+00,\n"
      "         7.2500e+00,  1.5000e+00,  1.2500e-01])";
  CHECK(printed() == usual);
  {
    PrintOptionsGuard guard({.precision = 2, .sci_mode = false});
    CHECK(printed() ==
          "tensor([     0.33,    200.50, 100000.00,      0.00,     -2.00,      7.25,\n"
          "             1.50,      0.12])");
    set_printoptions({.threshold = 5, .edgeitems = 1});  // which lets precision be, and sets sci_mode
    CHECK(get_printoptions().precision == 2);
    CHECK(!get_printoptions().sci_mode);
    CHECK(printed() == "tensor([0.33,  ..., 0.12])");
    set_printoptions({.linewidth = 40, .profile = PrintProfile::Short});
    CHECK(printed() ==
          "tensor([ 3.33e-01,  2.00e+02,  1.00e+05,\n"
          "         0.00e+00, -2.00e+00,  7.25e+00,\n"
          "         1.50e+00,  1.25e-01])");
    set_printoptions({.profile = PrintProfile::Full});
    CHECK(get_printoptions().threshold == std::numeric_limits<std::int64_t>::max());
    CHECK(get_printoptions().linewidth == 80);
    CHECK_THROWS_WITH(set_printoptions({.precision = -1}), "set_printoptions: expected a precision in [0, 60], got -1");
    CHECK_THROWS_WITH(set_printoptions({.precision = 1, .edgeitems = -2}),
                      "set_printoptions: expected edgeitems of at least 0, got -2");
    CHECK(get_printoptions().precision == 4);
    std::thread([&] { CHECK(get_printoptions().threshold == 1000); }).join();
  }
  CHECK(printed() == usual);
}
