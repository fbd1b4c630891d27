// The layout of a printed tensor: brackets, lines, the summary of large ones, and what follows the elements.
#pragma once
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/io/detail/element_format.hpp>
#include <tenon/io/print.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon {
namespace detail {

class TensorPrinter {
 public:
  TensorPrinter(const Tensor& t, const PrintOptions& options)
      : tensor_(t._is_zerotensor() ? in_memory(t) : t),
        options_(options),
        summarize_(t.numel() > options.threshold),
        real_(tensor_, ElementFormat::Part::Real, options),
        imaginary_(tensor_, ElementFormat::Part::Imaginary, options) {}

  std::string text(std::size_t indent) {
    if (tensor_.numel() == 0) return "[]";
    const char* data = static_cast<const char*>(tensor_.data_ptr());
    for_each_shown(data, 0);
    real_.decide();
    imaginary_.decide();
    return part(data, 0, indent);
  }

 private:
  const char* element(const char* at, std::size_t dim, std::int64_t index) const {
    return at + index * tensor_.strides()[dim] * static_cast<std::int64_t>(tensor_.element_size());
  }
  /// Calls `shown(index)` for what is shown of a dimension, and `gap()` where elements are left out.
  template <class Shown, class Gap>
  void walk(std::size_t dim, Shown&& shown, Gap&& gap) const {
    std::int64_t size = tensor_.sizes()[dim], edge = options_.edgeitems;
    bool cut = summarize_ && size > 2 * edge;
    for (std::int64_t i = 0; i < size; ++i) {
      if (cut && i == edge) {
        gap();
        i = size - edge;
        if (edge == 0) break;
      }
      shown(i);
    }
  }
  void for_each_shown(const char* at, std::size_t dim) {
    if (dim == tensor_.sizes().size()) {
      real_.feed(at);
      if (tensor_.is_complex()) imaginary_.feed(at);
      return;
    }
    walk(
        dim, [&](std::int64_t i) { for_each_shown(element(at, dim, i), dim + 1); }, [] {});
  }
  std::string one(const char* at) const {
    std::string out = real_.text(at);
    if (!tensor_.is_complex()) return out;
    std::string imaginary = imaginary_.text(at) + "j";
    imaginary.erase(0, imaginary.find_first_not_of(' '));
    return out + (imaginary[0] == '-' ? "" : "+") + imaginary;
  }
  std::string part(const char* at, std::size_t dim, std::size_t indent) const {
    std::size_t dims = tensor_.sizes().size();
    if (dim == dims) return one(at);
    if (dim + 1 == dims) return vector(at, dim, indent);
    std::string separator = "," + std::string(dims - dim - 1, '\n') + std::string(indent + 1, ' '), out = "[";
    auto add = [&](const std::string& text) {
      if (out.size() > 1) out += separator;
      out += text;
    };
    walk(
        dim, [&](std::int64_t i) { add(part(element(at, dim, i), dim + 1, indent + 1)); }, [&] { add("..."); });
    return out + "]";
  }
  std::string vector(const char* at, std::size_t dim, std::size_t indent) const {
    std::size_t width = real_.width() + 2 + (tensor_.is_complex() ? imaginary_.width() + 1 : 0);
    auto room = options_.linewidth - static_cast<std::int64_t>(indent);
    std::int64_t per_line = std::max<std::int64_t>(1, room / static_cast<std::int64_t>(width)), n = 0;
    std::string out = "[";
    auto add = [&](const std::string& text) {
      if (n > 0) out += n % per_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      out += text;
      ++n;
    };
    walk(
        dim, [&](std::int64_t i) { add(one(element(at, dim, i))); },
        [&] { add(options_.edgeitems == 0 ? "..." : " ..."); });
    return out + "]";
  }

  Tensor tensor_;
  const PrintOptions& options_;
  bool summarize_;
  ElementFormat real_, imaginary_;
};

/// The name of the node that made a tensor; empty for a leaf.
inline std::string grad_fn_name(const Tensor& t) {
  try {
    auto node = t.grad_fn();
    return node ? std::string(node->name()) : std::string();
  } catch (const Error&) {
    return "Invalid";  // a view whose base was written where nothing was recorded
  }
}

}  // namespace detail

