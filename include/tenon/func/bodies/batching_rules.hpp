// Batching rules by family.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/func/batching_forms.hpp>
#include <tenon/func/batching_gradients.hpp>
#include <tenon/func/batching_layers.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/batching_rules.hpp>
#include <tenon/func/batching_sequences.hpp>
#include <tenon/func/batching_steps.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon::func::detail {

// ---- pointwise: dimensions are aligned from the right, so the batch goes to the left of them all

inline Tensor with_rank(Tensor physical, std::int64_t rank) {
  while (physical.dim() - 1 < rank) physical = ops::unsqueeze(physical, 1);
  return physical;
}

TENON_COLD_BODY bool pointwise_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  std::int64_t rank = 0;
  bool mixed = false;
  ScalarType first = ScalarType::Undefined;
  for (std::size_t i = 0; i < c.given.size(); ++i) {
    if (c.given[i].is_list()) {
      bool tensors = false;
      each_tensor(c.given[i], [&](const Tensor&) { tensors = true; });
      if (tensors) return false;
    }
    if (!c.given[i].is_tensor() || !c.given[i].to_tensor().defined()) continue;
    rank = std::max(rank, rank_of(c, i));
    ScalarType dtype = c.given[i].to_tensor().dtype();
    if (first == ScalarType::Undefined) first = dtype;
    mixed = mixed || dtype != first;
  }
  // Numbers of the examples look like whole tensors now; what promotion makes of numbers is done to them first.
  ScalarType common = ScalarType::Undefined;
  if (mixed) {
    std::vector<Tensor> logical;
    for (const Value& v : c.given)
      if (v.is_tensor() && v.to_tensor().defined()) logical.push_back(v.to_tensor());
    common = result_type(TensorList(logical));
  }
  Stack& call = c.physical;  // nothing else is tried after this rule with all examples at once
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call[i].is_tensor() || !c.batched(i)) continue;
    Tensor t = call[i].to_tensor();
    if (s.arg(i).write) {
      if (rank_of(c, i) != rank) return false;
      continue;
    }
    if (common != ScalarType::Undefined && rank_of(c, i) == 0 && t.dtype() != kBool && t.dtype() != common)
      t = ops::to(t, common);
    call[i] = with_rank(std::move(t), rank);
  }
  return c.answer(std::move(call), results);
}

/// The same where the last tensor is a number that all examples share.
inline bool filled_rule(BatchedCall& c, Stack& results) {
  return !c.batched(c.given.size() - 1) && pointwise_rule(c, results);
}

/// Two gradients, of which that of the slope does not depend on the slope.
inline bool prelu_gradient_rule(BatchedCall& c, Stack& results) {
  bool slope_alone = c.only_batched(2);
  if (!pointwise_rule(c, results)) return false;
  if (slope_alone) {
    const Tensor of_slope = results[1].to_tensor();
    DimVector sizes{c.size()};
    for (std::int64_t n : of_slope.sizes()) sizes.push_back(n);
    results[1] = Value(ops::expand(of_slope, IntArrayRef(sizes)));
  }
  return true;
}

// ---- one tensor of the batch, whose examples the operator does not tell apart

inline bool plain_format(const SchemaView& s, const Stack& args) {
  int i = s.find_argument("memory_format");
  if (i < 0 || !args[static_cast<std::size_t>(i)].is_int()) return true;
  auto format = static_cast<MemoryFormat>(args[static_cast<std::size_t>(i)].to_int());
  return format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve;
}
inline bool direct_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0) || !c.given[0].is_tensor() || !plain_format(c.schema(), c.given)) return false;
  return c.answer(std::move(c.physical), results);
}

// ---- dimensions that arguments name

