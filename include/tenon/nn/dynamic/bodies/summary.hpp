// The rows of a summary, what operators multiply, and the table.
#pragma once
#include <algorithm>
#include <array>
#include <ostream>

#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/summary.hpp>
#include <tenon/ops/flops.hpp>

namespace tenon::nn {

namespace detail {

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
  return ::tenon::detail::flop_formula(op.name());
}
TENON_BODY void Summarizer::begin(const ObservedCall& call) {
  // An operator that is made of others has counted what they multiply.
  if (inside_++ > 0) return;
  std::int64_t count = ::tenon::detail::flop_formula(call.op.name())(*call.inputs) / 2;
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
TENON_BODY std::string ModelSummary::dot() const {
  std::string out = "digraph {\n  rankdir=LR;\n  node [shape=box];\n";
  std::vector<std::size_t> open;  // the module that each depth is in
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerSummary& layer = layers[i];
    std::string name = layer.name.substr(layer.name.rfind('.') + 1), label = name.empty() ? "" : name + ": ";
    for (char c : layer.type) label += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    if (layer.output) label += concat("\\n", IntArrayRef(*layer.output));
    if (layer.parameters > 0) label += "\\n" + detail::with_commas(layer.parameters) + " parameters";
    out += concat("  m", i, " [label=\"", label, "\"];\n");
    open.resize(static_cast<std::size_t>(layer.depth));
    if (!open.empty()) out += concat("  m", open.back(), " -> m", i, ";\n");
    open.push_back(i);
  }
  return out + "}\n";
}
TENON_BODY std::ostream& operator<<(std::ostream& out, const ModelSummary& summary) { return out << summary.text(); }

}  // namespace tenon::nn