TENON_COLD_BODY std::string to_string(const Tensor& t, const PrintOptions& options) {
  if (!t.defined()) return "tensor()";
  constexpr std::size_t indent = 7;  // of `tensor(`
  std::string out = "tensor(";
  std::vector<std::string> suffixes;
  auto add_size = [&] {
    std::string size = "size=(";
    for (std::size_t d = 0; d < t.sizes().size(); ++d) size += (d ? ", " : "") + std::to_string(t.sizes()[d]);
    suffixes.push_back(size + (t.dim() == 1 ? ",)" : ")"));
  };
  bool has_elements =
      t.is_cpu() && t.layout() == kStrided && item_size(t.dtype()) != 0 && !t.keys().has(DispatchKey::Functionalize);
  if (!t.is_cpu()) suffixes.push_back("device='" + to_string(t.device()) + "'");
  ScalarType standard = get_default_dtype();
  bool usual = t.dtype() == standard;
  if (!has_elements) {
    out += "...";
    add_size();
  } else {
    if (t.numel() == 0) {
      if (t.dim() != 1) add_size();
    } else {
      if (options.edgeitems == 0) add_size();
      usual = usual || t.dtype() == (standard == kDouble ? kComplexDouble : kComplexFloat) || t.dtype() == kLong ||
              t.dtype() == kBool;
    }
    out += detail::TensorPrinter(t, options).text(indent);
  }
  if (!usual) suffixes.push_back("dtype=" + std::string(to_string(t.dtype())));
  if (t.layout() != kStrided) suffixes.push_back("layout=" + std::string(to_string(t.layout())));
  if (std::string name = detail::grad_fn_name(t); !name.empty())
    suffixes.push_back("grad_fn=<" + name + ">");
  else if (t.requires_grad())
    suffixes.push_back("requires_grad=True");

  std::size_t newline = out.rfind('\n');
  std::size_t line = newline == out.npos ? out.size() + 2 : out.size() - newline + 1;
  for (const std::string& suffix : suffixes) {
    // Lines break where PyTorch's do, which writes `torch.` before dtypes and layouts.
    bool prefixed = suffix.starts_with("dtype=") || suffix.starts_with("layout=");
    std::size_t size = suffix.size() + (prefixed ? std::string_view("torch.").size() : 0);
    if (static_cast<std::int64_t>(line + size + 2) > options.linewidth) {
      out += ",\n" + std::string(indent, ' ') + suffix;
      line = indent + size;
    } else {
      out += ", " + suffix;
      line += size + 2;
    }
  }
  return out + ")";
}

TENON_COLD_BODY void set_printoptions(const PrintChanges& changes) {
  TENON_CHECK(!changes.precision || (*changes.precision >= 0 && *changes.precision <= 60), ValueError,
              "set_printoptions: expected a precision in [0, 60], got ", *changes.precision);
  TENON_CHECK(!changes.edgeitems || *changes.edgeitems >= 0, ValueError,
              "set_printoptions: expected edgeitems of at least 0, got ", *changes.edgeitems);
  PrintOptions now = get_printoptions();
  if (changes.profile) now = {};
  if (changes.profile == PrintProfile::Short) {
    now.precision = 2;
    now.edgeitems = 2;
  } else if (changes.profile == PrintProfile::Full) {
    now.threshold = std::numeric_limits<std::int64_t>::max();
  }
  now.precision = changes.precision.value_or(now.precision);
  now.threshold = changes.threshold.value_or(now.threshold);
  now.edgeitems = changes.edgeitems.value_or(now.edgeitems);
  now.linewidth = changes.linewidth.value_or(now.linewidth);
  now.sci_mode = changes.sci_mode;
  detail::print_options = now;
}

TENON_BODY std::string to_string(const TensorOptions& options) {
  std::string out;
  auto add = [&](const char* name, const auto& value) { out += concat(out.empty() ? "" : ", ", name, "=", value); };
  if (auto dtype = options.dtype()) add("dtype", *dtype);
  if (auto layout = options.layout()) add("layout", *layout);
  if (auto device = options.device()) add("device", *device);
  if (options.requires_grad()) add("requires_grad", "True");
  if (auto pinned = options.pinned_memory()) add("pin_memory", *pinned ? "True" : "False");
  if (auto format = options.memory_format()) add("memory_format", *format);
  return out;
}

TENON_BODY std::string size_text(IntArrayRef sizes) { return concat("torch.Size(", sizes, ")"); }
TENON_BODY std::string stride_text(IntArrayRef strides) {
  std::string out = "(";
  for (std::size_t i = 0; i < strides.size(); ++i) out += concat(i ? ", " : "", strides[i]);
  return out + (strides.size() == 1 ? ",)" : ")");
}

}  // namespace tenon
