// What modules save beyond their tensors, and what they do with what they are given.
#include <tenon/nn/dynamic/any_module.hpp>
#include <tenon/nn/dynamic/assign_state.hpp>
#include <tenon/training/checkpoint.hpp>

#include "support.hpp"

using namespace test;

namespace {

/// Scales by a number that it learns by counting, which is no tensor.
struct Counting {
  nn::Linear layer{2, 2};
  std::int64_t seen = 0;
  bool broken = false;
  TENON_FIELDS(layer)

  Tensor extra_state() const { return tensor({seen}); }
  void set_extra_state(const Tensor& state) {
    if (broken) throw std::runtime_error("no such count");
    seen = state.item<std::int64_t>();
  }
};
struct TwoCounts {
  Counting a, b;
  TENON_FIELDS(a, b)
};
/// Called its weight `kernel` once.
struct Renamed {
  nn::Linear layer{2, 2};
  TENON_FIELDS(layer)

  void load_state_dict_pre_hook(nn::NamedTensors& state, const std::string& prefix) const {
    for (auto& [name, t] : state)
      if (name == prefix + "kernel") name = prefix + "layer.weight";
  }
  void state_dict_post_hook(nn::NamedTensors& state, const std::string& prefix) const {
    for (std::size_t i = 0; i < state.size(); ++i)
      if (state[i].first == prefix + "layer.bias") state.erase(state.begin() + static_cast<std::ptrdiff_t>(i--));
  }
};
struct Holder {
  nn::Linear first{2, 2};
  Renamed second;
  TENON_FIELDS(first, second)
};
/// Has nothing to save before it is first loaded.
struct Late {
  Tensor kept;
  TENON_FIELDS()
  Tensor extra_state() const { return kept; }
  void set_extra_state(const Tensor& state) { kept = state; }
};

}  // namespace

TEST_CASE("a module's extra state is saved under its name and given back", "[nn][state]") {
  TwoCounts from, to;
  from.a.seen = 7;
  from.b.seen = 9;
  nn::NamedTensors state = nn::state(from);
  CHECK(names(state) == std::vector<std::string>{"a._extra_state", "a.layer.weight", "a.layer.bias", "b._extra_state",
                                                 "b.layer.weight", "b.layer.bias"});
  nn::load_state(to, state);
  CHECK((to.a.seen == 7 && to.b.seen == 9));
  CHECK(values(to.b.layer.weight) == values(from.b.layer.weight));
  // A module of its own has no prefix.
  CHECK(nn::state(from.a)[0].first == "_extra_state");
  to.a.seen = to.b.seen = 0;
  nn::assign_state(to, state);
  CHECK((to.a.seen == 7 && to.b.seen == 9));
}

TEST_CASE("an extra state that is absent is missing, and one that is unknown unexpected", "[nn][state]") {
  Counting net;
  net.seen = 3;
  nn::NamedTensors state = nn::state(net);
  state.erase(state.begin());
  CHECK_ERROR(nn::load_state(net, state), ValueError,
              "load_state(): expected the extra state '_extra_state', got none among 2 tensors");
  CHECK_ERROR(nn::assign_state(net, state), ValueError,
              "assign_state(): expected the extra state '_extra_state', got none among 2 tensors");
  CHECK(nn::load_state(net, state, false).missing_keys == std::vector<std::string>{"_extra_state"});
  CHECK(net.seen == 3);
  nn::NamedTensors other = nn::state(net.layer);
  other.emplace_back("_extra_state", tensor({1}));
  CHECK_ERROR_CONTAINS(nn::load_state(net.layer, other), ValueError, "tensor '_extra_state': the module has no tensor");
  Late late;
  CHECK(nn::state(late).empty());
  nn::load_state(late, {});
  nn::load_state(late, {{"_extra_state", tensor({4.0})}});
  CHECK(late.kept.item<double>() == 4);
}

TEST_CASE("what an extra state's function throws leaves the module as it was", "[nn][state]") {
  TwoCounts from, to;
  from.a.seen = 7;
  to.a.seen = 1;
  to.b.broken = true;
  auto before = values(to.a.layer.weight);
  CHECK_THROWS_AS(nn::load_state(to, nn::state(from)), std::runtime_error);
  CHECK(to.a.seen == 1);
  CHECK(values(to.a.layer.weight) == before);
  nn::NamedTensors state = nn::state(from);
  state.back().second = ops::zeros({3});
  CHECK_THROWS_AS(nn::load_state(to, state), ValueError);
  CHECK(to.a.seen == 1);
}

TEST_CASE("hooks of a module change what is saved and what is loaded", "[nn][state]") {
  Holder from, to;
  nn::NamedTensors state = nn::state(from);
  CHECK(names(state) == std::vector<std::string>{"first.weight", "first.bias", "second.layer.weight"});
  state[2].first = "second.kernel";
  auto bias = values(to.second.layer.bias);
  nn::IncompatibleKeys apart = nn::load_state(to, state, false);
  CHECK(apart.missing_keys == std::vector<std::string>{"second.layer.bias"});
  CHECK(apart.unexpected_keys.empty());
  CHECK(values(to.second.layer.weight) == values(from.second.layer.weight));
  CHECK(values(to.second.layer.bias) == bias);
  // The list that was given is not changed.
  CHECK(state[2].first == "second.kernel");
}

TEST_CASE("extra states and hooks are found behind types that are known at run time only", "[nn][state]") {
  Counting counting;
  counting.seen = 5;
  nn::ModuleList from{counting, Renamed()}, to{Counting(), Renamed()};
  nn::NamedTensors state = nn::state(from);
  CHECK(names(state) == std::vector<std::string>{"0._extra_state", "0.layer.weight", "0.layer.bias", "1.layer.weight"});
  state[3].first = "1.kernel";
  state.emplace_back("1.layer.bias", ops::ones({2}));
  nn::load_state(to, state);
  CHECK(to[0].as<Counting>()->seen == 5);
  CHECK(values(to[1].as<Renamed>()->layer.weight) == values(from[1].as<Renamed>()->layer.weight));
  CHECK(values(to[1].as<Renamed>()->layer.bias) == std::vector<double>{1, 1});
}

TEST_CASE("a checkpoint holds extra states", "[nn][state]") {
  const std::string path = "state_extra.safetensors";
  Counting from, to;
  from.seen = 11;
  training::save_checkpoint(path, {{"model", from}});
  training::load_checkpoint(path, {{"model", to}});
  CHECK(to.seen == 11);
  std::remove(path.c_str());
}
