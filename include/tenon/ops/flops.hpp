// How many operations on numbers a call's products and convolutions are, by its arguments.
#pragma once
#include <cstdint>
#include <string_view>

#include <tenon/base/dim_vector.hpp>
#include <tenon/boxing/stack.hpp>

namespace tenon::detail {

/// Operations of a call with these arguments; a multiplication and the addition of its result are two.
using FlopFormula = std::int64_t (*)(const Stack& inputs);

/// The product of numbers and of lists of them, at most the largest number.
class Product {
 public:
  Product& times(std::int64_t n) {
    empty_ = empty_ || n == 0;
    large_ = large_ || __builtin_mul_overflow(product_, n, &product_);
    return *this;
  }
  Product& times(IntArrayRef list) {
    for (std::int64_t n : list) times(n);
    return *this;
  }
  std::int64_t get() const { return empty_ ? 0 : large_ ? INT64_MAX : product_; }

 private:
  std::int64_t product_ = 1;
  bool empty_ = false, large_ = false;
};

/// The sizes of an argument; none for what is no tensor, undefined or symbolic.
inline DimVector sizes_at(const Stack& inputs, std::size_t i) {
  if (i >= inputs.size() || !inputs[i].is_tensor()) return {};
  const Tensor& t = inputs[i].to_tensor();
  if (!t.defined()) return {};
  DimVector sizes;
  for (const SymInt& n : t.sym_sizes()) {
    if (n.is_symbolic()) return {};
    sizes.push_back(n.as_int_unchecked());
  }
  return sizes;
}
/// A list of plain integers.
inline DimVector integers_at(const Stack& inputs, std::size_t i) {
  DimVector list;
  if (i >= inputs.size() || !inputs[i].is_list()) return list;
  for (const Value& v : inputs[i].to_list())
    if (v.is_int()) list.push_back(v.to_int());
  return list;
}

/// Matrices, with batches or without, times matrices: argument `First` and the next.
template <std::size_t First>
std::int64_t flops_of_product(const Stack& inputs) {
  DimVector a = sizes_at(inputs, First), b = sizes_at(inputs, First + 1);
  if (a.size() < 2 || b.size() < 2) return 0;
  return Product().times(2).times(a).times(b.back()).get();
}
/// A matrix or a vector times a vector: every element once.
template <std::size_t First>
std::int64_t flops_of_elements(const Stack& inputs) {
  DimVector a = sizes_at(inputs, First);
  return a.empty() ? 0 : Product().times(2).times(a).get();
}

/// One of the three convolutions of a layer and its gradients: each is as many. `output` is that of the layer; input,
/// weight and what follows stand from `First` on.
inline std::int64_t flops_of_convolution(const DimVector& input, const DimVector& weight, const DimVector& output,
                                         bool transposed) {
  if (input.size() < 3 || weight.size() != input.size() || output.size() != input.size()) return 0;
  // Each place of the output, for a transposed one of the input, meets each weight of its group, for each example.
  IntArrayRef places = transposed ? input : output;
  return Product().times(2).times(input[0]).times(places.slice(2, places.size() - 2)).times(weight).get();
}
inline DimVector convolved(const Stack& inputs, const DimVector& input, const DimVector& weight, std::size_t options) {
  DimVector stride = integers_at(inputs, options), padding = integers_at(inputs, options + 1),
            dilation = integers_at(inputs, options + 2), output = input;
  for (std::size_t d = 2; d < input.size(); ++d) {
    auto of = [&](const DimVector& list, std::int64_t otherwise) {
      return list.size() == 1 ? list[0] : d - 2 < list.size() ? list[d - 2] : otherwise;
    };
    std::int64_t step = of(stride, 1);
    if (step < 1 || d >= weight.size()) return {};
    output[d] = (input[d] + 2 * of(padding, 0) - of(dilation, 1) * (weight[d] - 1) - 1) / step + 1;
    if (output[d] < 0) return {};
  }
  return output;
}
inline std::int64_t flops_of_forward(const Stack& inputs) {
  DimVector input = sizes_at(inputs, 0), weight = sizes_at(inputs, 1);
  bool transposed = inputs.size() > 6 && inputs[6].kind() == ValueKind::Bool && inputs[6].to_bool();
  return flops_of_convolution(input, weight, transposed ? input : convolved(inputs, input, weight, 3), transposed);
}
/// `Options`: where the strides stand; the mask of the gradients is last.
template <std::size_t Options>
std::int64_t flops_of_backward(const Stack& inputs) {
  DimVector output = sizes_at(inputs, 0), input = sizes_at(inputs, 1), weight = sizes_at(inputs, 2);
  if (inputs.size() <= Options + 6 || !inputs[Options + 6].is_list()) return 0;
  bool transposed = inputs[Options + 3].kind() == ValueKind::Bool && inputs[Options + 3].to_bool();
  std::int64_t one = flops_of_convolution(input, weight, output, transposed), wanted = 0;
  const auto& mask = inputs[Options + 6].to_list();
  for (std::size_t i = 0; i < 2 && i < mask.size(); ++i)
    wanted += mask[i].kind() == ValueKind::Bool && mask[i].to_bool();
  return Product().times(one).times(wanted).get();
}

/// One direction of a layer of an LSTM: each row of the steps meets the weights of inputs and of states, so often.
/// `rows` and `weights`: where the input stands, and the first of the two weights.
inline std::int64_t flops_of_lstm(const Stack& inputs, std::size_t rows, std::size_t weights, std::int64_t of_inputs,
                                  std::int64_t of_states) {
  DimVector x = sizes_at(inputs, rows), ih = sizes_at(inputs, weights), hh = sizes_at(inputs, weights + 1);
  if (x.size() != 2 || ih.size() != 2 || hh.size() != 2) return 0;
  std::int64_t by_input = Product().times(2).times(of_inputs).times(x[0]).times(ih).get();
  return by_input + Product().times(2).times(of_states).times(x[0]).times(hh).get();
}
inline std::int64_t flops_of_lstm_layer(const Stack& inputs) { return flops_of_lstm(inputs, 0, 3, 1, 1); }
/// States take the gradient back from step to step whatever is wanted; inputs and weights as the mask says.
inline std::int64_t flops_of_lstm_layer_backward(const Stack& inputs) {
  if (inputs.size() < 11 || !inputs[10].is_list() || inputs[10].to_list().size() < 3) return 0;
  auto wanted = [&](std::size_t i) { return static_cast<std::int64_t>(inputs[10].to_list()[i].to_bool()); };
  return flops_of_lstm(inputs, 3, 5, wanted(0) + wanted(1), 1 + wanted(2));
}

/// The formula of an operator, of its in-place and out forms too; null for one that is neither a product nor a
/// convolution. Source: the counts of torch.utils.flop_counter, and those of products with vectors; a convolution in
/// groups counts what it computes.
inline FlopFormula flop_formula(std::string_view name) {
  name = name.substr(0, name.find('.'));
  while (!name.empty() && name.back() == '_') name.remove_suffix(1);
  struct Known {
    std::string_view name;
    FlopFormula formula;
  };
  static constexpr Known known[] = {
      {"aten::mm", &flops_of_product<0>},
      {"aten::addmm", &flops_of_product<1>},
      {"aten::bmm", &flops_of_product<0>},
      {"aten::baddbmm", &flops_of_product<1>},
      {"aten::addbmm", &flops_of_product<1>},
      {"aten::mv", &flops_of_elements<0>},
      {"aten::addmv", &flops_of_elements<1>},
      {"aten::dot", &flops_of_elements<0>},
      {"aten::vdot", &flops_of_elements<0>},
      {"tenon::_lstm_layer", &flops_of_lstm_layer},
      {"tenon::_lstm_layer_backward", &flops_of_lstm_layer_backward},
      {"aten::convolution", &flops_of_forward},
      {"aten::convolution_overrideable", &flops_of_forward},
      {"aten::convolution_backward", &flops_of_backward<4>},
      {"aten::convolution_backward_overrideable", &flops_of_backward<3>},
  };
  for (const Known& k : known)
    if (k.name == name) return k.formula;
  return nullptr;
}

}  // namespace tenon::detail
