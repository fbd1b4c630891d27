// What the names in a file of torch.save() stand for.
#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/data/detail/pickle.hpp>
#include <tenon/data/detail/zip.hpp>
#include <tenon/data/torch_file.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/io/detail/header_json.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/methods.hpp>

namespace tenon::data {

namespace detail {

/// Memory of the file that a tensor in the pickle is to be over.
class TorchStorage final : public RefCounted {
 public:
  TorchStorage(std::string its_key, std::optional<ScalarType> its_dtype, std::int64_t its_count)
      : key(std::move(its_key)), dtype(its_dtype), count(its_count) {}
  const std::string key;
  const std::optional<ScalarType> dtype;  // nothing: bytes
  const std::int64_t count;               // of elements

 private:
  void release_resources() noexcept override {}
};

class TorchFile final : public PickleWorld {
 public:
  TorchFile(intrusive_ptr<::tenon::detail::FileBytes> bytes, const std::string& file, Inflate inflate)
      : PickleWorld(file), bytes_(std::move(bytes)), file_(file), inflate_(inflate) {
    TENON_CHECK(bytes_->view().substr(0, 4) == "PK\3\4", FileError, file,
                ": expected a file of torch.save() of PyTorch 1.6 or newer, which is a zip file");
    for (ZipEntry& e : read_zip_directory(bytes_->view(), file, &::tenon::detail::is_utf8)) {
      TENON_CHECK(is_text(e.name), FileError, file, ": a name in it is no text");
      std::string name = small_letters(e.name);
      if (entries_.empty()) folder_ = name.substr(0, name.find('/') + 1);
      TENON_CHECK(!folder_.empty() && name.rfind(folder_, 0) == 0, FileError, file,
                  ": expected a file of torch.save(), whose parts are in one folder");
      entries_.emplace(std::move(name), std::move(e));
    }
    TENON_CHECK(!entries_.count(folder_ + "constants.pkl"), NotImplementedError, file,
                ": expected a file of torch.save(), got one of TorchScript");
    std::int64_t version = number_in("version");
    TENON_CHECK(version >= 1 && version <= 10, NotImplementedError, file_, ": version ", version,
                " of the format is none of 1 to 10");
    if (entries_.count(folder_ + ".storage_alignment")) number_in(".storage_alignment");
    std::string unpacked;
    // What PyTorch says of the file itself it reads, whatever it is.
    for (const auto& [name, entry] : entries_)
      if (name.rfind(folder_ + ".", 0) == 0)
        TENON_CHECK(is_text(part(name.substr(folder_.size()), unpacked)), FileError, file, ": ", name,
                    ": expected a text");
    if (entries_.count(folder_ + "byteorder"))
      TENON_CHECK(part("byteorder", unpacked) == "little", NotImplementedError, file,
                  ": the high bytes of its numbers stand first");
  }
  Value read() {
    std::string unpacked;
    std::string_view pickle = part("data.pkl", unpacked);
    return PickleReader(pickle, *this).read();
  }

  bool is_text(std::string_view bytes) const override { return ::tenon::detail::is_utf8(bytes); }
  Value named(std::string name) override {
    constexpr std::string_view functions[] = {"collections.OrderedDict",
                                              "collections.Counter",
                                              "torch.Size",
                                              "torch.device",
                                              "torch.Tensor",
                                              "torch.nn.parameter.Parameter",
                                              "torch._utils._rebuild_tensor",
                                              "torch._utils._rebuild_tensor_v2",
                                              "torch._utils._rebuild_tensor_v3",
                                              "torch._utils._rebuild_parameter",
                                              "torch._utils._rebuild_parameter_with_state",
                                              "torch._tensor._rebuild_from_type_v2",
                                              "torch.storage.UntypedStorage",
                                              "_codecs.encode",
                                              "builtins.bytearray",
                                              "builtins.set",
                                              "builtins.complex"};
    if (name.rfind("__builtin__.", 0) == 0) name.replace(0, 12, "builtins.");  // Python 2's name for them
    bool known = storage_dtype(name).has_value();
    for (std::string_view f : functions) known = known || name == f;
    if (known) return Value(intrusive_ptr<PickleName>::adopt(new PickleName(std::move(name))));
    if (name.rfind("torch.", 0) == 0)
      if (auto dtype = scalar_type_from_name(std::string_view(name).substr(6))) return Value(*dtype);
    fail<NotImplementedError>(where(), ": it names ", name,
                              ", which is neither a tensor nor plain data; save the state alone (state_dict())");
  }

