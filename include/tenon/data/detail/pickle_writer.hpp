// Pickles of tensors and plain data, as torch.save() writes them.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/boxing/value.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::data::detail {

/// A pickle of protocol 2, and the memory that its tensors name.
class PickleWriter {
 public:
  explicit PickleWriter(bool (*is_text)(std::string_view)) : is_text_(is_text), out_("\x80\2") {}
  /// All of it, after which nothing is added.
  const std::string& finish() { return out_ += '.'; }
  const std::vector<Storage>& storages() const { return storages_; }

  void ordered_dict(const std::vector<std::pair<std::string, Tensor>>& entries) {
    global("collections", "OrderedDict");
    out_ += ")R(";
    for (const auto& [name, t] : entries) {
      text(name);
      tensor(t);
    }
    out_ += 'u';
  }
  void value(const Value& v, int depth = 0) {
    TENON_CHECK(depth <= kDeepest, ValueError, "save_torch(): values lie in each other more than ", kDeepest, " deep");
    auto all = [&](const std::vector<Value>& items) {
      out_ += '(';
      for (const Value& item : items) value(item, depth + 1);
    };
    switch (v.kind()) {
      case ValueKind::None: out_ += 'N'; return;
      case ValueKind::Tensor: tensor(v.to_tensor()); return;
      case ValueKind::Double: number(v.to_double()); return;
      case ValueKind::ComplexDouble:
        global("__builtin__", "complex");
        number(v.to_complex().real());
        number(v.to_complex().imag());
        out_ += "\x86R";
        return;
      case ValueKind::Int: integer(v.to_int()); return;
      case ValueKind::UInt:
        out_ += "\x8a\x09";
        append_little_endian<8>(out_, v.to_uint());
        out_ += '\0';
        return;
      case ValueKind::Bool: boolean(v.to_bool()); return;
      case ValueKind::String: text(v.to_string_view()); return;
      case ValueKind::Device: device(v.to_device()); return;
      case ValueKind::Tuple:
        all(v.to_tuple());
        out_ += 't';
        return;
      case ValueKind::List:
        out_ += ']';
        all(v.to_list());
        out_ += 'e';
        return;
      case ValueKind::Dict:
        out_ += "}(";
        for (const auto& [key, item] : v.to_dict()) {
          value(key, depth + 1);
          value(item, depth + 1);
        }
        out_ += 'u';
        return;
      default: break;
    }
    fail<TypeError>("save_torch(): expected tensors and plain data, got a ", to_string(v.kind()));
  }

 private:
  static constexpr int kDeepest = 150;
  /// How a storage is named: by the dtype of its elements where that has a name of old, else as bytes.
  struct Known {
    std::size_t key;
    ScalarType dtype;  // Undefined: bytes
  };

  static const char* old_storage(ScalarType dtype) {
    switch (dtype) {
      case kDouble: return "DoubleStorage";
      case kFloat: return "FloatStorage";
      case kHalf: return "HalfStorage";
      case kBFloat16: return "BFloat16Storage";
      case kLong: return "LongStorage";
      case kInt: return "IntStorage";
      case kShort: return "ShortStorage";
      case kChar: return "CharStorage";
      case kByte: return "ByteStorage";
      case kBool: return "BoolStorage";
      case kComplexFloat: return "ComplexFloatStorage";
      case kComplexDouble: return "ComplexDoubleStorage";
      default: return nullptr;
    }
  }