/// How the arguments of an operator speak of dimensions.
struct Dims {
  std::int64_t further = 0;   ///< dimensions of the result that are not the argument's
  bool empty_is_all = false;  ///< no dimensions mean all
  bool keeps_order = false;   ///< the list is a permutation
};
inline bool dims_rule(BatchedCall& c, Stack& results, Dims how) {
  const SchemaView& s = c.schema();
  if (!c.only_batched(0) || !c.given[0].is_tensor()) return false;
  bool others = false;
  for (std::size_t i = 1; i < c.given.size(); ++i) each_tensor(c.given[i], [&](const Tensor&) { others = true; });
  if (others) return false;
  Stack call = c.physical;
  std::int64_t rank = rank_of(c, 0);
  bool number = rank == 0 && how.further == 0;
  // In place nothing is moved of a number.
  bool writes = s.arg(0).write && !c.op.entry().has_tag(Tag::inplace_view);
  if (number && (writes || s.base_name().starts_with("unfold"))) return false;
  if (number) call[0] = ops::unsqueeze(call[0].to_tensor(), 1), rank = 1;
  auto shifted = [&](std::int64_t d) { return static_cast<std::int64_t>(wrap_dim(d, rank + how.further, false)) + 1; };
  auto all = [&] {
    std::vector<Value> dims;
    for (std::int64_t d = 1; d <= rank; ++d) dims.emplace_back(d);
    return Value::list(std::move(dims), ValueKind::Int);
  };
  bool found = false;
  for (std::size_t i = 1; i < call.size(); ++i) {
    if ((c.dims >> i & 1) == 0) continue;
    found = true;
    const Value& v = c.given[i];
    if (v.is_list() && v.to_list().empty() && s.base_name() == "roll") return false;  // all elements in one row
    if (v.is_int()) {
      call[i] = Value(shifted(v.to_int()));
    } else if (v.is_list() && !(v.to_list().empty() && how.empty_is_all)) {
      std::vector<Value> dims;
      if (how.keeps_order) dims.emplace_back(std::int64_t{0});
      for (const Value& d : v.to_list()) dims.emplace_back(shifted(d.to_int()));
      call[i] = Value::list(std::move(dims), ValueKind::Int);
    } else if (how.empty_is_all) {
      call[i] = all();
    } else {
      return false;
    }
  }
  if (!found) return false;
  c.op.call_boxed(call);
  if (number)
    for (Value& v : call) v = map_tensors(v, [](const Tensor& t) { return t.dim() == 2 ? ops::squeeze(t, 1) : t; });
  results = std::move(call);
  return true;
}
inline bool shift_rule(BatchedCall& c, Stack& results) { return dims_rule(c, results, {}); }
inline bool reduce_rule(BatchedCall& c, Stack& results) { return dims_rule(c, results, {0, true, false}); }
inline bool insert_rule(BatchedCall& c, Stack& results) { return dims_rule(c, results, {1, false, false}); }
inline bool permute_rule(BatchedCall& c, Stack& results) {
  return rank_of(c, 0) > 0 && dims_rule(c, results, {0, false, true});
}

/// Reductions of whole tensors, by the overload that names dimensions.
inline bool whole_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0) || !c.schema().overload().empty()) return false;
  std::string_view name = c.schema().base_name();
  if (name.starts_with("arg") || name == "count_nonzero")
    if (shift_rule(c, results)) return true;
  if (name == "trace") {
    Stack diagonal = detail::call("aten::diagonal", {c.physical[0], Value(0), Value(1), Value(2)});
    results = detail::call("aten::sum.dim_IntList",
                           {diagonal[0], Value::list({Value(1)}, ValueKind::Int), Value(false), Value()});
    return true;
  }
  const Tensor& all = c.physical[0].to_tensor();
  Tensor flat = rows_of(all);
  if (name == "sum" || name == "mean") {
    std::optional<ScalarType> dtype;
    if (c.given[1].is_int()) dtype = static_cast<ScalarType>(c.given[1].to_int());
    results.emplace_back(name == "sum" ? ops::sum(flat, {1}, false, dtype) : ops::mean(flat, {1}, false, dtype));
    return true;
  }
  Stack call{Value(flat)};
  auto rest = [&] { call.insert(call.end(), c.given.begin() + 1, c.given.end()); };
  std::string_view of;
  auto one = Value(std::int64_t{1});
  auto list = Value::list({one}, ValueKind::Int);
  if (name == "prod") {
    of = "aten::prod.dim_int";
    call.push_back(one), call.emplace_back(false), rest();
  } else if (name == "all" || name == "any") {
    of = name == "all" ? "aten::all.dim" : "aten::any.dim";
    call.push_back(one), call.emplace_back(false);
  } else if (name == "max" || name == "min") {
    of = name == "max" ? "aten::amax" : "aten::amin";
    call.push_back(list), call.emplace_back(false);
  } else if (name == "median" || name == "nanmedian") {
    of = name == "median" ? "aten::median.dim" : "aten::nanmedian.dim";
    call.push_back(one), call.emplace_back(false);
  } else if (name == "count_nonzero" && !c.given[1].is_int()) {
    of = "aten::count_nonzero.dim_IntList";
    call.push_back(list);
  } else if (name.starts_with("arg") && !c.given[1].is_int() && !c.given[2].to_bool()) {
    of = name == "argmax" ? "aten::argmax" : "aten::argmin";
    call.push_back(one), call.emplace_back(false);
  } else {
    return false;
  }
  results = detail::call(of, std::move(call));
  results.resize(1);
  return true;
}

