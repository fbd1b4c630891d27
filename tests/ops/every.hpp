// Arguments for any operator, from its schema and the names of its arguments, for tests that walk the registry.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "every_layers.hpp"
#include "support.hpp"

namespace test::every {

/// The shapes of the tensors of one attempt, and the dtype of those that hold no indices.
struct Shapes {
  SymDimVector self, index, small;
  ScalarType dtype = kFloat;
};
/// Makes a tensor for the argument of a name.
using MakeTensor = std::function<Tensor(std::string_view name, const SymDimVector& sizes, ScalarType dtype)>;
struct Source {
  Shapes shapes;
  MakeTensor make;
  Device device = kMeta;
  bool defaults = false;  ///< take the schema's default where there is one
};

template <class... Name>
bool is_one_of(std::string_view name, Name... names) {
  return ((name == names) || ...);
}
inline std::int64_t row_major_stride(const SymDimVector& sizes, std::size_t d) {
  std::int64_t stride = 1;
  for (std::size_t k = d + 1; k < sizes.size(); ++k) stride *= sizes[k].guard_int();
  return stride;
}
inline Value tensor_for(std::string_view name, const Source& from) {
  const Shapes& s = from.shapes;
  bool indices = is_one_of(name, "index", "indices", "target"), mask = is_one_of(name, "mask", "condition"),
       number = is_one_of(name, "value", "total_weight"),
       small = is_one_of(name, "grad_output", "src", "vec", "vec1", "vec2");
  SymDimVector sizes = indices ? s.index : number ? SymDimVector() : small ? s.small : s.self;
  if (name == "grad_in") sizes.push_back(1);
  if (name == "mat" && !s.small.empty()) sizes = {s.small.back(), s.small.back()};
  return from.make(name, sizes, indices ? kLong : mask ? kBool : s.dtype);
}
/// The arguments of a convolution whose kernel covers the input; of a transposed one, whose kernel has one tap. Inputs
/// of more than one spatial dimension have no batch.
inline Value convolution_value(const schema::SchemaView& s, std::size_t i, const Source& from) {
  using schema::Kind;
  std::string_view op = s.name(), name = s.arg_name(i);
  const schema::TypeNode& node = s.type(s.arg(i));
  if (op.find("conv_tbc") != std::string_view::npos) {
    // The gradient comes first, by the name of self.
    const SymInt steps = from.shapes.self.empty() ? SymInt(1) : from.shapes.self[0];
    if (node.kind != Kind::Tensor) return std::int64_t{0};
    if (name == "weight") return from.make(name, {2, 3, 2}, from.shapes.dtype);
    if (name == "bias") return from.make(name, {2}, from.shapes.dtype);
    if (op.ends_with("backward") && name == "self") return from.make(name, {steps, 2, 2}, from.shapes.dtype);
    return from.make(name, {steps + 1, 2, 3}, from.shapes.dtype);
  }
  bool transposed = op.find("transpose") != std::string_view::npos;
  std::int64_t dims = op.find("2d") != std::string_view::npos ? 2 : op.find("3d") != std::string_view::npos ? 3 : 1;
  const SymDimVector& self = from.shapes.self;
  auto pick = [&](std::size_t d) { return d < self.size() ? self[d] : SymInt(1); };
  SymDimVector input{2, pick(1), pick(2)}, weight{2, dims == 1 ? pick(1) : SymInt(2)}, out{2, 2, 1};
  if (op.ends_with("_slow_conv2d_backward")) out = {2, 1, 1};
  if (dims == 3) input = {2, 1, pick(1), pick(2)};
  if (dims == 1 && transposed) weight = {pick(1), 2};
  for (std::int64_t d = 0; d < dims; ++d)
    weight.push_back(transposed || (dims == 3 && d == 0) ? SymInt(1) : pick(d == dims - 1 ? 2 : 1));
  switch (node.kind) {
    case Kind::Tensor:
      return from.make(name,
                       name == "weight"                        ? weight
                       : name == "grad_output" || name == "gO" ? out
                                                               : input,
                       from.shapes.dtype);
    case Kind::Str: return "valid";
    case Kind::List:
      if (s.node(node.child).kind == Kind::Bool) return Value::list({true, true, true}, ValueKind::Bool);
      if (name == "kernel_size") {
        std::vector<Value> taps;
        for (const SymInt& n : SymIntArrayRef(weight).slice(2, weight.size() - 2)) taps.emplace_back(n);
        return Value::list(std::move(taps), ValueKind::Int);
      }
      return Value::list({std::int64_t{name == "stride" || name == "dilation"}}, ValueKind::Int);
    case Kind::Bool: return false;
    case Kind::Optional: return Value();
    default: return std::int64_t{name == "groups"};
  }
}
/// The arguments of transforms from and to complex numbers; other arguments have none here.
inline std::optional<Value> transform_value(const schema::SchemaView& s, std::string_view name, const Source& from) {
  if (name == "out" && s.name().starts_with("aten::fft_") && s.name().find("fftfreq") == std::string_view::npos &&
      is_floating_type(from.shapes.dtype)) {
    bool real = s.name().find("_irfft") != std::string_view::npos || s.name().find("_hfft") != std::string_view::npos;
    return Value(from.make(name, from.shapes.self, real ? from.shapes.dtype : to_complex_type(from.shapes.dtype)));
  }
  const Shapes& shapes = from.shapes;
  if (bool back = s.name().starts_with("aten::istft"); back || s.name().starts_with("aten::stft")) {
    // Pieces of four points: the spectrum has three of them over time.
    if (name == "n_fft") return Value(std::int64_t{4});
    if (name != "self" || !is_floating_type(shapes.dtype)) return {};
    SymInt n = shapes.self.empty() ? SymInt(1) : shapes.self[0];
    return Value(from.make(name, back ? SymDimVector{3, n} : SymDimVector{n + 4}, to_complex_type(shapes.dtype)));
  }
  if (s.name().find("_fft_c2") == std::string_view::npos) return {};
  if (name == "self" && is_floating_type(shapes.dtype))
    return Value(from.make(name, shapes.self, to_complex_type(shapes.dtype)));
  if (name == "last_dim_size" && !shapes.self.empty()) return Value(SymInt(2) * (shapes.self[0] - SymInt(1)));
  return {};
}
/// What products and linear algebra ask for beyond the names of their arguments; nothing for other arguments.
inline std::optional<Value> matrix_value(std::string_view op, std::string_view name, const Source& from) {
  const SymDimVector& self = from.shapes.self;
  auto about = [&](const char* word) { return op.find(word) != std::string_view::npos; };
  auto made = [&](const SymDimVector& sizes) { return from.make(name, sizes, from.shapes.dtype); };
  if (name == "equation") return Value("...a,...a->...");
  if (name == "UPLO") return Value("L");
  if (name == "mode" && about("qr")) return Value("reduced");
  if (name == "ind") return Value(std::int64_t{2});
  if (name == "dim" && (about("matrix_norm") || about("nuclear_norm")))
    return Value::list({std::int64_t{-2}, std::int64_t{-1}}, ValueKind::Int);
  if (self.empty()) return std::nullopt;
  if (about("cross") && is_one_of(name, "self", "other") && !about("entropy"))
    return made(about("linalg") && !from.defaults ? SymDimVector{3, self.back()} : SymDimVector{self.back(), 3});
  if (op.starts_with("aten::addbmm") && name == "self" && self.size() == 3) return made({self[1], self[2]});
  if (about("bilinear") && name == "weight") return made({2, self.back(), self.back()});
  if (about("kron") && name == "other") return made({2});
  if (about("tensorsolve") && name == "other") return made(from.shapes.small);
  if (about("tensorinv") && name == "self") return made({self[0], 1, 1, self[0]});
  SymDimVector rows(self);
  rows.pop_back();
  if (name == "tau" || (name == "input2" && (about("ormqr") || about("orgqr")))) return made(rows);
  if (is_one_of(name, "pivots", "LU_pivots") && !about("factor")) {
    if (from.device == kMeta) return from.make(name, rows, kInt);
    return ops::ones(SymIntArrayRef(rows), "dtype"_a = kInt);
  }
  return std::nullopt;
}
/// Tensors whose last dimension is halved, or holds the parts of complex elements, and those of complex elements; null
/// for all others.
inline Value paired_value(std::string_view op, std::string_view name, const Source& from) {
  SymDimVector sizes = from.shapes.self;
  if (op.starts_with("aten::glu") && is_one_of(name, "self", "x", "dx", "grad_x") && !sizes.empty())
    sizes.back() = sizes.back() * 2;
  else if (op.starts_with("aten::view_as_complex"))
    sizes.push_back(2);
  else if (op == "aten::prelu" && name == "weight")
    sizes = {1};
  else if (!is_one_of(op, "aten::imag", "aten::view_as_real", "aten::view_as_real_copy", "aten::_conj",
                      "aten::_conj_copy"))
    return Value();
  bool complex = is_one_of(op, "aten::imag", "aten::_conj", "aten::_conj_copy") || op.starts_with("aten::view_as_real");
  return from.make(
      name, sizes,
      complex && is_floating_type(from.shapes.dtype) ? to_complex_type(from.shapes.dtype) : from.shapes.dtype);
}
/// Tensors that are written and have another dtype than the others, and the ends of ranges; nothing for all others.
inline std::optional<Value> typed_value(std::string_view op, std::string_view name, bool written, const Source& from) {
  ScalarType type = from.shapes.dtype;
  if (op == "aten::linspace" || op == "aten::logspace") {
    if (is_one_of(name, "start", "end")) return Value(from.make(name, {}, type));
  } else if (written && is_floating_type(type)) {
    if (op.starts_with("aten::float_power")) return Value(from.make(name, from.shapes.self, kDouble));
    if (op.starts_with("aten::_embedding_bag") && is_one_of(name, "out1", "out2", "out3"))
      return Value(from.make(name, from.shapes.self, kLong));
    if (op == "aten::hash_tensor") return Value(from.make(name, from.shapes.self, kUInt64));
    if (op == "aten::multinomial") return Value(from.make(name, from.shapes.self, kLong));
    if (op == "aten::_batch_norm_no_update" && name == "out3") return Value(from.make(name, from.shapes.self, kByte));
    if ((op == "aten::native_dropout" || op.find("_cachemask") != op.npos) && name == "out1")
      return Value(from.make(name, from.shapes.self, kBool));
    if (is_one_of(name, "pivots", "info")) return Value(from.make(name, from.shapes.self, kInt));
    if (op == "aten::frexp" && name == "exponent") return Value(from.make(name, from.shapes.self, kInt));
    if (is_one_of(op, "aten::complex", "aten::polar", "aten::view_as_complex_copy", "aten::_conj_copy"))
      return Value(from.make(name, from.shapes.self, to_complex_type(type)));
  }
  return {};
}
/// Arguments that only their operator explains; nothing for all others.
inline std::optional<Value> own_value(const schema::SchemaView& s, std::size_t i, const Source& from) {
  std::string_view op = s.name().substr(s.name().find(':') + 2), name = s.arg_name(i);
  op = op.substr(0, op.find('.'));
  const SymDimVector& self = from.shapes.self;
  const SymInt n = self.empty() ? SymInt(1) : self[0];
  auto make = [&](const SymDimVector& sizes) { return Value(from.make(name, sizes, from.shapes.dtype)); };
  auto integers = [](std::vector<std::int64_t> list) {
    std::vector<Value> items;
    for (std::int64_t x : list) items.emplace_back(x);
    return Value::list(std::move(items), ValueKind::Int);
  };
  std::size_t at = op.find("ection_pad"), other = op.find("ication_pad");
  if (at != op.npos || other != op.npos) {
    // One element before each padded dimension, of an image that has no batch.
    std::size_t dims = static_cast<std::size_t>(op[(at != op.npos ? at + 10 : other + 11)] - '0');
    if (name == "padding") {
      std::vector<std::int64_t> padding;
      for (std::size_t d = 0; d < dims; ++d) padding.insert(padding.end(), {1, 0});
      return integers(padding);
    }
    if (dims == 3 || name == "grad_output") {
      SymDimVector sizes{2};
      for (std::size_t d = 0; d < dims; ++d) {
        SymInt size = dims == 3 ? SymInt(d == 2 ? n : SymInt(2)) : d + 1 < self.size() ? self[d + 1] : SymInt(1);
        sizes.push_back(name == "grad_output" ? size + 1 : size);
      }
      if (name == "grad_output" && dims != 3 && !self.empty()) sizes[0] = self[0];
      return make(sizes);
    }
    return std::nullopt;
  }
  if (name == "pad") return integers({1, 0});
  if (op.find("histogramdd") != op.npos && !s.arg(i).write) {
    // Points of two coordinates.
    if (name == "self") return make({n, 2});
    if (name == "bins" && s.type(s.arg(i)).kind == schema::Kind::List) {
      if (s.node(s.type(s.arg(i)).child).kind != schema::Kind::Tensor) return integers({1, 2});
      return Value::list({make({3}), make({2})}, ValueKind::Tensor);
    }
  }
  if ((op == "repeat" || op == "tile") && (name == "repeats" || name == "dims"))
    return integers(std::vector<std::int64_t>(self.size(), 2));
  if (op == "diagflat" && name == "self") return make({n});
  if (op.find("moving_avg_obs") != op.npos) {
    // An observer at work, of a range that has numbers.
    if (name.ends_with("_on")) return Value(ops::ones({1}, "dtype"_a = kLong));
    if (name == "quant_max") return Value(std::int64_t{255});
    if (name == "zero_point") return Value(from.make("index", {1}, kInt));
    if (is_one_of(name, "running_min", "running_max", "scale")) return Value(from.make(name, {1}, kFloat));
  }
  if (op == "choose_qparams_optimized" && name != "input")
    return name == "ratio" ? Value(0.5) : Value(std::int64_t{name == "numel" ? 2 : name == "n_bins" ? 10 : 4});
  if (op == "bincount" && name == "self") return Value(from.make("index", {n}, kLong));
  if (op == "value_selecting_reduction_backward" && name == "keepdim") return Value(true);
  if (op.find("quantile") != op.npos && name == "q" && s.type(s.arg(i)).kind == schema::Kind::Tensor) return make({});
  if (op == "_pdist_backward" && (name == "grad_output" || name == "pdist")) return make({n * (n - 1) / 2});
  if (op == "_cdist_backward" && name == "grad_output") return make(self);
  if (op.find("_reduce") != op.npos && name == "reduce")
    return Value(op.starts_with("scatter_reduce") || op.find("segment") != op.npos ? "sum" : "prod");
  if (op.find("segment_reduce") != op.npos && name == "offsets") return Value(from.make(name, {2}, kLong));
  if (op == "_segment_reduce_backward" && (name == "grad" || name == "output")) {
    SymDimVector sizes = self.empty() ? SymDimVector{1} : self;
    sizes[0] = 1;
    return make(sizes);
  }
  if (op == "randint_like" && name == "high" && s.type(s.arg(i)).kind == schema::Kind::Tensor)
    return Value(ops::full({}, 5, "dtype"_a = kLong));
  if (op.find("sym_constrain_range") != op.npos && is_one_of(name, "min", "max")) return Value();
  if (op == "_thnn_differentiable_gru_cell_backward" && name.ends_with("gates") && self.size() == 2)
    return make({self[0], self[1] * SymInt(3)});
  if (name == "indexing") return Value("ij");
  if (name == "padding_side") return Value("left");
  if (is_one_of(name, "sections", "num_chunks", "upscale_factor", "downscale_factor", "groups"))
    return Value(std::int64_t{1});
  if (op == "narrow" && name == "start" && s.type(s.arg(i)).kind == schema::Kind::Tensor) return Value(tensor(0));
  if (name == "self" && is_one_of(op, "_local_scalar_dense", "is_nonzero", "_assert_async", "_functional_assert_async"))
    return Value(ops::ones({}, "dtype"_a = from.shapes.dtype));  // read, also for Meta
  if (op.starts_with("_philox")) {
    if (name == "key") return Value(from.make(name, {2}, kUInt64));
    if (name == "data" && s.type(s.arg(i)).kind == schema::Kind::Tensor) return Value(from.make(name, {}, kLong));
    if (name == "num_splits") return Value(std::int64_t{2});
    if (op.find("randint") != op.npos && is_one_of(name, "self", "out")) return Value(from.make(name, self, kLong));
  }
  if (op == "_rowwise_prune" && name == "mask") return Value(from.make(name, {n}, kBool));
  if (op == "_int_mm" && (name == "self" || name == "mat2"))
    return Value(from.make("index", SymDimVector(self), kChar));
  if (op == "_int_mm") return Value(from.make(name, self, kInt));
  if (op == "_scaled_mm" && (name == "self" || name == "mat2"))
    return Value(from.make(name, SymDimVector(self), kFloat8_e4m3fn));
  if (op == "_scaled_mm" && name.starts_with("scale_") && name != "scale_result")
    return Value(from.make(name, {}, kFloat));
  if (name == "tensor_indices_or_sections") return Value(ops::ones({1}, "dtype"_a = kLong));  // read, also for Meta
  if (name == "repeats" && s.type(s.arg(i)).kind == schema::Kind::Tensor)
    return Value(from.make(name, from.shapes.index, kLong));
  if (is_one_of(name, "edge_order", "bins") && s.type(s.arg(i)).kind == schema::Kind::Int)
    return Value(std::int64_t{1});
  if (name == "interpolation") return Value("linear");
  if (op == "pad" && name == "mode") return Value("reflect");
  if (op == "rot90" && name == "dims") return integers({0, 1});
  // Results of another dtype than their arguments.
  if (s.arg(i).write && is_one_of(op, "bucketize", "searchsorted", "repeat_interleave", "isin"))
    return Value(from.make(name, self, op == "isin" ? kBool : kLong));
  if (op == "gradient" && name == "spacing" && s.type(s.arg(i)).kind == schema::Kind::List) {
    if (s.node(s.type(s.arg(i)).child).kind != schema::Kind::Tensor) return Value::list({1.5}, ValueKind::Double);
    return Value::list({make({n})}, ValueKind::Tensor);
  }
  return std::nullopt;
}
/// What the names of the library's arguments ask for.
inline Value value_for(const schema::SchemaView& s, std::size_t i, const Source& from) {
  using schema::Kind;
  if (s.name().find("conv") != std::string_view::npos && !s.arg(i).write) return convolution_value(s, i, from);
  if (auto own = own_value(s, i, from)) return *own;
  const Shapes& shapes = from.shapes;
  std::string_view name = s.arg_name(i);
  if (!s.arg(i).write || !s.arg(i).kwarg_only)
    if (MaybeLayerValue v = layer_value({s.operator_name(), name, s.type(s.arg(i)).kind, shapes.self})) {
      if (v->value) return *v->value;
      if (!v->list.empty()) {
        std::vector<Value> tensors;
        for (const SymDimVector& sizes : v->list) tensors.emplace_back(from.make(name, sizes, shapes.dtype));
        return Value::list(std::move(tensors), ValueKind::Tensor);
      }
      return from.make(name, *v->shape, v->dtype ? *v->dtype : shapes.dtype);
    }
  if (auto v = transform_value(s, name, from)) return *v;
  if (auto value = matrix_value(s.name(), name, from); value && !s.arg(i).kwarg_only) return *value;
  if (s.arg(i).write && (s.name() == "aten::linalg_eig" || s.name() == "aten::linalg_eigvals"))
    return from.make(name, from.shapes.self, kComplexFloat);
  const schema::TypeNode* node = &s.type(s.arg(i));
  if (node->kind == Kind::Tensor)
    if (auto v = typed_value(s.name(), name, s.arg(i).write, from)) return *v;
  if (node->kind == Kind::Tensor && !s.arg(i).write)
    if (Value paired = paired_value(s.name(), name, from); !paired.is_none()) return paired;
  if (name == "dim" && s.name().starts_with("aten::glu")) return std::int64_t{-1};
  if (node->kind == Kind::Optional) {
    node = &s.node(node->child);
    if (node->kind != Kind::Device && !is_one_of(name, "min", "max")) return Value();
  }
  // A limit for each element of a large matrix would be as many matrices.
  if (node->kind == Kind::Tensor && is_one_of(name, "atol", "rtol", "rcond", "tol"))
    return Value(from.make(name, {}, shapes.dtype));
  switch (node->kind) {
    case Kind::Tensor: return tensor_for(name, from);
    case Kind::Device: return from.device;
    case Kind::Storage: return ops::zeros({64}, "dtype"_a = kDouble, "device"_a = from.device).storage();
    case Kind::ScalarType: return shapes.dtype;
    case Kind::MemoryFormat: return std::int64_t{0};
    case Kind::Str: return name == "reduce" ? "add" : is_one_of(name, "ord", "p") ? "fro" : "none";
    case Kind::Bool: return false;
    case Kind::Scalar: return is_floating_type(shapes.dtype) ? Value(1.0) : Value(std::int64_t{1});
    case Kind::Float: return s.name().find("geometric") != std::string_view::npos ? 0.5 : 1.0;
    case Kind::Int:
    case Kind::SymInt:
      return std::int64_t{is_one_of(name, "dim1", "k", "num_classes", "chunks", "to", "high", "end", "step", "length",
                                    "size", "split_size", "num_samples", "p")};
    case Kind::List: {
      const schema::TypeNode& item = s.node(node->child);
      Kind element = item.kind == Kind::Optional ? s.node(item.child).kind : item.kind;
      if (element == Kind::Tensor) {
        // One index tensor serves a tensor of any number of dimensions.
        bool indexes = item.kind == Kind::Optional;
        std::vector<Value> tensors(indexes || s.name().find("split_with_sizes") != std::string_view::npos ? 1 : 2,
                                   Value());
        for (Value& t : tensors) t = tensor_for(name, from);
        return Value::list(std::move(tensors), ValueKind::Tensor);
      }
      std::vector<Value> items;
      bool sizes = name.find("size") != std::string_view::npos || name == "shape";
      if (sizes || name == "stride" || (name == "dims" && s.name() == "aten::permute"))
        for (std::size_t d = 0; d < shapes.self.size(); ++d)
          items.push_back(sizes                  ? Value(shapes.self[d])
                          : name == "dims"       ? Value(static_cast<std::int64_t>(d))
                          : from.device == kMeta ? Value(std::int64_t{1})
                                                 : Value(row_major_stride(shapes.self, d)));
      else
        items.emplace_back(std::int64_t{0});
      return Value::list(std::move(items), ValueKind::Int);
    }
    default: return Value();
  }
}
inline Stack arguments_for(const OperatorHandle& op, const Source& from) {
  const auto& s = op.schema();
  if (!from.defaults) {
    Stack stack;
    for (std::size_t i = 0; i < s.n_args(); ++i) stack.push_back(value_for(s, i, from));
    return stack;
  }
  std::vector<NamedValue> named;
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (!s.arg(i).has_default()) named.push_back({std::string(s.arg_name(i)), value_for(s, i, from)});
  return match_arguments(s, {}, std::move(named));
}
inline bool takes_tensor(const schema::SchemaView& s) {
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    const schema::TypeNode& node = s.type(s.arg(i));
    const schema::TypeNode& item = node.kind == schema::Kind::List ? s.node(node.child) : node;
    if (item.kind == schema::Kind::Tensor) return true;
  }
  return false;
}
/// Whether an operator is about the memory of a device, which these programs lack.
inline bool needs_device(std::string_view name) {
  return name.find("pin_memory") != std::string_view::npos || name == "aten::record_stream";
}
/// The library's own operators that take a tensor; an optimiser's step and what other back ends bring are left out.
inline std::vector<OperatorHandle> operators() {
  std::vector<OperatorHandle> out;
  for (const OperatorHandle& op : Registry::get().operators()) {
    const auto& s = op.schema();
    if ((s.name().starts_with("aten::") || s.name().starts_with("tenon::")) && takes_tensor(s) &&
        !needs_device(s.name()) && s.name().find("_fused_") == std::string_view::npos &&
        s.name().find("_overrideable") == std::string_view::npos)
      out.push_back(op);
  }
  return out;
}
/// The library's own operators that take no tensor: factories, windows, questions about dtypes.
inline std::vector<OperatorHandle> operators_without_tensor() {
  std::vector<OperatorHandle> out;
  for (const OperatorHandle& op : Registry::get().operators()) {
    const auto& s = op.schema();
    if ((s.name().starts_with("aten::") || s.name().starts_with("tenon::")) && !takes_tensor(s)) out.push_back(op);
  }
  return out;
}
/// The tensors of a value: itself, or of a list or tuple those in it.
inline void collect(const Value& v, std::vector<Tensor>& out) {
  if (v.is_tensor())
    out.push_back(v.to_tensor());
  else if (v.is_list())
    for (const Value& item : v.to_list()) collect(item, out);
}
inline std::vector<Tensor> tensors_of(const Stack& stack) {
  std::vector<Tensor> out;
  for (const Value& v : stack) collect(v, out);
  return out;
}
/// Numbers between two bounds without a pattern that operators could have; whole ones for integers, 0 and 1 for bools.
inline Tensor scattered(const DimVector& sizes, ScalarType dtype, double low, double high, std::int64_t seed) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  Tensor t = ops::remainder(ops::arange(n, "dtype"_a = kDouble) * 0.6180339887498949 + 0.1234567 * (seed + 1), 1.0);
  t = (t * (high - low) + low).view(sizes);
  return dtype == kBool ? t > (low + high) / 2 : t.to(dtype);
}
/// Places below `n` of which no two are the same along any dimension that is no longer than `n`.
inline Tensor places(const DimVector& sizes, std::int64_t n) {
  Tensor t = ops::zeros(sizes, "dtype"_a = kLong);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    DimVector shape(sizes.size(), 1);
    shape[d] = sizes[d];
    t = t + ops::arange(sizes[d]).view(shape);
  }
  return ops::remainder(t, n);
}
inline DimVector plain(const SymDimVector& sizes) {
  DimVector out;
  for (const SymInt& s : sizes) out.push_back(s.guard_int());
  return out;
}
/// Equal to a rounding, in dtype, shape and elements; not-a-numbers are equal.
inline bool same_elements(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() || a.is_meta() != b.is_meta()) return false;
  if (a.is_meta() || a.numel() == 0) return true;
  auto flat = [](const Tensor& t) { return (t.is_complex() ? ops::abs(t.to(kComplexDouble)) : t.to(kDouble)); };
  std::vector<double> x = values(flat(a)), y = values(flat(b));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - y[i]) <= 1e-5 * (1 + std::abs(x[i])) || (std::isnan(x[i]) && std::isnan(y[i])) ||
          x[i] == y[i]))
      return false;
  return true;
}
/// Whether an argument is written by position, as in-place operators do, or by keyword, as out forms do.
enum class Writes { Nothing, Self, Out };
inline Writes writes_of(const schema::SchemaView& s) {
  Writes w = Writes::Nothing;
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    if (!s.arg(i).write) continue;
    if (s.arg(i).kwarg_only || i > 0) return Writes::Out;
    w = Writes::Self;
  }
  return w;
}

/// The shapes that between them suit every operator. Where new operators need another, add it here, with at most two
/// dimensions of `n`, which is 190 for some tests; what an argument's name asks for is said in `tensor_for` and
/// `value_for`.
inline std::vector<Shapes> all_shapes(const SymInt& n) {
  return {{{n, n}, {n, n}, {n, n}},       {{n, n}, {n}, {n}},       {{n}, {n}, {n}},
          {{2, n, n}, {2, n}, {2, n, n}}, {{n, 1}, {n, 1}, {n, 1}}, {{n, n}, {n, n}, {n, n}, kLong},
          {{n, n}, {n, n}, {n, n}, kBool}};
}

}  // namespace test::every
