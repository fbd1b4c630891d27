// Calls of an operator, made from its schema alone.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/testing/assert_close.hpp>
#include <tenon/testing/sample_tensor.hpp>

namespace tenon::testing {

/// One call: all arguments of the schema, and what they serve for.
struct Sample {
  enum class Kind : std::uint8_t {
    Base,       ///< small tensors of float32
    Optional,   ///< the same with tensors that the schema lets be none
    Broadcast,  ///< tensors of different shapes
    Dtype,      ///< other element types, also mixed ones
    Empty,      ///< tensors without elements, or without dimensions
    Huge,       ///< infinities, not-a-numbers, the greatest and the smallest numbers
    Long,       ///< enough elements for several threads
  };
  Kind kind = Kind::Base;
  std::string text;  ///< the arguments in words: `self=float32[2, 3], beta=1`
  Stack arguments;
};

/// What samples() cannot read in a schema, and what it varies.
struct SampleOptions {
  /// What the type does not tell: the values of arguments, by name. Others take the schema's default, or what suits
  /// their type.
  std::vector<std::pair<std::string, Value>> arguments{};
  std::vector<ScalarType> dtypes{kDouble, kHalf, kBFloat16, kByte,         kChar,         kShort,
                                 kInt,    kLong, kBool,     kComplexFloat, kComplexDouble};
  std::int64_t long_elements = 100000;  ///< about how many elements the longest tensors have
};

namespace detail {

inline constexpr ScalarType kElementTypes[] = {
#define X(CPP, NAME, ...) ScalarType::NAME,
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
};

/// Finds the calls that an operator accepts: first one, then all that vary it.
class SampleMaker {
 public:
  SampleMaker(OperatorHandle op, const SampleOptions& options) : op_(op), options_(options) {
    const schema::SchemaView& s = op.schema();
    for (std::size_t i = 0; i < s.n_args(); ++i) n_tensors_ += given(i) ? 0 : tensors_in(s.type(s.arg(i)));
  }

  std::vector<Sample> make() {
    if (!find_base()) return {};
    add(Sample::Kind::Base, base_);
    add_optional();
    for (ScalarType dtype : options_.dtypes) {
      add_changed(Sample::Kind::Dtype, [&](SampleTensor& t, std::size_t) { t.dtype = dtype; });
      if (n_tensors_ > 1)
        add_changed(Sample::Kind::Dtype, [&](SampleTensor& t, std::size_t i) { t.dtype = i == 1 ? dtype : t.dtype; });
    }
    for (std::size_t k = 0; n_tensors_ > 1 && k < n_tensors_; ++k) {
      auto only = [&](auto change) {
        add_changed(Sample::Kind::Broadcast, [&](SampleTensor& t, std::size_t i) {
          if (i == k && !t.sizes.empty()) change(t.sizes);
        });
      };
      only([](DimVector& sizes) { sizes.back() = 1; });
      only([](DimVector& sizes) { sizes.front() = 1; });
      only([](DimVector& sizes) { sizes = DimVector(IntArrayRef(sizes).slice(1, sizes.size() - 1)); });
      only([](DimVector& sizes) { sizes = DimVector(); });
    }
    for (std::size_t d = 0; d < 3; ++d)
      add_changed(Sample::Kind::Empty, [&](SampleTensor& t, std::size_t) {
        if (d < t.sizes.size()) t.sizes[d] = 0;
      });
    add_changed(Sample::Kind::Empty, [](SampleTensor& t, std::size_t) { t.sizes = DimVector(); });
    for (ScalarType dtype : {kFloat, kDouble, kHalf, kLong})
      add_changed(Sample::Kind::Huge, [&](SampleTensor& t, std::size_t) { t.dtype = dtype, t.huge = true; });
    add_changed(Sample::Kind::Long, [&](SampleTensor& t, std::size_t) {
      std::int64_t factor = 1, count = 1;
      for (std::int64_t size : t.sizes) count *= size;
      auto grown = [&](std::int64_t f) {
        std::int64_t n = 1;
        for (std::int64_t size : t.sizes) n *= size == 1 ? 1 : size * f;
        return n;
      };
      while (count > 1 && grown(factor * 2) <= options_.long_elements * 2) factor *= 2;
      for (std::int64_t& size : t.sizes) size *= size == 1 ? 1 : factor;
    });
    return std::move(samples_);
  }
  /// The dtypes with which the first call that is found is accepted, one for all its tensors but those of places.
  std::vector<ScalarType> dtypes() {
    std::vector<ScalarType> found;
    auto of = [](const Plan& like, ScalarType dtype) {
      Plan plan = like;
      for (SampleTensor& t : plan.tensors)
        if (!t.places) t.dtype = dtype;
      return plan;
    };
    // What floats are refused by, integers or complex numbers may be meant for.
    for (ScalarType first : {kFloat, kLong, kBool, kComplexFloat}) {
      if (!find_base(first)) continue;
      for (ScalarType dtype : kElementTypes)
        if (accepted(of(base_, dtype))) found.push_back(dtype);
      break;
    }
    return found;
  }
  std::size_t n_tensors() const { return n_tensors_; }
  /// Why the last call that was tried is none.
  const std::string& refusal() const { return refusal_; }