  Value outside(const Value& id) override {
    const std::vector<Value>& parts = tuple(id, "a storage's name");
    TENON_CHECK(parts.size() == 5 && text(parts[0]) == "storage", FileError, where(), ": expected a storage's name");
    const PickleName* type = PickleName::in(parts[1]);
    TENON_CHECK(type, FileError, where(), ": expected a storage's type");
    std::optional<ScalarType> dtype = storage_dtype(type->text);
    TENON_CHECK(dtype || type->text == "torch.storage.UntypedStorage", FileError, file_,
                ": expected a storage's type, got ", type->text);
    return Value(
        intrusive_ptr<TorchStorage>::adopt(new TorchStorage(std::string(text(parts[2])), dtype, integer(parts[4]))));
  }

  Value call(const std::string& name, const std::vector<Value>& a) override {
    auto count = [&](std::size_t least, std::size_t most) {
      TENON_CHECK(a.size() >= least && a.size() <= most, FileError, where(), ": ", name, " with ", a.size(),
                  " arguments");
    };
    if (name == "collections.OrderedDict" || name == "collections.Counter") {
      count(0, 1);
      return a.empty() ? Value::dict({}) : dictionary(a[0]);
    }
    if (name == "torch.Size" || name == "builtins.set") {
      count(0, 1);
      if (a.empty()) return Value::tuple({});
      if (a[0].is_list()) return Value::tuple(a[0].to_list());
      tuple(a[0], "a sequence");
      return a[0];
    }
    if (name == "torch.device") {
      count(1, 2);
      return Value(text(a[0]) + (a.size() == 2 ? ::tenon::concat(":", integer(a[1])) : ""));
    }
    if (name == "_codecs.encode" || name == "builtins.bytearray") {
      count(0, 2);
      if (a.empty()) return Value("");
      return Value(a.size() == 2 ? latin1(text(a[0]), text(a[1])) : text(a[0]));
    }
    if (name == "builtins.complex") {
      count(2, 2);
      return Value(Complex<double>(a[0].to_scalar().to<double>(), a[1].to_scalar().to<double>()));
    }
    if (name == "torch._utils._rebuild_tensor") {
      count(4, 4);
      return tensor(a, std::nullopt);
    }
    if (name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor_v3") {
      bool typed = name.back() == '3';
      count(typed ? 7 : 6, typed ? 8 : 7);
      std::optional<ScalarType> dtype;
      if (typed) dtype = dtype_of(a[6]);
      Tensor t = with_marks(tensor(a, dtype), a.size() == (typed ? 8u : 7u) ? a.back() : Value());
      return with_gradient(t, a[4]);
    }
    if (name == "torch.nn.parameter.Parameter" || name == "torch._utils._rebuild_parameter" ||
        name == "torch._utils._rebuild_parameter_with_state") {
      count(1, 4);
      TENON_CHECK(a[0].is_tensor(), FileError, where(), ": expected the tensor of a parameter");
      return with_gradient(make_alias(a[0].to_tensor()), a.size() > 1 ? a[1] : Value(true));
    }
    // A tensor with attributes, which are dropped, or of another class, which nothing here knows.
    if (name == "torch._tensor._rebuild_from_type_v2") {
      count(4, 4);
      const PickleName *inner = PickleName::in(a[0]), *type = PickleName::in(a[1]);
      TENON_CHECK(inner && type && inner->text != name &&
                      (type->text == "torch.Tensor" || type->text == "torch.nn.parameter.Parameter"),
                  FileError, where(), ": expected a tensor with attributes");
      return call(inner->text, tuple(a[2], "arguments"));
    }
    fail<NotImplementedError>(where(), ": it calls ", name);
  }

 private:
  static std::optional<ScalarType> storage_dtype(std::string_view name) {
    if (name.substr(0, 6) != "torch.") return {};
    name.remove_prefix(6);
    struct Known {
      std::string_view name;
      ScalarType dtype;
    };
    constexpr Known known[] = {{"DoubleStorage", kDouble},
                               {"FloatStorage", kFloat},
                               {"HalfStorage", kHalf},
                               {"BFloat16Storage", kBFloat16},
                               {"LongStorage", kLong},
                               {"IntStorage", kInt},
                               {"ShortStorage", kShort},
                               {"CharStorage", kChar},
                               {"ByteStorage", kByte},
                               {"BoolStorage", kBool},
                               {"ComplexFloatStorage", kComplexFloat},
                               {"ComplexDoubleStorage", kComplexDouble}};
    for (const Known& k : known)
      if (k.name == name) return k.dtype;
    return {};
  }

