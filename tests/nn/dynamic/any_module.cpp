// Modules of types that are known at run time: everything that is done to modules, through them.
#include <memory>

#include <tenon/nn/dynamic/any_module.hpp>

#include "../support.hpp"

using namespace test;

namespace {

struct Net {
  nn::ModuleList layers{nn::Linear{2, 3}, nn::BatchNorm1d{3}, nn::Dropout{}};
  nn::ModuleDict heads{{"small", nn::Linear{3, 1}}, {"large", nn::Linear{3, 4}}};
  TENON_FIELDS(layers, heads)
};

}  // namespace

TEST_CASE("what is done to modules is done to those of unknown type", "[nn][dynamic]") {
  Net net;
  CHECK(names(nn::named_parameters(net)) ==
        std::vector<std::string>{"layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias",
                                 "heads.small.weight", "heads.small.bias", "heads.large.weight", "heads.large.bias"});
  CHECK(names(nn::named_buffers(net)) ==
        std::vector<std::string>{"layers.1.running_mean", "layers.1.running_var", "layers.1.num_batches_tracked"});
  nn::eval(net);
  CHECK_FALSE(net.layers[1].as<nn::BatchNorm1d>()->training);
  CHECK_FALSE(net.layers[2].as<nn::Dropout>()->training);
  CHECK(net.layers[0].as<nn::Dropout>() == nullptr);
  Net copy = nn::clone(net), shared = net;
  nn::init::zeros_(net.layers[0].as<nn::Linear>()->weight);
  CHECK(values(shared.layers[0].as<nn::Linear>()->weight) == std::vector<double>(6, 0.0));
  CHECK(values(copy.layers[0].as<nn::Linear>()->weight) != std::vector<double>(6, 0.0));
  nn::load_state(copy, nn::state(net));
  nn::to(copy, kDouble);
  CHECK(copy.heads.at("large")(ops::ones({1, 3}, "dtype"_a = kDouble)).dtype() == kDouble);
  std::vector<std::string> seen;
  nn::for_each_module(net.layers, [&](const std::string& name, const auto&) { seen.push_back(name); });
  CHECK(seen == std::vector<std::string>{"0", "1", "2"});
  CHECK(nn::to_string(net.heads) ==
        "ModuleDict(\n  (small): Linear(in_features=3, out_features=1, bias=True)\n"
        "  (large): Linear(in_features=3, out_features=4, bias=True)\n)");
}

TEST_CASE("lists of modules grow at run time", "[nn][dynamic]") {
  nn::ModuleList layers{nn::Linear{2, 64}, nn::ReLU{}};
  layers.push_back(nn::Linear{64, 1});
  CHECK(nn::parameter_count(layers) == 2 * 64 + 64 + 64 + 1);
}

TEST_CASE("erased modules are called with as many tensors as they take", "[nn][dynamic]") {
  nn::SequentialList list{{nn::Linear{2, 3}, nn::ReLU{}, [](const Tensor& x) { return x * 2; }}};
  Tensor x = ops::ones({4, 2});
  const nn::Linear& first = *list.parts[0].as<nn::Linear>();
  CHECK(values(list(x)) == values(first(x).relu() * 2));
  nn::AnyModule lstm = nn::LSTM{2, 3};
  CHECK(lstm.results({x}).size() == 3);
  CHECK_ERROR_CONTAINS(list.parts[1](x, x), TypeError, "ReLU does not take 2 tensors");
  CHECK_ERROR_CONTAINS(nn::AnyModule()(x), TypeError, "called without a module");
  nn::ModuleDict dict;
  CHECK_ERROR_CONTAINS(dict.at("a"), IndexError, "no module named 'a'");
  CHECK_ERROR_CONTAINS(dict["a.b"], ValueError, "can't be empty or contain");
}

TEST_CASE("erased modules are called with other arguments than tensors", "[nn][dynamic]") {
  struct Five {
    Tensor operator()(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d, const Tensor& e) const {
      return a + b + c + d + e;
    }
  };
  struct Scaled {
    Tensor operator()(const Tensor& x, double by, const std::string& sign = "+") const {
      return sign == "+" ? x * by : x * -by;
    }
  };
  Tensor one = ops::ones({2});
  nn::AnyModule five = Five{}, scaled = Scaled{};
  CHECK(values(five(one, one, one, one, one)) == std::vector<double>{5, 5});
  CHECK(values(scaled(one, 3)) == std::vector<double>{3, 3});
  CHECK(values(scaled(one, 0.5, "-")) == std::vector<double>{-0.5, -0.5});
  CHECK_ERROR_CONTAINS(scaled(one, "-"), TypeError,
                       "Scaled does not take 2 arguments of these types, 1 of them tensors");
  CHECK_ERROR_CONTAINS(five(one, one), TypeError, "Five does not take 2 tensors");

  using State = nn::LSTM::State;
  nn::AnyModule lstm = nn::LSTM{2, 3};
  const nn::LSTM& own = *lstm.as<nn::LSTM>();
  Tensor x = ops::ones({4, 1, 2});
  State state{ops::ones({1, 1, 3}), ops::zeros({1, 1, 3})};
  auto [y, last] = lstm.call<std::tuple<Tensor, State>>(x, state);
  CHECK(values(y) == values(std::get<0>(own(x, state))));
  CHECK(values(std::get<1>(last)) == values(std::get<1>(std::get<1>(own(x, state)))));
  nn::PackedSequence packed = nn::pack_padded_sequence(x, {4});
  auto out = lstm.call<std::tuple<nn::PackedSequence, State>>(packed);
  CHECK(values(std::get<0>(out).data) == values(y * 0 + std::get<0>(own(x))));
  CHECK_ERROR_CONTAINS(lstm.call<Tensor>(x), TypeError, "LSTM returns another type");

  nn::AnyModule up = nn::ConvTranspose1d{.in_channels = 1, .out_channels = 1, .kernel_size = 3, .stride = 2};
  CHECK(up(ops::ones({1, 1, 2}), IntArrayRef({6})).size(2) == 6);
  CHECK(up(ops::ones({1, 1, 2}), std::vector<std::int64_t>{5}).size(2) == 5);
  nn::AnyModule attention = nn::Hooked<nn::MultiheadAttention>(nn::MultiheadAttention{4, 2});
  Tensor q = ops::ones({3, 1, 4});
  using Pair = std::tuple<Tensor, Tensor>;
  CHECK_FALSE(
      std::get<1>(attention.call<Pair>(q, q, q, nn::MultiheadAttentionOptions{.need_weights = false})).defined());
}