 private:
  struct Plan {
    std::vector<SampleTensor> tensors;
    int choice = 0;                                                // of the other arguments
    std::vector<std::pair<std::size_t, SampleTensor>> optional{};  // arguments that are given although they may be none
  };

  const Value* given(std::size_t i) const {
    for (const auto& [name, value] : options_.arguments)
      if (name == op_.schema().arg_name(i)) return &value;
    return nullptr;
  }
  std::size_t tensors_in(const schema::TypeNode& node) const {
    if (node.kind == schema::Kind::Tensor) return 1;
    return node.kind == schema::Kind::List && op_.schema().node(node.child).kind == schema::Kind::Tensor ? 2 : 0;
  }
  /// A value of a type; nothing where none is known.
  std::optional<Value> value_of(const schema::TypeNode& node, int choice) const {
    using schema::Kind;
    switch (node.kind) {
      case Kind::Optional:
        if (choice < 2) return Value();
        return value_of(op_.schema().node(node.child), choice - 2);
      case Kind::Int:
      case Kind::SymInt: return Value(std::int64_t{choice % 2});
      case Kind::Float:
      case Kind::SymFloat: return Value(choice % 2 ? 1.0 : 0.5);
      case Kind::Scalar: return choice % 2 ? Value(std::int64_t{1}) : Value(0.75);
      case Kind::Complex: return Value(Complex<double>(0.5, 0.25));
      case Kind::Bool:
      case Kind::SymBool: return Value(choice % 2 == 1);
      case Kind::ScalarType: return Value(kFloat);
      case Kind::Layout: return Value(kStrided);
      case Kind::MemoryFormat: return Value(std::int64_t{0});
      case Kind::Device: return Value(kCPU);
      case Kind::List: {
        std::optional<Value> item = value_of(op_.schema().node(node.child), choice);
        if (!item) return std::nullopt;
        std::vector<Value> items(static_cast<std::size_t>(node.size > 0 ? node.size : 1), *item);
        return Value::list(std::move(items), item->kind());
      }
      default: return std::nullopt;
    }
  }
  std::optional<Stack> stack_of(const Plan& plan) {
    const schema::SchemaView& s = op_.schema();
    std::vector<NamedValue> named;
    std::size_t next = 0;
    auto tensor = [&] {
      const SampleTensor& like = plan.tensors[next];
      return Value(sample_tensor(like, next++));
    };
    for (std::size_t i = 0; i < s.n_args(); ++i) {
      const schema::TypeNode& node = s.type(s.arg(i));
      std::optional<Value> value;
      if (const Value* own = given(i)) {
        value = *own;
        ::tenon::detail::each_tensor(*value, [](Tensor& t) { t = ops::clone(t.detach()); });
      } else if (std::size_t n = tensors_in(node); n == 1) {
        value = tensor();
      } else if (n == 2) {
        Value first = tensor();
        value = Value::list({first, tensor()}, ValueKind::Tensor);
      } else if (auto as = std::find_if(plan.optional.begin(), plan.optional.end(),
                                        [i](const auto& o) { return o.first == i; });
                 as != plan.optional.end()) {
        value = Value(sample_tensor(as->second, 100 + i));
      } else if (s.arg(i).has_default() && plan.choice < 2) {
        continue;
      } else {
        value = value_of(node, plan.choice);
      }
      if (!value) {
        refusal_ = concat("nothing is known of the argument '", s.arg_name(i), "'");
        return std::nullopt;
      }
      named.push_back({std::string(s.arg_name(i)), std::move(*value)});
    }
    return match_arguments(s, {}, std::move(named));
  }
  std::string text_of(const Stack& arguments) const {
    std::string text;
    auto one = [&](const Value& v, auto& self) -> std::string {
      if (v.is_tensor() && v.to_tensor().defined()) return concat(v.to_tensor().dtype(), v.to_tensor().sizes());
      if (!v.is_list()) return to_string(v);
      std::string list;
      for (const Value& item : v.to_list()) list += (list.empty() ? "" : ", ") + self(item, self);
      return "[" + list + "]";
    };
    for (std::size_t i = 0; i < arguments.size(); ++i)
      text += concat(i ? ", " : "", op_.schema().arg_name(i), "=", one(arguments[i], one));
    return text;
  }
  /// The call that a plan makes, if the operator accepts it.
  std::optional<Stack> accepted(const Plan& plan) {
    try {
      std::optional<Stack> arguments = stack_of(plan), called = arguments ? stack_of(plan) : std::nullopt;
      if (called) op_.call_boxed(*called);
      return arguments;
    } catch (const Error& e) {
      refusal_ = e.summary();
      return std::nullopt;
    }
  }
  void add(Sample::Kind kind, const Plan& plan) {
    std::optional<Stack> arguments = accepted(plan);
    if (!arguments) return;
    std::string text = text_of(*arguments);
    if (kind == Sample::Kind::Huge) text += ", huge";
    for (const Sample& s : samples_)
      if (s.text == text) return;
    samples_.push_back({kind, std::move(text), std::move(*arguments)});
  }
  template <class F>
  void add_changed(Sample::Kind kind, F change) {
    Plan plan = base_;
    for (std::size_t i = 0, k = 0; i < plan.tensors.size(); ++i)
      if (plan.tensors[i].places)
        ++k;
      else
        change(plan.tensors[i], i - k);
    if (n_tensors_ > 0) add(kind, plan);
  }
  /// Each tensor that may be none alone, and all of them, of a shape and dtype that the operator accepts.
  void add_optional() {
    const schema::SchemaView& s = op_.schema();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < s.n_args(); ++i) {
      const schema::TypeNode& node = s.type(s.arg(i));
      if (node.kind == schema::Kind::Optional && s.node(node.child).kind == schema::Kind::Tensor && !given(i))
        places.push_back(i);
    }
    std::vector<SampleTensor> kinds;
    SampleTensor like;
    if (!base_.tensors.empty()) like = base_.tensors[0];
    like.places = false;
    std::vector<DimVector> shapes{like.sizes, {}};
    if (like.sizes.size() > 1)
      shapes.insert(shapes.begin() + 1, {{like.sizes.back()}, {like.sizes[1]}, {like.sizes[0]}});
    for (bool place : {false, true})
      for (const DimVector& sizes : shapes) kinds.push_back({sizes, place ? kLong : like.dtype, place});
    Plan all = base_;
    auto found = [&](Plan plan, const std::vector<std::size_t>& which) {
      for (const SampleTensor& kind : kinds) {
        plan.optional.clear();
        for (std::size_t i : which) plan.optional.emplace_back(i, kind);
        if (!accepted(plan)) continue;
        add(Sample::Kind::Optional, plan);
        return plan.optional;
      }
      return decltype(plan.optional)();
    };
    for (std::size_t i : places)
      if (auto one = found(base_, {i}); !one.empty()) all.optional.push_back(one[0]);
    if (places.size() < 2) return;
    if (all.optional.size() > 1 && accepted(all))
      add(Sample::Kind::Optional, all);
    else
      found(base_, places);
  }
  /// Small tensors of one shape, then of shapes that belong together; after those, with later tensors of places.
  bool find_base(ScalarType dtype = kFloat) {
    using Shapes = std::vector<DimVector>;
    const Shapes kinds[] = {{{2, 3}},
                            {{3, 3}},
                            {{3}},
                            {{2, 3}, {3}},
                            {{2, 3, 4}},
                            {{1, 2, 4, 4}},
                            {{3, 3}, {3}},
                            {{}},
                            {{3}, {3, 3}, {3}},
                            {{2, 3, 3}},
                            {{1, 2, 4, 4}, {2, 2, 3, 3}, {2}},
                            {{1, 2, 4, 4, 4}}};
    for (int choice = 0; choice < 4; ++choice)
      for (bool places : {false, true})
        for (const Shapes& shapes : kinds) {
          if (places && n_tensors_ < 2) continue;
          base_ = {{}, choice, {}};
          for (std::size_t i = 0; i < n_tensors_; ++i) {
            bool place = places && i > 0;
            base_.tensors.push_back({shapes[std::min(i, shapes.size() - 1)], place ? kLong : dtype, place});
          }
          if (accepted(base_)) return true;
        }
    return false;
  }