  std::int64_t number_in(const std::string& name) {
    std::string unpacked, digits(part(name, unpacked));
    while (!digits.empty() && digits.back() == '\n') digits.pop_back();
    bool number = !digits.empty() && digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string::npos;
    TENON_CHECK(number, FileError, file_, ": ", name, ": expected a number");
    return std::stoll(digits);
  }
  /// PyTorch finds parts whatever the case of their letters.
  static std::string small_letters(std::string name) {
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name;
  }
  std::string_view part(const std::string& name, std::string& unpacked) {
    auto at = entries_.find(folder_ + small_letters(name));
    TENON_CHECK(at != entries_.end(), FileError, file_, ": it has no ", folder_, name);
    return read_zip_entry(bytes_->view(), at->second, file_, inflate_, unpacked, &::tenon::detail::is_utf8);
  }
  std::string text(const Value& v) const {
    TENON_CHECK(v.kind() == ValueKind::String, FileError, where(), ": expected a text, got a ", to_string(v.kind()));
    return std::string(v.to_string_view());
  }
  std::int64_t integer(const Value& v) const {
    TENON_CHECK(v.is_int(), FileError, where(), ": expected an integer, got a ", to_string(v.kind()));
    return v.to_int();
  }
  const std::vector<Value>& tuple(const Value& v, const char* what) const {
    TENON_CHECK(v.kind() == ValueKind::Tuple, FileError, where(), ": expected ", what, ", got a ", to_string(v.kind()));
    return v.to_tuple();
  }
  DimVector integers(const Value& v) const {
    DimVector list;
    for (const Value& n : tuple(v, "sizes or strides")) {
      list.push_back(integer(n));
      TENON_CHECK(list.back() >= 0, FileError, where(), ": expected sizes and strides of 0 and more, got ",
                  list.back());
    }
    return list;
  }
  ScalarType dtype_of(const Value& v) const {
    std::int64_t code = integer(v);
    switch (code) {
#define X(CPP, NAME, CODE, ...) \
  case CODE: return ScalarType::NAME;
      TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    }
    fail<NotImplementedError>(where(), ": expected a dtype with elements in tenon, got number ", code);
  }
  Value dictionary(const Value& v) const {
    if (v.kind() == ValueKind::Dict) return v;
    std::vector<std::pair<Value, Value>> entries;
    for (const Value& entry : v.is_list() ? v.to_list() : tuple(v, "entries of a dictionary")) {
      const auto& pair = entry.is_list() ? entry.to_list() : tuple(entry, "an entry of a dictionary");
      TENON_CHECK(pair.size() == 2, FileError, where(), ": expected a key and a value");
      entries.emplace_back(pair[0], pair[1]);
    }
    return Value::dict(std::move(entries));
  }
  /// Bytes, as a pickle of Python 2's time holds them: as characters below 256.
  std::string latin1(const std::string& characters, const std::string& encoding) const {
    TENON_CHECK(encoding == "latin1", FileError, where(), ": expected bytes in latin1, got ", encoding);
    std::string bytes;
    for (std::size_t i = 0; i < characters.size(); ++i) {
      auto c = static_cast<unsigned char>(characters[i]);
      if (c >= 0x80) {
        TENON_CHECK(c < 0xc4, FileError, where(), ": a character in bytes is above 255");
        c = static_cast<unsigned char>(c << 6 | (static_cast<unsigned char>(characters[++i]) & 0x3f));
      }
      bytes += static_cast<char>(c);
    }
    return bytes;
  }