/// Without a dimension, all but that of the batch.
inline bool squeeze_rule(BatchedCall& c, Stack& results) {
  std::vector<Value> dims;
  for (std::int64_t d = 1; d <= rank_of(c, 0); ++d) dims.emplace_back(d);
  results =
      detail::call(concat(c.schema().name(), ".dims"), {c.physical[0], Value::list(std::move(dims), ValueKind::Int)});
  return true;
}
/// The two dimensions of a matrix.
inline bool t_rule(BatchedCall& c, Stack& results) {
  std::string_view name = c.schema().base_name();
  bool matrix = rank_of(c, 0) == 2;
  auto dim = [&](std::int64_t d) { return Value(matrix ? d : 0); };
  std::string_view of = name == "t_"  ? "aten::transpose_"
                        : name == "t" ? "aten::transpose.int"
                                      : "aten::transpose_copy.int";
  results = detail::call(of, {c.physical[0], dim(1), dim(2)});
  return true;
}

// ---- sizes that arguments name

/// The size that is left open, which the elements of no examples do not tell: those of one example do.
inline void fill_open_size(const Tensor& example, std::vector<Value>& sizes) {
  Value* open = nullptr;
  std::int64_t others = 1;
  for (Value& v : sizes)
    if (!v.is_int())
      return;
    else if (v.to_int() == -1)
      open = &v;
    else
      others *= v.to_int();
  if (open && others > 0) *open = Value(example.numel() / others);
}
inline bool sizes_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  if (!c.only_batched(0)) return false;
  Stack call = c.physical;
  for (std::size_t i = 1; i < call.size(); ++i) {
    std::string_view name = s.arg_name(i);
    if (name != "size" && name != "shape" && name != "repeats" && name != "dims") continue;
    if (!c.given[i].is_list()) return false;
    std::vector<Value> sizes = c.given[i].to_list();
    bool repeats = name == "repeats" || name == "dims", expands = s.base_name().starts_with("expand");
    auto rank = static_cast<std::int64_t>(sizes.size());
    if (repeats || expands) {
      if (rank < rank_of(c, 0)) return false;
      call[0] = with_rank(call[0].to_tensor(), rank);
    }
    if (c.size() == 0 && !repeats && !expands && !s.base_name().starts_with("new_"))
      fill_open_size(c.given[0].to_tensor(), sizes);
    // Its result shares no memory that anybody else sees, so that a copy does where the batch came from elsewhere.
    if (s.base_name() == "_unsafe_view") call[0] = ops::contiguous(call[0].to_tensor());
    sizes.insert(sizes.begin(), repeats ? Value(std::int64_t{1}) : Value(c.size()));
    call[i] = Value::list(std::move(sizes), ValueKind::Int);
    return c.answer(std::move(call), results);
  }
  return false;
}