  void global(std::string_view module, std::string_view name) {
    out_ += ::tenon::concat("c", module, "\n", name, "\n");
  }
  void boolean(bool on) { out_ += on ? '\x88' : '\x89'; }
  void number(double x) {
    out_ += 'G';
    append_big_endian<8>(out_, std::bit_cast<std::uint64_t>(x));
  }
  void integer(std::int64_t n) {
    if (n >= 0 && n < 256) {
      out_ += 'K';
      append_little_endian<1>(out_, static_cast<std::uint64_t>(n));
    } else if (n >= INT32_MIN && n <= INT32_MAX) {
      out_ += 'J';
      append_little_endian<4>(out_, static_cast<std::uint64_t>(n));
    } else {
      out_ += "\x8a\x08";
      append_little_endian<8>(out_, static_cast<std::uint64_t>(n));
    }
  }
  void text(std::string_view bytes) {
    TENON_CHECK(is_text_(bytes), ValueError, "save_torch(): expected texts in UTF-8, got other bytes");
    TENON_CHECK(bytes.size() <= 0xffffffffu, ValueError, "save_torch(): a text of 4 GiB is not supported");
    out_ += 'X';
    append_little_endian<4>(out_, bytes.size());
    out_ += bytes;
  }
  void device(Device where) {
    global("torch", "device");
    std::string name = ::tenon::concat(where);
    std::size_t colon = name.find(':');
    text(std::string_view(name).substr(0, colon));
    if (colon == std::string::npos) {
      out_ += "\x85R";
    } else {
      integer(where.index);
      out_ += "\x86R";
    }
  }
  void integers(IntArrayRef list) {
    out_ += '(';
    for (std::int64_t n : list) integer(n);
    out_ += 't';
  }
  void tensor(const Tensor& given) {
    if (!given.defined()) {
      out_ += 'N';
      return;
    }
    TENON_CHECK(given.is_cpu() && given.layout() == Layout::Strided && given.storage(), ValueError,
                "save_torch(): expected strided tensors in CPU memory, got one on ", given.device(),
                "; copy it with to(kCPU)");
    bool plain = false;
    switch (given.dtype()) {
#define X(CPP, NAME, ...) case ScalarType::NAME:
      TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
      plain = true;
      break;
      default: break;
    }
    TENON_CHECK(plain, NotImplementedError, "save_torch(): a tensor of dtype ", given.dtype(), " is not supported");
    // Python's tuples of the arguments: storage, offset, sizes, strides, requires_grad, hooks, and what there is more.
    std::size_t place = out_.size();
    bool typed = storage(given.storage(), given.dtype());
    std::string named = out_.substr(place);
    out_.resize(place);
    global("torch._utils", typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
    out_ += '(' + named;
    integer(given.storage_offset());
    integers(given.sizes());
    integers(given.strides());
    boolean(given.requires_grad());
    global("collections", "OrderedDict");
    out_ += ")R";
    if (!typed) global("torch", to_string(given.dtype()));
    if (given.is_conj() || given.is_neg()) {
      out_ += "}(";
      for (auto [mark, on] : {std::pair("conj", given.is_conj()), std::pair("neg", given.is_neg())})
        if (on) {
          text(mark);
          boolean(true);
        }
      out_ += 'u';
    }
    out_ += "tR";
  }
  /// Names a storage, and says whether by the dtype. The one that names it first says what it is to all that read it.
  bool storage(const Storage& s, ScalarType dtype) {
    bool whole = s.nbytes() % item_size(dtype) == 0;
    auto [at, fresh] = known_.try_emplace(
        s.impl().get(), Known{storages_.size(), old_storage(dtype) && whole ? dtype : ScalarType::Undefined});
    if (fresh) storages_.push_back(s);
    bool typed = at->second.dtype == dtype;
    out_ += '(';
    text("storage");
    if (typed)
      global("torch", old_storage(dtype));
    else
      global("torch.storage", "UntypedStorage");
    text(std::to_string(at->second.key));
    text("cpu");
    integer(static_cast<std::int64_t>(typed ? s.nbytes() / item_size(dtype) : s.nbytes()));
    out_ += "tQ";
    return typed;
  }

  bool (*is_text_)(std::string_view);
  std::string out_;
  std::vector<Storage> storages_;
  std::unordered_map<const void*, Known> known_;
};

}  // namespace tenon::data::detail
