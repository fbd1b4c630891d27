// An entry for fuzzers: one call of an operator from bytes.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/testing/samples.hpp>

namespace tenon::testing {

namespace detail {

/// The values that bytes spell, for one schema.
class FuzzedCall {
 public:
  FuzzedCall(const schema::SchemaView& s, const std::uint8_t* data, std::size_t size)
      : schema_(s), at_(data), end_(data + size) {}
  Stack arguments() {
    Stack stack;
    for (std::size_t i = 0; i < schema_.n_args(); ++i) stack.push_back(value(schema_.type(schema_.arg(i))));
    return stack;
  }

 private:
  std::uint8_t byte() { return at_ == end_ ? std::uint8_t{0} : *at_++; }
  /// Small numbers and the extremes are the interesting ones.
  std::int64_t number() {
    std::uint8_t b = byte();
    return b == 0xff ? INT64_MAX : b == 0xfe ? INT64_MIN : static_cast<std::int8_t>(b) / 8;
  }
  Tensor tensor() {
    constexpr ScalarType dtypes[] = {kFloat, kDouble, kHalf,         kBFloat16, kLong, kInt,
                                     kBool,  kByte,   kComplexFloat, kFloat,    kLong, kFloat};
    std::uint8_t b = byte(), form = byte();
    if (form == 0xff) return {};
    SampleTensor like;
    like.dtype = dtypes[b % std::size(dtypes)];
    like.places = form & 1;
    like.huge = (form & 6) == 6;
    for (std::uint8_t d = form >> 5; d > 0; --d) like.sizes.push_back(byte() % 5);
    Tensor t = sample_tensor(like, b);
    if ((form & 8) && t.dim() > 1) t = ops::transpose(t, 0, -1);
    if ((form & 16) && t.dim() > 0) t = ops::slice(t, -1, 0, INT64_MAX, 2);
    return t;
  }
  Value value(const schema::TypeNode& node) {
    using schema::Kind;
    switch (node.kind) {
      case Kind::Optional: return byte() % 2 ? value(schema_.node(node.child)) : Value();
      case Kind::Tensor: return tensor();
      case Kind::Int:
      case Kind::SymInt: return number();
      case Kind::Float:
      case Kind::SymFloat: return static_cast<double>(number()) / 4;
      case Kind::Scalar: return byte() % 2 ? Value(number()) : Value(static_cast<double>(number()) / 4);
      case Kind::Complex: return Complex<double>(static_cast<double>(number()), 1);
      case Kind::Bool:
      case Kind::SymBool: return byte() % 2 == 1;
      case Kind::ScalarType: return std::int64_t{byte() % 12};
      case Kind::Layout:
      case Kind::MemoryFormat: return std::int64_t{byte() % 4};
      case Kind::Device: return kCPU;
      case Kind::Str: {
        std::string text;
        for (std::uint8_t n = byte() % 8; n > 0; --n) text += static_cast<char>(byte());
        return text;
      }
      case Kind::List: {
        std::vector<Value> items;
        for (int n = node.size > 0 ? node.size : byte() % 4; n > 0; --n)
          items.push_back(value(schema_.node(node.child)));
        ValueKind kind = items.empty() || items[0].is_none() ? ValueKind::Tensor : items[0].kind();
        return Value::list(std::move(items), kind);
      }
      default: return Value();
    }
  }

  const schema::SchemaView& schema_;
  const std::uint8_t *at_, *end_;
};

}  // namespace detail

/// One call of an operator with arguments that bytes spell, for `LLVMFuzzerTestOneInput`: it gives results, whose every
/// element is read, or throws an error of the library. Any other exception ends the program with a message.
/// Returns 0. Errors: ValueError if there is no such operator.
inline int fuzz(std::string_view name, const std::uint8_t* data, std::size_t size) {
  OperatorHandle op = Registry::get().find_schema(name);
  TENON_CHECK(op, ValueError, "fuzz(): no operator is named '", name, "'");
  try {
    Stack stack = detail::FuzzedCall(op.schema(), data, size).arguments();
    op.call_boxed(stack);
    for (const Value& v : stack)
      ::tenon::detail::each_tensor(v, [](const Tensor& t) {
        if (t.device().is_cpu() && t.numel() < 1 << 20) ops::clone(t.detach());
      });
  } catch (const Error&) {
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fuzz(): %.*s throws another error than the library's: %s\n", static_cast<int>(name.size()),
                 name.data(), e.what());
    std::abort();
  }
  return 0;
}

}  // namespace tenon::testing
