// The layout of a printed model, and the names of types.
#pragma once
#include <ostream>

#include <tenon/base/body.hpp>
#include <tenon/nn/print.hpp>

namespace tenon::nn::detail {

/// `text` with every line but the first moved in by two spaces.
inline std::string indented(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}
/// What PyTorch's classes of tensors have in their names for a dtype.
inline std::string legacy_name(ScalarType dtype) {
  switch (dtype) {
    case kFloat: return "Float";
    case kDouble: return "Double";
    case kHalf: return "Half";
    case kBFloat16: return "BFloat16";
    case kComplexFloat: return "ComplexFloat";
    case kComplexDouble: return "ComplexDouble";
    default: return concat(dtype);
  }
}
TENON_BODY std::string text_of(const Described& d) {
  if (d.parts.empty())
    return d.name + "(" + (d.extra.find('\n') == d.extra.npos ? d.extra : "\n  " + indented(d.extra) + "\n") + ")";
  std::string out = d.name + "(";
  if (!d.extra.empty()) out += "\n  " + indented(d.extra);
  for (std::size_t i = 0; i < d.parts.size();) {
    std::string text = text_of(d.parts[i].module), key = d.parts[i].name;
    std::size_t next = i + 1;
    // Equal ones in a row are one line of a list.
    if (d.name == "ModuleList") {
      while (next < d.parts.size() && text_of(d.parts[next].module) == text) ++next;
      if (next > i + 1) {
        key += "-" + d.parts[next - 1].name;
        text = std::to_string(next - i) + " x " + text;
      }
    }
    out += "\n  (" + key + "): " + indented(text);
    i = next;
  }
  return out + "\n)";
}
TENON_BODY std::ostream& write_text(std::ostream& out, const Described& d) { return out << text_of(d); }

TENON_BODY void name_parts(Described& of, std::string_view (*printed_as)(std::string_view part)) {
  for (auto& part : of.parts)
    if (std::string_view name = printed_as(part.name); !name.empty()) part.module.name = name;
}
TENON_BODY void add_named(NamedTensors& to, const std::string& name, const Tensor& t) { to.emplace_back(name, t); }
TENON_BODY Described describe_parameters(bool by_name, const NamedTensors& parameters) {
  Described d{by_name ? "ParameterDict" : "ParameterList", {}, {}};
  for (const auto& [name, t] : parameters) {
    if (!d.extra.empty()) d.extra += '\n';
    d.extra += "  (" + name + "): ";
    if (!t.defined()) {
      d.extra += "Object of type: NoneType";
      continue;
    }
    std::string sizes;
    for (std::int64_t n : t.sizes()) sizes += (sizes.empty() ? "" : "x") + std::to_string(n);
    const bool cuda = t.device().is_cuda();
    d.extra += concat("Parameter containing: [torch.",
                      by_name ? concat(cuda ? "cuda." : "", legacy_name(t.dtype()), "Tensor") : concat(t.dtype()),
                      " of size ", sizes, cuda ? concat(" (", t.device(), ")") : "", "]");
  }
  return d;
}

TENON_BODY std::string type_name(std::string_view signature) {
  // "... [T = tenon::nn::Conv<2>]", by GCC "... [with T = tenon::nn::Conv<2>; ...]".
  std::size_t at = signature.find("T = ");
  std::string_view type = at == signature.npos ? signature : signature.substr(at + 4);
  std::size_t start = 0, end = type.size(), angle = type.npos;
  int depth = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    char c = type[i];
    if (c == '<' && depth == 0) angle = i;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth == 0 && (c == ';' || c == ']')) {
      end = i;
      break;
    }
    if (depth == 0 && c == ':') {
      start = i + 1;
      angle = type.npos;
    }
  }
  std::string_view name = type.substr(start, (angle == type.npos ? end : angle) - start);
  if (name.empty() || name.find("lambda") != name.npos) return "Lambda";
  if (name.find(" (") != name.npos) return "Function";
  if (angle == type.npos) return std::string(name);
  // Layers of several dimensions are templates of their number.
  std::string_view arguments = type.substr(angle + 1, end - angle - 2);
  std::string_view number = arguments.substr(0, arguments.find_first_not_of("0123456789"));
  bool counts = !number.empty() && arguments.find(',') == arguments.npos;
  return counts ? std::string(name) + std::string(number) + "d" : std::string(name);
}

}  // namespace tenon::nn::detail
