// The rows of a summary, what operators multiply, and the table.
#pragma once
#include <algorithm>
#include <array>
#include <ostream>

#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/summary.hpp>

namespace tenon::nn {

namespace detail {

/// An operator's name without its namespace and overload.
inline std::string_view base_name(std::string_view name) {
  std::size_t colons = name.rfind("::");
  if (colons != name.npos) name.remove_prefix(colons + 2);
  return name.substr(0, name.find('.'));
}
enum class Products : std::uint8_t { None, Matrices, Added, Linear, Convolution, Recurrent, Cell };
inline Products products_of(std::string_view name) {
  static constexpr std::pair<std::string_view, Products> known[] = {{"mm", Products::Matrices},
                                                                    {"bmm", Products::Matrices},
                                                                    {"mv", Products::Matrices},
                                                                    {"dot", Products::Matrices},
                                                                    {"vdot", Products::Matrices},
                                                                    {"addmm", Products::Added},
                                                                    {"addmv", Products::Added},
                                                                    {"baddbmm", Products::Added},
                                                                    {"addbmm", Products::Added},
                                                                    {"linear", Products::Linear},
                                                                    {"convolution", Products::Convolution},
                                                                    {"lstm", Products::Recurrent},
                                                                    {"gru", Products::Recurrent},
                                                                    {"rnn_tanh", Products::Recurrent},
                                                                    {"rnn_relu", Products::Recurrent},
                                                                    {"lstm_cell", Products::Cell},
                                                                    {"gru_cell", Products::Cell},
                                                                    {"rnn_tanh_cell", Products::Cell},
                                                                    {"rnn_relu_cell", Products::Cell}};
  for (const auto& [own, products] : known)
    if (own == base_name(name)) return products;
  return Products::None;
}
/// At each place of its window a convolution multiplies by all of its weight.
inline std::int64_t convolution_products(const Stack& in) {
  const Tensor &x = in[0].to_tensor(), &w = in[1].to_tensor();
  bool transposed = in[6].to_bool();
  std::int64_t all = x.size(0);
  for (std::int64_t d = 2; d < x.dim(); ++d) {
    auto of = [&](std::size_t list) {
      const auto& values = in[list].to_list();
      return values[values.size() == 1 ? 0 : static_cast<std::size_t>(d - 2)].to_int();
    };
    all *= transposed ? x.size(d) : (x.size(d) + 2 * of(4) - of(5) * (w.size(d) - 1) - 1) / of(3) + 1;
  }
  return all * w.numel();
}
inline std::int64_t multiply_adds(std::string_view name, const Stack& in) {
  auto matrices = [](const Tensor& a, const Tensor& b) {
    // A sum over the last dimension of a for each of its other elements, and for each column of b.
    return a.numel() * (b.dim() >= 2 ? b.size(-1) : 1);
  };
  switch (products_of(name)) {
    case Products::Matrices: return matrices(in[0].to_tensor(), in[1].to_tensor());
    case Products::Added: return matrices(in[1].to_tensor(), in[2].to_tensor());
    case Products::Linear: {
      const Tensor &x = in[0].to_tensor(), &w = in[1].to_tensor();
      return x.numel() * (w.dim() == 2 ? w.size(0) : 1);
    }
    case Products::Convolution: return convolution_products(in);
    case Products::Recurrent: {
      const Tensor& x = in[0].to_tensor();
      std::int64_t steps = x.size(-1) == 0 ? 0 : x.numel() / x.size(-1), weights = 0;
      // The weights follow the state; before it packed sequences have the sizes of their batches.
      for (const Tensor& w : in[in[3].is_list() ? 3 : 2].to_tensor_list())
        if (w.dim() == 2) weights += w.numel();
      return steps * weights;
    }
    case Products::Cell: {
      const Tensor& x = in[0].to_tensor();
      return x.size(0) * (in[2].to_tensor().numel() + in[3].to_tensor().numel());
    }
    case Products::None: break;
  }
  return 0;
}

TENON_BODY Summarizer::Summarizer(ModelSummary& summary)
    : CallWatch{[](CallWatch& self, const CalledLayer& layer) {
                  auto& s = static_cast<Summarizer&>(self);
                  std::size_t row = s.find(layer);
                  if (row == s.layers_.size()) return;
                  // What calls a module may say so beside the module itself.
                  if (s.called_.empty() || s.called_.back() != row) ++s.summary_.layers[row].calls;
                  s.called_.push_back(row);
                },
                [](CallWatch& self, const CalledLayer& layer, const Tensor* first) {
                  auto& s = static_cast<Summarizer&>(self);
                  std::size_t row = s.find(layer);
                  if (row == s.layers_.size()) return;
                  s.called_.pop_back();
                  if (first && first->defined())
                    s.summary_.layers[row].output.emplace(first->sizes().begin(), first->sizes().end());
                }},
      summary_(summary) {}

TENON_BODY bool Summarizer::observes(const OperatorHandle& op) const {
  return products_of(op.name()) != Products::None;
}
TENON_BODY void Summarizer::begin(const ObservedCall& call) {
  // An operator that is made of others has counted what they multiply.
  if (inside_++ > 0) return;
  std::int64_t count = multiply_adds(call.op.name(), *call.inputs);
  summary_.multiply_adds += count;
  summary_.layers[called_.empty() ? 0 : called_.back()].multiply_adds += count;
}
TENON_BODY void Summarizer::add_tensor(const Tensor& t, bool is_parameter) {
  if (!t.defined() || !(is_parameter || t.requires_grad())) return;
  if (!open_.empty()) summary_.layers[open_.back()].parameters += t.numel();
  if (std::any_of(seen_.begin(), seen_.end(), [&](const Tensor& known) { return known.is_same(t); })) return;
  seen_.push_back(t);
  summary_.parameters += t.numel();
  if (t.requires_grad()) summary_.trainable += t.numel();
}
TENON_BODY void Summarizer::add_module(const std::string& name, std::string type, const CalledLayer& layer) {
  summary_.layers.push_back({name, std::move(type), static_cast<int>(open_.size()), std::nullopt, 0, 0, 0});
  layers_.push_back(layer);
  open_.push_back(layers_.size() - 1);
}
TENON_BODY std::size_t Summarizer::find(const CalledLayer& layer) const {
  return static_cast<std::size_t>(std::find(layers_.begin(), layers_.end(), layer) - layers_.begin());
}

/// 1,234,567
inline std::string with_commas(std::int64_t n) {
  std::string digits = std::to_string(n), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace detail

TENON_BODY std::string ModelSummary::text() const {
  std::vector<std::array<std::string, 4>> rows{{"Layer (type)", "Output shape", "Parameters", "Multiply-adds"}};
  auto number = [](std::int64_t n) { return n == 0 ? std::string("-") : detail::with_commas(n); };
  for (const LayerSummary& layer : layers) {
    std::string name = layer.name.substr(layer.name.rfind('.') + 1), shape = "-";
    std::string title = std::string(2 * static_cast<std::size_t>(layer.depth), ' ');
    title += name.empty() ? layer.type : name + " (" + layer.type + ")";
    if (layer.output) shape = concat(IntArrayRef(*layer.output));
    if (layer.calls > 1) shape += concat(" x ", layer.calls);
    rows.push_back({title, shape, number(layer.parameters), number(layer.multiply_adds)});
  }
  std::size_t widths[4] = {};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < 4; ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string line(widths[0] + widths[1] + widths[2] + widths[3] + 6, '='), out = line + "\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::string space(widths[i] - rows[r][i].size(), ' ');
      out += i < 2 ? rows[r][i] + space : space + rows[r][i];
      out += i < 3 ? "  " : "\n";
    }
    if (r == 0) out += line + "\n";
  }
  out += line + "\nParameters: " + detail::with_commas(parameters) + ", of which " + detail::with_commas(trainable) +
         " are trained\nMultiply-adds: " + detail::with_commas(multiply_adds) + "\n" + line;
  return out;
}
TENON_BODY std::ostream& operator<<(std::ostream& out, const ModelSummary& summary) { return out << summary.text(); }

}  // namespace tenon::nn
