// What the judging programs share: values from JSON guided by a schema, boxed calls by name, comparison of raw memory.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenon/base/component.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/schema/default_value.hpp>
#include <tenon/tensor/create.hpp>

namespace oracle {

using json = nlohmann::ordered_json;  // keyword arguments count in the order they were written
using namespace tenon;

/// What makes a case fail; its text says what differs.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};
template <class... Parts>
[[noreturn]] void mismatch(const Parts&... parts) {
  throw Mismatch(concat(parts...));
}

inline std::string to_text(double v) {
  return json(v).is_null() || !std::isfinite(v) ? (std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf") : json(v).dump();
}

// ---- values
// ----------------------------------------------------------------------------------------------------------

inline bool is_tensor(const json& v) { return v.is_object() && v.contains("t"); }
inline ScalarType dtype_of(const json& v) {
  auto name = v.at("dtype").get<std::string>();
  auto dtype = scalar_type_from_name(name);
  if (!dtype) mismatch("the case names an unknown dtype ", name);
  return *dtype;
}
inline std::vector<std::int64_t> ints(const json& v) { return v.get<std::vector<std::int64_t>>(); }

/// Where the tensors of calls are; results are compared on the host.
inline Device judged_device = kCPU;
inline void judge_on(const std::string& device) {
  judged_device = Device(device);
  if (!judged_device.has_index() && !judged_device.is_cpu()) judged_device.index = 0;
}

/// A tensor of the CPU as one of the judged device, with its geometry.
inline Tensor on_judged_device(const Tensor& t) {
  if (judged_device.is_cpu()) return t;
  Tensor there = make_tensor(t.sizes(), t.strides(), t.dtype(), judged_device);
  auto n = static_cast<std::int64_t>(t.storage().nbytes() / item_size(t.dtype()));
  // A call by name: what a back end copies with is judged too. It counts as no write.
  AutoDispatchBelowADInplaceOrView below;
  Stack stack{Value(make_alias(there, {n}, {1}, 0)), Value(make_alias(t, {n}, {1}, 0)), Value(false)};
  Registry::get().find_schema("aten::copy_").call_boxed(stack);
  return there;
}
/// The memory of a tensor of a device, read back as it is.
inline Tensor on_host(const Tensor& t) {
  if (t.device().type != DeviceType::CUDA || !cuda::is_built()) return t;
  auto n = static_cast<std::int64_t>(t.storage().nbytes() / item_size(t.dtype()));
  Tensor flat = make_tensor({n}, {}, t.dtype());
  if (n != 0) cuda::component()->read(flat.data_ptr(), t.storage().data(), t.storage().nbytes());
  Tensor here = make_alias(flat, t.sizes(), t.strides(), t.storage_offset());
  if (t.is_conj()) here->set_keys(here.keys() | KeySet(DispatchKey::Conjugate));
  if (t.is_neg()) here->set_keys(here.keys() | KeySet(DispatchKey::Negative));
  return here;
}

/// A fresh tensor with the recorded geometry and elements.
inline Tensor make(const json& v, const SafetensorsFile& file) {
  auto sizes = ints(v.at("size"));
  auto strides = v.contains("stride") ? ints(v.at("stride")) : std::vector<std::int64_t>();
  Tensor t = make_tensor(sizes, strides, dtype_of(v));
  std::string_view bytes = file.bytes(file.entry(v.at("t").get<std::string>()));
  if (bytes.size() != t.storage().nbytes())
    mismatch("the case's data have ", bytes.size(), " bytes where ", t.storage().nbytes(), " are needed");
  if (!bytes.empty()) std::memcpy(t.storage().data(), bytes.data(), bytes.size());
  return on_judged_device(t);
}

inline double number(const json& v) {
  if (v.is_object() && v.contains("f")) {
    auto word = v.at("f").get<std::string>();
    double inf = std::numeric_limits<double>::infinity();
    return word == "nan" ? std::nan("") : word == "inf" ? inf : -inf;
  }
  if (v.is_string()) return number(json{{"f", v}});
  if (v.is_boolean()) return v.get<bool>() ? 1 : 0;
  return v.get<double>();
}
inline Scalar scalar(const json& v) {
  if (v.is_object() && v.contains("c")) return Complex<double>(number(v.at("c").at(0)), number(v.at("c").at(1)));
  if (v.is_boolean()) return v.get<bool>();
  if (v.is_number_unsigned()) return v.get<std::uint64_t>();
  if (v.is_number_integer()) return v.get<std::int64_t>();
  return number(v);
}

/// Makes a tensor from a JSON value that stands for one, and remembers it.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  virtual bool is(const json& v) const = 0;
  virtual Tensor get(const json& v) = 0;
};

/// A tensor that stands for numbers.
inline Tensor numbers(const json& v, TensorSource& tensors) {
  Tensor t = tensors.get(v);
  if (t.is_meta()) mismatch("a tensor stands for numbers, and has none on Meta");
  return t;
}

/// The boxed value of a JSON value where the schema has the type `node`. What Python accepts in place of that type is
/// accepted too: an int for a float, one int for a list, a tensor for a number, a number for a tensor.
inline Value convert(const json& v, const schema::SchemaView& schema, const schema::TypeNode& node,
                     TensorSource& tensors) {
  using schema::Kind;
  auto text = [&](const char* key) { return v.is_object() ? v.at(key).get<std::string>() : v.get<std::string>(); };
  auto code = [](const auto& symbols, std::string_view word) -> std::int64_t {
    int found = schema::detail::find_symbol(symbols, word);
    if (found < 0) mismatch("the case names an unknown '", word, "'");
    return found;
  };
  if (node.kind != Kind::Tensor && node.kind != Kind::Optional && node.kind != Kind::List && tensors.is(v)) {
    Scalar item = numbers(v, tensors).item();
    if (node.kind == Kind::Int || node.kind == Kind::SymInt) return Value(item.to_int());
    if (node.kind == Kind::Float) return Value(item.to_double());
    if (node.kind == Kind::Bool) return Value(item.to<bool>());
    return Value(item);
  }
  switch (node.kind) {
    case Kind::Optional: return v.is_null() ? Value() : convert(v, schema, schema.node(node.child), tensors);
    case Kind::List: {
      const schema::TypeNode& element = schema.node(node.child);
      ValueKind kind = element.kind == Kind::Tensor  ? ValueKind::Tensor
                       : element.kind == Kind::Float ? ValueKind::Double
                       : element.kind == Kind::Bool  ? ValueKind::Bool
                                                     : ValueKind::Int;
      std::vector<Value> items;
      if (tensors.is(v) && element.kind != Kind::Tensor) {
        Tensor t = on_host(numbers(v, tensors));
        if (t.dtype() != kLong || t.dim() > 1) mismatch("the case gives a tensor that is no list of integers");
        for (std::int64_t i = 0; i < t.numel(); ++i)
          items.emplace_back(t.data_ptr<std::int64_t>()[t.dim() ? i * t.strides()[0] : 0]);
      } else if (v.is_array()) {
        for (const json& item : v) items.push_back(convert(item, schema, element, tensors));
      } else {
        items.assign(node.size > 0 ? static_cast<std::size_t>(node.size) : 1, convert(v, schema, element, tensors));
      }
      return Value::list(std::move(items), kind);
    }
    case Kind::Tensor:
      if (v.is_null()) return Value();
      return tensors.is(v) ? Value(tensors.get(v)) : Value(wrapped_scalar_tensor(scalar(v)));
    case Kind::Int:
    case Kind::SymInt:
      if (v.is_object() && v.contains("dtype")) return Value(dtype_of(v));
      return v.is_boolean() ? Value(static_cast<std::int64_t>(v.get<bool>())) : Value(v.get<std::int64_t>());
    case Kind::Float:
    case Kind::SymFloat: return Value(number(v));
    case Kind::Bool:
    case Kind::SymBool: return Value(v.is_boolean() ? v.get<bool>() : number(v) != 0);
    case Kind::Scalar: return Value(scalar(v));
    case Kind::Complex: return Value(scalar(v).to<Complex<double>>());
    case Kind::Str: return Value(v.get<std::string>());
    case Kind::ScalarType: return Value(dtype_of(v));
    case Kind::Layout: return Value(code(schema::detail::layout_symbols, text("layout")));
    case Kind::MemoryFormat: return Value(code(schema::detail::memory_format_symbols, text("memory_format")));
    case Kind::Device: return Value(Device(text("device")));
    case Kind::Generator: return Value();
    default: mismatch("the replay knows no values of type ", schema::kind_word(node.kind));
  }
}

/// The default of an argument as a boxed value.
inline Value default_value(const schema::SchemaView& schema, const schema::Argument& argument) {
  using schema::Kind;
  auto one = [](const schema::Constant& c) -> Value {
    if (c.is_none()) return Value();
    switch (c.written) {
      case schema::DefaultKind::Boolean:
        return c.kind == Kind::Scalar || c.kind == Kind::Bool || c.kind == Kind::SymBool
                   ? Value(c.boolean())
                   : Value(std::int64_t{c.boolean()});
      case schema::DefaultKind::Float: return Value(c.real());
      case schema::DefaultKind::Imaginary: return Value(Complex<double>(0, c.real()));
      case schema::DefaultKind::String: return c.kind == Kind::Device ? Value(Device(c.string())) : Value(c.string());
      case schema::DefaultKind::Symbol: return Value(c.integer());
      default:
        return c.kind == Kind::Float || c.kind == Kind::SymFloat ? Value(static_cast<double>(c.integer()))
                                                                 : Value(c.integer());
    }
  };
  if (!schema::default_is_list(schema, argument)) return one(schema::default_constant(schema, argument));
  std::vector<Value> items;
  for (std::size_t i = 0; i < schema::default_size(schema, argument); ++i)
    items.push_back(one(schema::default_item(schema, argument, i)));
  return Value::list(std::move(items), ValueKind::Int);
}

/// The arguments of a call in the schema's order: positional ones, then those by name, the rest by default.
inline Stack arguments(const schema::SchemaView& schema, const json& args, const json& kwargs, TensorSource& tensors) {
  std::size_t n = schema.n_args();
  if (args.size() > n) mismatch("the case has ", args.size(), " positional arguments, the schema ", n);
  Stack stack(n);
  std::vector<bool> given(n, false);
  for (std::size_t i = 0; i < args.size(); ++i) {
    stack[i] = convert(args[i], schema, schema.type(schema.arg(i)), tensors);
    given[i] = true;
  }
  for (const auto& [name, v] : kwargs.items()) {
    int i = schema.find_argument(name);
    if (i < 0) mismatch("the schema has no argument '", name, "'");
    stack[static_cast<std::size_t>(i)] =
        convert(v, schema, schema.type(schema.arg(static_cast<std::size_t>(i))), tensors);
    given[static_cast<std::size_t>(i)] = true;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (given[i]) continue;
    if (!schema.arg(i).has_default()) mismatch("the case leaves out argument '", schema.arg_name(i), "'");
    stack[i] = default_value(schema, schema.arg(i));
  }
  return stack;
}

inline OperatorHandle find(const std::string& full_name) {
  OperatorHandle op = Registry::get().find_schema(full_name);
  if (!op) mismatch("no operator ", full_name);
  return op;
}

/// Every tensor in a value, lists flattened.
inline void collect(const Value& v, std::vector<Tensor>& out) {
  if (v.is_tensor())
    out.push_back(v.to_tensor());
  else if (v.is_list())
    for (const Value& item : v.to_list()) collect(item, out);
}

// ---- comparison
// ------------------------------------------------------------------------------------------------------

struct Tolerance {
  double relative = 0, absolute = 0;
};
inline Tolerance tolerance_of(ScalarType dtype) {
  switch (to_real_type(dtype)) {
    case kDouble: return {1e-7, 1e-7};
    case kFloat: return {1.3e-6, 1e-5};
    case kHalf: return {1e-3, 1e-5};
    case kBFloat16: return {1.6e-2, 1e-5};
    default: return {};
  }
}
inline bool close(double got, double expected, Tolerance tolerance) {
  if (std::isnan(expected)) return std::isnan(got);
  if (got == expected) return true;
  return std::isfinite(expected) && std::isfinite(got) &&
         std::abs(got - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

namespace detail {
template <class T>
struct Element {
  static T read(const char* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
  }
};
template <>
struct Element<bool> {  // any byte but 0 and 1 is a defect to be seen, not undefined behaviour
  static std::uint8_t read(const char* p) { return static_cast<std::uint8_t>(*p); }
};
}  // namespace detail

/// Calls `f(got, expected, index)` with the addresses of corresponding elements; offsets count elements.
template <class F>
void for_each_pair(IntArrayRef sizes, const char* got, IntArrayRef got_strides, const char* expected,
                   IntArrayRef expected_strides, std::size_t item, F&& f) {
  if (count_elements(sizes) == 0) return;
  std::vector<std::int64_t> index(sizes.size(), 0);
  auto bytes = static_cast<std::int64_t>(item);
  for (;;) {
    std::int64_t a = 0, b = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      a += index[d] * got_strides[d];
      b += index[d] * expected_strides[d];
    }
    f(got + a * bytes, expected + b * bytes, index);
    std::size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

/// Throws Mismatch unless the tensor holds the expected elements. Reads memory only; lazily negated or conjugated
/// results are read as the values they stand for.
inline void compare_elements(const std::string& what, const Tensor& got, const char* expected,
                             IntArrayRef expected_strides, ScalarType dtype, Tolerance tolerance) {
  bool conj = got.is_conj(), neg = got.is_neg();
  visit_scalar_type(dtype, [&]<class T>(type_tag<T>) {
    for_each_pair(got.sizes(), static_cast<const char*>(got.data_ptr()), got.strides(), expected, expected_strides,
                  sizeof(T), [&](const char* g, const char* e, const std::vector<std::int64_t>& index) {
                    auto x = detail::Element<T>::read(g), y = detail::Element<T>::read(e);
                    if constexpr (is_complex_v<T>) {
                      Complex<double> a{static_cast<double>(x.re), static_cast<double>(x.im)},
                          b{static_cast<double>(y.re), static_cast<double>(y.im)};
                      if (conj) a.im = -a.im;
                      if (neg) a = {-a.re, -a.im};
                      bool finite =
                          std::isfinite(a.re) && std::isfinite(a.im) && std::isfinite(b.re) && std::isfinite(b.im);
                      bool same = finite ? std::hypot(a.re - b.re, a.im - b.im) <=
                                               tolerance.absolute + tolerance.relative * std::hypot(b.re, b.im)
                                         : close(a.re, b.re, tolerance) && close(a.im, b.im, tolerance);
                      if (!same)
                        mismatch(what, ": element ", index, ": expected (", to_text(b.re), ", ", to_text(b.im),
                                 "), got (", to_text(a.re), ", ", to_text(a.im), ")");
                    } else if constexpr (is_floating_type(scalar_type_v<T>)) {
                      double a = static_cast<double>(x), b = static_cast<double>(y);
                      if (neg) a = -a;
                      if (!close(a, b, tolerance))
                        mismatch(what, ": element ", index, ": expected ", to_text(b), ", got ", to_text(a));
                    } else if (x != y) {
                      mismatch(what, ": element ", index, ": expected ", +y, ", got ", +x);
                    }
                  });
  });
}

/// Throws Mismatch unless the tensor has the recorded dtype, size and elements.
inline void compare(const std::string& what, const Tensor& got, const json& expected, const SafetensorsFile& file,
                    std::optional<Tolerance> tolerance = std::nullopt) {
  if (!got.defined()) mismatch(what, ": expected a tensor, got an undefined one");
  ScalarType dtype = dtype_of(expected);
  if (got.dtype() != dtype) mismatch(what, ": expected dtype ", dtype, ", got ", got.dtype());
  auto sizes = ints(expected.at("size"));
  if (!(got.sizes() == IntArrayRef(sizes))) mismatch(what, ": expected size ", sizes, ", got ", got.sizes());
  DimVector strides =
      expected.contains("stride") ? DimVector(IntArrayRef(ints(expected.at("stride")))) : contiguous_strides(sizes);
  std::string_view bytes = file.bytes(file.entry(expected.at("t").get<std::string>()));
  if (bytes.size() != storage_bytes(sizes, strides, item_size(dtype)))
    mismatch("the case's data have ", bytes.size(), " bytes for size ", sizes);
  // A result must lie within its storage before it is read.
  if (std::size_t end = storage_bytes(got.sizes(), got.strides(), item_size(dtype), got.storage_offset());
      end > got.storage().nbytes())
    mismatch(what, ": its last element ends at byte ", end, " of a storage of ", got.storage().nbytes());
  compare_elements(what, on_host(got), bytes.data(), strides, dtype, tolerance ? *tolerance : tolerance_of(dtype));
}

/// Throws Mismatch unless the value is the recorded one, which is no tensor. Null stands for an undefined tensor too.
inline void compare_plain(const std::string& what, const Value& got, const json& expected) {
  if (expected.is_null()) {
    if (!got.is_none() && !(got.is_tensor() && !got.to_tensor().defined()))
      mismatch(what, ": expected None, got ", got.kind());
    return;
  }
  if (expected.is_string()) {
    if (got.to_string_view() != expected.get<std::string>())
      mismatch(what, ": expected '", expected.get<std::string>(), "', got '", got.to_string_view(), "'");
    return;
  }
  if (!got.is_number()) mismatch(what, ": expected ", expected.dump(), ", got ", got.kind());
  Scalar a = got.to_scalar(), b = scalar(expected);
  auto x = a.to<Complex<double>>(), y = b.to<Complex<double>>();
  bool exact = b.is_integral(true);
  Tolerance tolerance = exact ? Tolerance{} : tolerance_of(kDouble);
  if (a.is_boolean() != b.is_boolean() || !close(x.re, y.re, tolerance) || !close(x.im, y.im, tolerance))
    mismatch(what, ": expected ", expected.dump(), ", got ", a);
}

/// Throws Mismatch unless the value is the recorded one: a tensor, a list of such values or none of both.
inline void compare_value(const std::string& what, const Value& got, const json& expected,
                          const SafetensorsFile& file) {
  if (is_tensor(expected)) {
    if (!got.is_tensor()) mismatch(what, ": expected a tensor, got ", got.kind());
    return compare(what, got.to_tensor(), expected, file);
  }
  if (!expected.is_array()) return compare_plain(what, got, expected);
  if (!got.is_list()) mismatch(what, ": expected a list, got ", got.kind());
  const auto& items = got.to_list();
  if (items.size() != expected.size()) mismatch(what, ": expected ", expected.size(), " items, got ", items.size());
  for (std::size_t i = 0; i < items.size(); ++i) compare_value(concat(what, ", item ", i), items[i], expected[i], file);
}

}  // namespace oracle
