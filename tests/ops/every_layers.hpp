// Arguments for operators under neural-network layers, whose tensors have shapes that follow from one another.
#pragma once
#include <algorithm>
#include <optional>
#include <string_view>

#include "support.hpp"

namespace test::every {

/// What one of these operators is asked about: its name, an argument's name and type, the shape to start from.
struct LayerArgument {
  std::string_view op, name;
  schema::Kind kind;
  const SymDimVector& self;
  bool has(std::string_view part) const { return op.find(part) != std::string_view::npos; }
  bool is(std::initializer_list<std::string_view> names) const {
    for (std::string_view n : names)
      if (n == name) return true;
    return false;
  }
  SymInt pick(std::size_t d, const SymInt& other = 1) const { return d < self.size() ? self[d] : other; }
};
/// A shape for a tensor, or a plain value.
struct LayerValue {
  std::optional<SymDimVector> shape;
  std::optional<Value> value;
  std::optional<ScalarType> dtype;
  std::vector<SymDimVector> list;  ///< shapes of a list of tensors
  LayerValue(std::vector<SymDimVector> l) : list(std::move(l)) {}
  LayerValue(SymDimVector s) : shape(std::move(s)) {}
  LayerValue(Value v) : value(std::move(v)) {}
  LayerValue(SymDimVector s, std::optional<ScalarType> t) : shape(std::move(s)), dtype(t) {}
};
using MaybeLayerValue = std::optional<LayerValue>;

inline Value int_list(const SymDimVector& items) {
  std::vector<Value> out;
  for (const SymInt& s : items) out.emplace_back(s);
  return Value::list(std::move(out), ValueKind::Int);
}
inline Value all_true(int n) {
  return Value::list(std::vector<Value>(static_cast<std::size_t>(n), Value(true)), ValueKind::Bool);
}

/// Normalisation of (n, c) or (n, c, d) by its channels, its groups or its last dimension.
inline MaybeLayerValue normalization_value(const LayerArgument& a) {
  bool rows = a.has("layer_norm") || a.has("rms_norm"), groups = a.has("group_norm");
  if (!rows && !groups && !a.has("batch_norm") && !a.has("instance_norm")) return {};
  // Lengths of rows that are lists of plain integers.
  SymInt last = a.has("rms") ? SymInt(3) : a.self.empty() ? SymInt(1) : a.self.back();
  SymDimVector input = a.self;
  while (input.size() < 2) input.insert(0, SymInt(2));
  if (a.has("rms")) input.back() = last;
  SymDimVector channels{rows ? input.back() : input[1]}, statistics = channels;
  if (rows) {
    statistics = input;
    statistics.back() = 1;
  }
  if (groups) statistics = {input[0], 1};
  if (a.is({"input", "grad_out"})) return input;
  if (a.is({"weight", "bias"})) return channels;
  if (a.is({"running_mean", "running_var", "save_mean", "save_invstd", "mean", "rstd"})) return statistics;
  if (a.is({"training", "train", "use_input_stats"})) return Value(true);
  if (a.name == "output_mask") return all_true(a.has("rms") ? 2 : 3);
  if (a.name == "normalized_shape") return int_list({last});
  if (a.is({"eps", "momentum"})) return Value(0.5);
  if (a.is({"group", "num_groups"})) return Value(std::int64_t{1});
  if (a.name == "N") return Value(input[0]);
  if (a.name == "C") return Value(input[1]);
  if (a.name == "HxW") return Value(input.size() > 2 ? input[2] : SymInt(1));
  return {};
}

/// Pooling of lines, images or volumes by two in every dimension that is a number, by one in one that may be a symbol.
inline MaybeLayerValue pooling_value(const LayerArgument& a) {
  if (!a.has("pool")) return {};
  std::size_t dims = a.has("1d") ? 1 : a.has("3d") ? 3 : 2;
  bool unpool = a.has("unpool"), adaptive = a.has("adaptive"), fractional = a.has("fractional");
  // Channels and the last dimension are the shape's; windows are of one element, results as large as inputs.
  SymDimVector in{a.pick(0), a.pick(1)};
  while (in.size() < dims + 1) in.insert(1, SymInt(2));
  if (fractional || (adaptive && (dims == 1 || a.has("max")))) in = SymDimVector(dims + 1, SymInt(2));
  SymDimVector out = in, ones(dims, SymInt(1));
  if (adaptive && a.has("max")) std::fill(out.begin() + 1, out.end(), SymInt(1));
  if (fractional) std::fill(out.begin() + 1, out.end(), SymInt(1));
  if (a.name == "self") return a.has("backward") || !unpool ? in : out;
  if (a.name == "grad_output") return out;
  if (a.name == "indices") return LayerValue(out, kLong);
  if (a.name == "random_samples") return SymDimVector{1, in[0], static_cast<std::int64_t>(dims)};
  if (a.is({"kernel_size", "stride", "dilation"})) return int_list(ones);
  if (a.name == "padding") return int_list(SymDimVector(dims, SymInt(0)));
  if (a.name == "output_size")
    return int_list(unpool                     ? SymDimVector(SymIntArrayRef(in).slice(1, dims))
                    : a.has("avg") && dims > 1 ? SymDimVector(SymIntArrayRef(in).slice(1, dims))
                                               : ones);
  return {};
}

/// Resampling of (2, n, ..) to its own size, by which every kind of it is tried.
inline MaybeLayerValue upsample_value(const LayerArgument& a) {
  if (!a.has("upsample")) return {};
  std::size_t dims = a.has("1d") ? 1 : a.has("3d") ? 3 : 2;
  SymDimVector in{2, 1}, size;
  for (std::size_t d = 0; d < dims; ++d) size.push_back(d + 2 < dims ? SymInt(2) : a.pick(dims - 1 - d));
  for (const SymInt& s : size) in.push_back(s);
  if (a.is({"self", "input", "grad_output"})) return in;
  if (a.name == "output_size") return int_list(size);
  if (a.name == "input_size") return int_list(in);
  return {};
}
/// Grids of points for images and volumes, affine maps.
inline MaybeLayerValue grid_value(const LayerArgument& a) {
  if (!a.has("grid")) return {};
  bool volume = a.has("3d");
  SymDimVector in{2, 2, a.pick(0), a.pick(1)}, grid{2, 3, 2, volume ? 3 : 2}, out{2, 2, 3, 2};
  if (volume) {
    in.insert(2, SymInt(2));
    grid.insert(1, SymInt(1));
    out.insert(2, SymInt(1));
  }
  if (a.name == "input") return in;
  if (a.name == "grid") return grid;
  if (a.name == "grad_output") return out;
  if (a.name == "output_mask") return all_true(2);
  if (a.name == "theta") return SymDimVector{2, 2, 3};
  if (a.name == "grad") return SymDimVector{2, 3, 2, 2};
  if (a.name == "size") return int_list({2, 1, 3, 2});
  return {};
}
/// Queries of the shape, keys and values of another length; two rows through a bilinear form.
inline MaybeLayerValue attention_value(const LayerArgument& a) {
  SymInt n = a.pick(0), width = 3;
  if (a.has("flash_attention_for_cpu")) {
    if (a.is({"query", "out", "grad_out"})) return SymDimVector{1, 2, n, width};
    if (a.is({"key", "value"})) return SymDimVector{1, 2, 4, width};
    if (a.name == "logsumexp") return SymDimVector{1, 2, n};
    if (a.name == "dropout_p") return Value(0.0);
    return {};
  }
  if (a.has("_transform_bias_rescale_qkv")) {
    if (a.name == "qkv") return SymDimVector{2, n, 6};
    if (a.name == "qkv_bias") return SymDimVector{6};
    if (a.name == "num_heads") return Value(std::int64_t{1});
  }
  if (a.has("_native_multi_head") || a.has("_transformer_encoder")) {
    if (a.is({"query", "key", "value", "src"})) return SymDimVector{2, n, 2};
    if (a.name == "qkv_weight") return SymDimVector{6, 2};
    if (a.name == "qkv_bias") return SymDimVector{6};
    if (a.is({"embed_dim"})) return Value(std::int64_t{2});
    if (a.is({"num_head", "num_heads"})) return Value(std::int64_t{1});
    if (a.name == "need_weights") return Value(true);
    if (a.kind == schema::Kind::Tensor && a.name.starts_with("out")) return {};
    if (a.kind == schema::Kind::Tensor)
      return a.name.find("weight") != a.name.npos && a.name.find("norm") == a.name.npos ? SymDimVector{2, 2}
                                                                                        : SymDimVector{2};
    return {};
  }
  if (a.has("attention")) {
    if (a.name == "query") return SymDimVector{2, n, width};
    if (a.is({"key", "value"})) return SymDimVector{2, 4, width};
    if (a.name == "dropout_p") return Value(0.0);
  }
  if (a.has("::bilinear")) {
    if (a.name == "input1") return SymDimVector{n, 3};
    if (a.name == "input2") return SymDimVector{n, 2};
    if (a.name == "weight") return SymDimVector{4, 3, 2};
    if (a.name == "bias") return SymDimVector{4};
  }
  return {};
}

/// A table of as many rows as the first dimension, four places in it.
inline MaybeLayerValue embedding_value(const LayerArgument& a) {
  if (!a.has("::embedding")) return {};
  if (a.name == "weight") return SymDimVector{a.pick(0), 3};
  if (a.name == "indices") return LayerValue(SymDimVector{2, 2}, kLong);
  if (a.is({"grad", "grad_output"})) return SymDimVector{2, 2, 3};
  if (a.name == "num_weights") return Value(a.pick(0));
  if (a.name == "padding_idx") return Value(std::int64_t{-1});
  return {};
}

/// A bag of four rows of a table of as many as the first dimension; backwards four bags of one.
inline MaybeLayerValue bag_value(const LayerArgument& a) {
  if (!a.has("embedding_bag")) return {};
  if (a.is({"indices", "offset2bag", "bag_size"})) return LayerValue(SymDimVector{4}, kLong);
  if (a.name == "offsets") return LayerValue(SymDimVector{1}, kLong);
  if (a.name == "maximum_indices") return LayerValue(SymDimVector{4, 3}, kLong);
  if (a.name == "grad") return SymDimVector{4, 3};
  if (a.name == "weight") return SymDimVector{a.pick(0), 3};
  if (a.name == "num_weights") return Value(a.pick(0));
  if (a.name == "padding_idx") return Value(std::int64_t{-1});
  return {};
}
/// Two sequences of as many steps as the first dimension, of three classes; targets of one label.
inline MaybeLayerValue ctc_value(const LayerArgument& a) {
  if (!a.has("ctc_loss")) return {};
  if (a.name == "log_probs") return SymDimVector{a.pick(0), 2, 3};
  if (a.name == "targets") return LayerValue(SymDimVector{2, 1}, kLong);
  if (a.is({"input_lengths", "target_lengths"})) {
    if (a.kind == schema::Kind::List) return Value::list({std::int64_t{1}, std::int64_t{1}}, ValueKind::Int);
    return Value(ops::ones({2}, "dtype"_a = kLong));  // read, also for Meta
  }
  if (a.is({"grad", "neg_log_likelihood"})) return SymDimVector{2};
  if (a.name == "log_alpha") return SymDimVector{2, a.pick(0), 3};
  return {};
}
/// Losses of targets that look like the scores; of classes of images; of several classes to a row.
inline MaybeLayerValue loss_value(const LayerArgument& a) {
  if (a.has("nll_loss2d")) {
    SymDimVector classes{2, 2, a.pick(1)};
    if (a.name == "self") return SymDimVector{2, a.pick(0), 2, a.pick(1)};
    if (a.name == "target") return LayerValue(classes, kLong);
    if (a.name == "grad_output") return classes;
    return {};
  }
  if (a.has("multilabel_margin")) {
    SymDimVector rows{2, a.pick(0)};
    if (a.name == "self" || a.name == "is_target") return rows;
    if (a.name == "target") return LayerValue(rows, kLong);
    if (a.name == "grad_output") return SymDimVector{2};
    return {};
  }
  if (a.has("multi_margin_loss_backward") && a.name == "grad_output") return SymDimVector{a.pick(0)};
  if (a.has("cosine_embedding")) {
    if (a.is({"input1", "input2"})) return SymDimVector{a.pick(0), 3};
    if (a.name == "target") return SymDimVector{a.pick(0)};
  }
  bool by_element = a.has("l1_loss") || a.has("huber") || a.has("soft_margin") || a.has("binary_cross_entropy") ||
                    a.has("kl_div") || a.has("poisson_nll") || a.has("hinge_embedding") || a.has("margin_ranking");
  if (by_element && a.name == "target") return a.self;
  return {};
}

/// Windows of one element over (2, n, m), and as many columns.
inline MaybeLayerValue columns_value(const LayerArgument& a) {
  bool image = a.has("im2col");
  if (!image && !a.has("col2im")) return {};
  SymInt n = a.pick(0), m = a.pick(1);
  if (a.name == "self") return image ? SymDimVector{2, n, m} : SymDimVector{2, n * m};
  if (a.name == "output_size") return int_list({n, m});
  if (a.is({"kernel_size", "dilation", "stride"})) return int_list({1, 1});
  if (a.name == "padding") return int_list({0, 0});
  return {};
}
/// Three features and a state of four, two steps of n sequences or packed ones of two and one step.
inline MaybeLayerValue recurrent_value(const LayerArgument& a) {
  bool lstm = a.has("::lstm"), gru = a.has("::gru"), cell = a.has("_cell");
  if (!lstm && !gru && !a.has("::rnn_")) return {};
  std::int64_t rows = lstm ? 16 : gru ? 12 : 4;
  SymInt batch = a.has(".data") ? SymInt(2) : a.pick(0);
  SymDimVector state = cell ? SymDimVector{batch, 4} : SymDimVector{1, batch, 4};
  if (a.name == "input") return cell ? SymDimVector{batch, 3} : SymDimVector{2, batch, 3};
  if (a.name == "data") return SymDimVector{3, 3};
  if (a.name == "batch_sizes") return LayerValue(Value(tensor({2, 1})));
  if (a.name == "hx") return lstm ? LayerValue(std::vector<SymDimVector>{state, state}) : LayerValue(state);
  if (a.name == "w_ih") return SymDimVector{rows, 3};
  if (a.name == "w_hh") return SymDimVector{rows, 4};
  if (a.name == "params") return LayerValue(std::vector<SymDimVector>{{rows, 3}, {rows, 4}});
  if (a.name == "num_layers") return Value(std::int64_t{1});
  if (a.name == "dropout") return Value(0.0);
  return {};
}

/// One direction of a layer over two sequences, of two and of one step.
inline MaybeLayerValue lstm_layer_value(const LayerArgument& a) {
  if (!a.has("::_lstm_layer")) return {};
  if (a.name == "input") return SymDimVector{3, 3};
  if (a.is({"hx", "cx", "grad_hy", "grad_cy"})) return SymDimVector{2, 4};
  if (a.name == "grad_output") return SymDimVector{3, 4};
  if (a.name == "w_ih") return SymDimVector{16, 3};
  if (a.name == "w_hh") return SymDimVector{16, 4};
  if (a.is({"b_ih", "b_hh"})) return SymDimVector{16};
  if (a.name == "batch_sizes") return LayerValue(int_list({2, 1}));
  if (a.name == "workspace") return LayerValue(SymDimVector{3 * 4 * 6 * 4}, kByte);
  if (a.name == "output_mask") return LayerValue(all_true(4));
  return {};
}

/// Lists of two tensors, with a number for each or one for both; the state of a scaled loss.
inline MaybeLayerValue list_value(const LayerArgument& a) {
  if (a.has("_amp_")) {
    if (a.name == "growth_tracker") return LayerValue(SymDimVector{}, kInt);
    if (a.is({"found_inf", "inv_scale"}) || (a.name == "self" && a.has("update"))) return SymDimVector{};
  }
  if (a.has("::unflatten_dense")) {
    if (a.name == "flat") return SymDimVector{a.pick(0) * 2};
    return LayerValue(std::vector<SymDimVector>{{a.pick(0)}, {a.pick(0)}});
  }
  if (!a.has("_foreach_")) return {};
  if (a.has("_foreach_mm"))
    return LayerValue(a.name == "self" ? std::vector<SymDimVector>{{a.pick(0), 2}, {a.pick(0), 2}}
                                       : std::vector<SymDimVector>{{2, 3}, {2, 3}});
  if (a.has("ScalarList") && a.is({"scalars", "exponent", "weight"})) return Value::list({1.0, 1.0}, ValueKind::Double);
  if (a.kind != schema::Kind::Tensor) return {};
  if (a.name == "scalars") return Value(ops::ones({2}));  // read, also for Meta
  return SymDimVector{};
}
/// Values of few bits with scales and zero points, and products of groups.
inline MaybeLayerValue low_precision_value(const LayerArgument& a) {
  const SymInt n = a.pick(0);
  if (a.has("fake_quantize")) {
    const bool channels = a.has("per_channel");
    if (a.name == "fake_quant_enabled") return Value(ops::ones({1}, "dtype"_a = kLong));  // read, also for Meta
    if (a.has("qparams") && a.name == "scale") return Value(ops::ones({1}));
    if (a.has("qparams") && a.name == "zero_point") return Value(ops::zeros({1}, "dtype"_a = kInt));
    if (a.kind != schema::Kind::Tensor) return {};
    if (a.name == "scale") return SymDimVector{channels ? n : SymInt(1)};
    if (a.name == "zero_point") {
      if (channels && !a.has("learnable")) return LayerValue(SymDimVector{n}, kInt);
      return SymDimVector{channels ? n : SymInt(1)};
    }
    if (channels && a.is({"self", "grad", "mask"}))
      return LayerValue(SymDimVector{n, 2}, a.name == "mask" ? std::optional(kBool) : std::nullopt);
  }
  if (a.has("_grouped_mm")) {
    if (a.name == "self") return SymDimVector{2, n, 3};
    if (a.name == "mat2") return SymDimVector{2, 3, 2};
  }
  if (a.has("_weight_int8pack_mm")) {
    if (a.name == "self") return SymDimVector{n, 3};
    if (a.name == "mat2") return LayerValue(SymDimVector{2, 3}, kChar);
    if (a.name == "scales") return SymDimVector{2};
  }
  if (a.has("_weight_norm_")) {
    if (a.is({"v", "grad_w", "saved_v"})) return SymDimVector{n, 3};
    if (a.is({"g", "saved_g", "saved_norms"})) return SymDimVector{n, 1};
  }
  return {};
}
/// Sequences of one step in a batch of two.
inline MaybeLayerValue packed_value(const LayerArgument& a) {
  if (a.has("::_reshape_from_tensor") && a.name == "shape")
    return Value(ops::full({1}, -1, "dtype"_a = kLong));  // read, also for Meta
  if (!a.has("_packed_sequence") && !a.has("_padded_sequence")) return {};
  if (a.name == "input") return SymDimVector{3, 2, 1};
  if (a.name == "input_size") return int_list({3, 2, 1});
  if (a.is({"grad", "data"})) return SymDimVector{2, 1};
  if (a.name == "lengths") return Value(ops::ones({2}, "dtype"_a = kLong));
  if (a.name == "batch_sizes") return Value(ops::full({1}, 2, "dtype"_a = kLong));
  return {};
}

inline MaybeLayerValue layer_value(const LayerArgument& a) {
  for (auto* f : {&normalization_value, &pooling_value, &upsample_value, &grid_value, &attention_value, &bag_value,
                  &embedding_value, &ctc_value, &loss_value, &columns_value, &recurrent_value, &lstm_layer_value,
                  &list_value, &low_precision_value, &packed_value})
    if (MaybeLayerValue v = f(a)) return v;
  return {};
}

}  // namespace test::every