  OperatorHandle op_;
  const SampleOptions& options_;
  std::size_t n_tensors_ = 0;
  Plan base_;
  std::vector<Sample> samples_;
  std::string refusal_;
};

}  // namespace detail

/// Calls that an operator accepts, made from its schema: one of small tensors, then those with other dtypes, shapes
/// that broadcast, no elements, the greatest numbers, and many elements, as far as the operator accepts them.
/// Errors: ValueError if there is no such operator, or none of the calls that its schema suggests is accepted.
inline std::vector<Sample> samples(std::string_view name, const SampleOptions& options = {}) {
  OperatorHandle op = Registry::get().find_schema(name);
  TENON_CHECK(op, ValueError, "samples(): no operator is named '", name, "'");
  for (const auto& [argument, value] : options.arguments)
    TENON_CHECK(op.schema().find_argument(argument) >= 0, ValueError, "samples(): ", name, " has no argument '",
                argument, "'");
  detail::SampleMaker maker(op, options);
  std::vector<Sample> made = maker.make();
  TENON_CHECK(!made.empty(), ValueError, "samples(): ", name,
              " accepts none of the calls that its schema suggests; name the values of its arguments in "
              "SampleOptions::arguments, or give an example to opcheck(). The last one was refused: ",
              maker.refusal());
  return made;
}

/// The dtypes that an operator takes on the CPU, as calls find out that its schema suggests: one for all its tensors,
/// or, where it takes none, for its argument `dtype`. Others may go through in calls that mix dtypes. Empty where no
/// such call is accepted.
/// Errors: ValueError if there is no such operator.
inline std::vector<ScalarType> accepted_dtypes(std::string_view name, SampleOptions options = {}) {
  OperatorHandle op = Registry::get().find_schema(name);
  TENON_CHECK(op, ValueError, "accepted_dtypes(): no operator is named '", name, "'");
  if (detail::SampleMaker maker(op, options); maker.n_tensors() > 0) return maker.dtypes();
  std::vector<ScalarType> found;
  if (op.schema().find_argument("dtype") < 0) return found;
  options.arguments.emplace_back("dtype", Value());
  for (ScalarType dtype : detail::kElementTypes) {
    options.arguments.back().second = Value(dtype);
    if (!detail::SampleMaker(op, options).make().empty()) found.push_back(dtype);
  }
  return found;
}

}  // namespace tenon::testing
