// Boxed values of any kind and nesting from the bytes of a fuzzer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/base/sym_expr.hpp>
#include <tenon/boxing/value_text.hpp>

namespace fuzz {

using namespace tenon;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  std::uint8_t byte() { return empty() ? std::uint8_t{0} : *at_++; }
  std::int64_t number() {
    // Small numbers and the extremes are the interesting ones.
    switch (std::uint8_t b = byte()) {
      case 0xff: return INT64_MAX;
      case 0xfe: return -(std::int64_t{1} << 62);
      default: return static_cast<std::int8_t>(b);
    }
  }
  std::string text() {
    std::string out;
    for (std::size_t n = byte() % 16; n > 0 && !empty(); --n) out += static_cast<char>(byte());
    return out;
  }

 private:
  const std::uint8_t *at_, *end_;
};

inline Tensor tensor(std::uint8_t kind) {
  if (kind % 8 == 0) return Tensor();
  KeySet keys(kind % 8 == 1 ? DispatchKey::CUDA : kind % 8 == 2 ? DispatchKey::SparseCPU : DispatchKey::CPU);
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(8, kCPU), keys.add(DispatchKey::AutogradCPU),
                                      kind & 8 ? kLong : kFloat, kCPU));
  if (kind & 16)
    t.impl().set_contiguous(IntArrayRef{1});
  else
    t.impl().set_contiguous(IntArrayRef{});
  return t;
}

inline Value value(Bytes& in, int depth = 0) {
  auto some = [&](auto&& make) {
    for (std::size_t n = depth < 4 ? in.byte() % 5 : 0; n > 0; --n) make();
  };
  switch (in.byte() % 14) {
    case 0: return {};
    case 1: return tensor(in.byte());
    case 2: return in.number();
    case 3: return static_cast<double>(in.number()) / 4;
    case 4: return in.byte() % 2 == 0;
    case 5: return in.text();
    case 6: return Complex<double>(static_cast<double>(in.number()), 1);
    case 7:
    case 8: {
      std::vector<Value> items;
      some([&] { items.push_back(value(in, depth + 1)); });
      return Value::list(std::move(items), static_cast<ValueKind>(in.byte() % 12));
    }
    case 9: {
      std::vector<Value> items;
      some([&] { items.push_back(value(in, depth + 1)); });
      return Value::tuple(std::move(items));
    }
    case 10: {
      std::vector<std::pair<Value, Value>> items;
      some([&] { items.emplace_back(value(in, depth + 1), value(in, depth + 1)); });
      return Value::dict(std::move(items));
    }
    case 11: return kCPU;
    case 12: return Value(make_intrusive<SymEnv>()->symbol(in.number()));
    default: return Value(~std::uint64_t{0});
  }
}

}  // namespace fuzz