namespace {
struct Generic {  // what it makes of a state does not compile
  auto operator()(const auto& x) const { return x + 1; }
};
struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const = 0;
};
struct OfShape {
  Tensor operator()(const Tensor& x) const { return x; }
};
struct OfShapeAlone {
  Tensor operator()(const Shape& s) const { return ops::full({1}, s.sides()); }
};
struct Base {
  int number = 0;
};
struct Derived : Base {
  Tensor y;
};
struct GivesDerived {
  Derived operator()(const Tensor& x) const { return {{3}, x * 2}; }
};
struct Sum {
  Tensor operator()(TensorList xs, double by) const { return ops::stack(xs).sum(0) * by; }
};
struct Narrow {
  Tensor operator()(const Tensor& x, int by) const { return x * by; }
};
}  // namespace

TEST_CASE("modules whose calls are templates, or of what cannot be copied, can be erased", "[nn][dynamic]") {
  Tensor one = ops::ones({2});
  CHECK(values(nn::AnyModule(Generic{})(one)) == std::vector<double>{2, 2});
  CHECK(values(nn::AnyModule(OfShape{})(one)) == std::vector<double>{1, 1});
  CHECK_ERROR_CONTAINS(nn::AnyModule(OfShapeAlone{})(one), TypeError, "OfShapeAlone does not take 1 tensors");
  // A struct with a base shows no fields.
  CHECK(values(nn::AnyModule(GivesDerived{}).call<Derived>(one).y) == std::vector<double>{2, 2});
  CHECK_ERROR_CONTAINS(nn::AnyModule(GivesDerived{})(one), TypeError, "GivesDerived returns no tensors");
}
TEST_CASE("an erased module takes numbers that lose no digit, and lists of tensors", "[nn][dynamic]") {
  Tensor one = ops::ones({2});
  nn::AnyModule sum = Sum{}, narrow = Narrow{};
  std::vector<Tensor> two{one, one};
  int seen = 0;
  sum.register_forward_pre_hook([&](std::vector<Tensor>& in) { seen = static_cast<int>(in.size()); });
  CHECK(values(sum(TensorList(two), 0.5F)) == std::vector<double>{1, 1});
  CHECK(values(sum(two, 2)) == std::vector<double>{4, 4});
  CHECK(seen == 2);
  CHECK(values(narrow(one, 3)) == std::vector<double>{3, 3});
  CHECK_ERROR_CONTAINS(narrow(one, std::int64_t{3}), TypeError, "Narrow does not take 2 arguments");
  CHECK_ERROR_CONTAINS(narrow(one, 3.0), TypeError, "Narrow does not take 2 arguments");
}
TEST_CASE("hooks do not look into what an argument points to", "[nn][dynamic]") {
  struct Scaled {
    Tensor operator()(const Tensor& x, const std::shared_ptr<Tensor>& by) const { return x * *by; }
  };
  nn::Hooked<Scaled> scaled = Scaled{};
  scaled.register_forward_pre_hook([](std::vector<Tensor>& in) {
    CHECK(in.size() == 1);
    in[0] = in[0] * 2;
  });
  auto by = std::make_shared<Tensor>(ops::full({2}, 3.0));
  Tensor before = *by;
  CHECK(values(scaled(ops::ones({2}), by)) == std::vector<double>{6, 6});
  CHECK(by->is_same(before));
}

TEST_CASE("hooks see and may change what goes in and what comes out", "[nn][dynamic]") {
  nn::Hooked<nn::Linear> layer = nn::Linear{2, 2};
  nn::AnyModule any = *layer;
  Tensor x = ops::ones({1, 2}), plain = (*layer)(x), twice = (*layer)(x * 2);
  int calls = 0;
  auto add = [&](auto& module) {
    auto first = module.register_forward_pre_hook([&](std::vector<Tensor>& in) { in[0] = in[0] * 2; });
    module.register_forward_hook([&](const std::vector<Tensor>& in, std::vector<Tensor>& out) {
      ++calls;
      CHECK(in.size() == 1);
      out[0] = out[0] + 1;
    });
    CHECK(values(module(x)) == values(twice + 1));
    CHECK(module.remove_hook(first));
    CHECK_FALSE(module.remove_hook(first));
    CHECK(values(module(x)) == values(plain + 1));
  };
  add(layer);
  add(any);
  CHECK(calls == 4);
  CHECK(names(nn::state(layer)) == std::vector<std::string>{"weight", "bias"});
  CHECK(nn::to_string(nn::Sequential{layer}) ==
        "Sequential(\n  (0): Linear(in_features=2, out_features=2, bias=True)\n)");
}