TENON_COLD_BODY void add_families() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(&direct_rule,
                "clone detach detach_ alias contiguous zeros_like ones_like empty_like full_like rand_like randn_like "
                "randint_like _to_copy lift_fresh tril triu zero_ fill_.Scalar _conj _neg_view resolve_conj "
                "resolve_neg view_as_real view_as_complex _conj_physical real imag linalg_inv_ex linalg_cholesky_ex "
                "_linalg_det _linalg_slogdet linalg_qr linalg_eigvalsh linalg_lu_factor_ex "
                "linalg_lu linalg_matrix_exp pixel_shuffle pixel_unshuffle bernoulli bernoulli.p bernoulli_.float "
                "uniform_ normal_ exponential_ cauchy_ log_normal_ geometric_ random_ random_.to random_.from "
                "poisson native_dropout constant_pad_nd tril_ triu_ linalg_eig _linalg_eigvals geqrf "
                "linalg_ldl_factor_ex cholesky_inverse linalg_matrix_sqrth view_as_real_copy view_as_complex_copy "
                "_conj_copy _neg_view_copy lift_fresh_copy zero uniform exponential cauchy log_normal geometric "
                "_standard_gamma isin.Tensor_Scalar _pin_memory");
  rules.add_all(&reduce_rule,
                "sum.dim_IntList mean.dim nansum amax amin var.correction std.correction var_mean.correction "
                "std_mean.correction count_nonzero.dim_IntList all.dims any.dims linalg_vector_norm logsumexp "
                "norm.ScalarOpt_dim norm.ScalarOpt_dim_dtype hash_tensor");
  rules.add_all(
      &shift_rule,
      "prod.dim_int all.dim any.dim max.dim min.dim median.dim nanmedian.dim mode kthvalue "
      "topk sort sort.stable argsort argsort.stable cumsum cumprod logcumsumexp cummax cummin "
      "softmax.int log_softmax.int _softmax _log_softmax flip roll select.int slice.Tensor "
      "narrow transpose.int diagonal unbind.int split.Tensor split_with_sizes squeeze.dim squeeze.dims squeeze_.dim squeeze_.dims glu "
      "unfold unsafe_split.Tensor unsafe_split_with_sizes narrow_copy unbind_copy.int split_copy.Tensor "
      "split_with_sizes_copy select_copy.int slice_copy.Tensor transpose_copy.int diagonal_copy "
      "squeeze_copy.dim squeeze_copy.dims unfold_copy rot90 cumsum_ cumprod_ transpose_ _safe_softmax aminmax linalg_cross fft_fft _fft_c2c "
      "_fft_r2c _fft_c2r");
  rules.add_all(&insert_rule, "unsqueeze unsqueeze_ unsqueeze_copy diag_embed");
  rules.add_all(&squeeze_rule, "squeeze squeeze_ squeeze_copy");
  rules.add_all(&t_rule, "t t_ t_copy");
  rules.add_all(&permute_rule, "permute permute_copy");
  rules.add_all(&whole_rule, "sum mean prod all any max min median nanmedian argmax argmin count_nonzero trace");
  rules.add_all(&sizes_rule,
                "view reshape _unsafe_view expand repeat new_zeros new_ones new_empty new_full view_copy expand_copy");
  // Elementwise, and not said to be.
  rules.add_all(
      &pointwise_rule,
      "_dirichlet_grad abs_ copy_ copysign_.Scalar copysign_.Tensor eq_.Scalar eq_.Tensor ge_.Scalar ge_.Tensor gt_.Scalar "
      "gt_.Tensor le_.Scalar le_.Tensor lt_.Scalar lt_.Tensor ne_.Scalar ne_.Tensor fill.Scalar "
      "floor_divide floor_divide.Scalar floor_divide_.Scalar floor_divide_.Tensor gcd_ lcm_ gelu_ mish_ "
      "hardswish hardswish_ heaviside_ isreal complex polar log_sigmoid masked_fill_.Scalar rsub.Tensor "
      "xlogy_.Scalar_Other alias_copy detach_copy mish_backward hardswish_backward hardsigmoid_backward "
      "hardshrink_backward softshrink_backward softplus_backward hardtanh_backward leaky_relu_backward "
      "elu_backward logit_backward log_sigmoid_backward log_sigmoid_forward _prelu_kernel threshold_");
  rules.add_all(&prelu_gradient_rule, "_prelu_kernel_backward");
  rules.add_all(&filled_rule, "masked_fill.Tensor masked_fill_.Tensor fill.Tensor fill_.Tensor");
  add_product_rules();
  add_layer_rules();
  add_gradient_rules();
  add_form_rules();
  add_sequence_rules();
  add_step_rules();
}

}  // namespace tenon::func::detail