  /// All of a storage as elements of a dtype.
  const Tensor& elements(const TorchStorage& storage, ScalarType dtype) {
    const std::string& key = storage.key;
    auto [at, fresh] = storages_.try_emplace({key, dtype});
    if (!fresh && at->second.defined()) return at->second;
    std::string unpacked;
    std::string_view data = part("data/" + key, unpacked);
    std::uint64_t wide = storage.dtype ? item_size(*storage.dtype) : 1;
    TENON_CHECK(storage.count >= 0 && data.size() % wide == 0 &&
                    data.size() / wide == static_cast<std::uint64_t>(storage.count),
                FileError, where(), ": storage ", key, ": expected ", storage.count, " elements, got ", data.size(),
                " bytes");
    if (dtype == kBool)
      for (char c : data) TENON_CHECK(c == 0 || c == 1, FileError, where(), ": expected bytes 0 and 1 for bools");
    auto count = static_cast<std::int64_t>(data.size() / item_size(dtype));
    bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % item_size(to_real_type(dtype)) == 0;
    if (unpacked.empty() && aligned && count > 0) {
      auto keeper = bytes_;
      at->second = from_blob(
          const_cast<char*>(data.data()), {count}, dtype,
          [](void* bytes) { static_cast<::tenon::detail::FileBytes*>(bytes)->release(); }, keeper.release());
    } else {
      at->second = make_tensor({count}, {}, dtype);
      if (count > 0) std::memcpy(at->second.data_ptr(), data.data(), at->second.nbytes());
    }
    return at->second;
  }
  /// Storage, offset, sizes and strides.
  Tensor tensor(const std::vector<Value>& a, std::optional<ScalarType> dtype) {
    TorchStorage* storage =
        a[0].kind() == ValueKind::Object ? dynamic_cast<TorchStorage*>(a[0].to_object<RefCounted>().get()) : nullptr;
    TENON_CHECK(storage && (dtype || storage->dtype), FileError, where(), ": expected the storage of a tensor");
    const Tensor& all = elements(*storage, dtype ? *dtype : *storage->dtype);
    std::int64_t offset = integer(a[1]), end = offset, count = 1;
    DimVector sizes = integers(a[2]), strides = integers(a[3]);
    bool wrong = offset < 0 || sizes.size() != strides.size(), empty = false;
    for (std::size_t d = 0; d < sizes.size() && !wrong; ++d) {
      std::int64_t step = 0;
      empty = empty || sizes[d] == 0;
      wrong = (sizes[d] > 0 && (__builtin_mul_overflow(sizes[d] - 1, strides[d], &step) ||
                                __builtin_mul_overflow(count, sizes[d], &count))) ||
              __builtin_add_overflow(end, step, &end);
    }
    wrong = wrong || count > INT64_MAX / 64 || (empty ? offset > all.numel() : end >= all.numel());
    TENON_CHECK(!wrong, FileError, where(), ": sizes ", sizes, ", strides ", strides, " and offset ", offset,
                " lie outside of storage ", storage->key, " of ", all.numel(), " elements");
    return make_alias(all, sizes, strides, offset);
  }
  /// Conjugated and negated ones are what they are; other marks are not known to PyTorch either.
  Tensor with_marks(Tensor t, const Value& marks) {
    if (marks.is_none()) return t;
    TENON_CHECK(marks.kind() == ValueKind::Dict, FileError, where(), ": expected a tensor's marks in a dictionary");
    for (const auto& [key, on] : marks.to_dict()) {
      if (on.kind() == ValueKind::Bool && !on.to_bool()) continue;
      std::string mark = text(key);
      TENON_CHECK(mark == "neg" || (mark == "conj" && t.is_complex()), NotImplementedError, where(), ": a tensor with ",
                  mark);
      t = mark == "conj" ? ops::_conj(t) : ops::_neg_view(t);
    }
    return t;
  }
  Value with_gradient(const Tensor& t, const Value& wanted) {
    TENON_CHECK(wanted.kind() == ValueKind::Bool, FileError, where(), ": expected whether a tensor requires gradients");
    if (wanted.to_bool()) {
      TENON_CHECK(t.is_floating_point() || t.is_complex(), FileError, where(), ": ", t.dtype(), " has no gradients");
      t.requires_grad_();
    }
    return Value(t);
  }

  intrusive_ptr<::tenon::detail::FileBytes> bytes_;
  const std::string& file_;
  Inflate inflate_;
  std::string folder_;
  std::unordered_map<std::string, ZipEntry> entries_;
  std::map<std::pair<std::string, ScalarType>, Tensor> storages_;
};

inline void collect_tensors(const Value& v, const std::string& name, NamedTensors& found, int depth,
                            std::int64_t& left) {
  TENON_CHECK(--left >= 0 && depth < 500, ValueError, "named_tensors(): more than a million values, or too deep");
  auto below = [&](const Value& item, const std::string& key) {
    collect_tensors(item, name.empty() ? key : name + "." + key, found, depth + 1, left);
  };
  if (v.is_tensor()) {
    if (v.to_tensor().defined()) found.emplace_back(name, v.to_tensor());
  } else if (v.kind() == ValueKind::Dict) {
    for (const auto& [key, item] : v.to_dict())
      if (key.kind() == ValueKind::String)
        below(item, std::string(key.to_string_view()));
      else if (key.is_int())
        below(item, std::to_string(key.to_int()));
  } else if (v.is_list() || v.kind() == ValueKind::Tuple) {
    const auto& items = v.is_list() ? v.to_list() : v.to_tuple();
    for (std::size_t i = 0; i < items.size(); ++i) below(items[i], std::to_string(i));
  }
}

}  // namespace detail

TENON_COLD_BODY Value load_torch(const std::string& path, Inflate inflate) {
  return detail::TorchFile(::tenon::detail::FileBytes::map(path), path, inflate).read();
}
TENON_COLD_BODY Value decode_torch(std::string bytes, const std::string& name, Inflate inflate) {
  return detail::TorchFile(::tenon::detail::FileBytes::own(std::move(bytes)), name, inflate).read();
}
TENON_COLD_BODY NamedTensors named_tensors(const Value& value, std::string_view below) {
  NamedTensors all, kept;
  std::int64_t most = 1'000'000;
  detail::collect_tensors(value, "", all, 0, most);
  if (below.empty()) return all;
  std::string start = std::string(below) + ".";
  for (auto& [name, t] : all)
    if (name.rfind(start, 0) == 0) kept.emplace_back(name.substr(start.size()), std::move(t));
  return kept;
}

}  // namespace tenon::data
