// Values from a pickle, the way Python writes objects down, of which only plain data and named calls are known.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/boxing/value.hpp>
#include <tenon/data/detail/bytes.hpp>

namespace tenon::data::detail {

/// A function or class of Python's that a pickle names, `torch._utils._rebuild_tensor_v2`.
class PickleName final : public RefCounted {
 public:
  explicit PickleName(std::string name) : text(std::move(name)) {}
  /// The name that a value is, or null.
  static const PickleName* in(const Value& v) {
    return v.kind() == ValueKind::Object ? dynamic_cast<PickleName*>(v.to_object<RefCounted>().get()) : nullptr;
  }
  const std::string text;

 private:
  void release_resources() noexcept override {}
};

/// What a pickle's names and outer objects are. Each throws for what it does not know.
class PickleWorld {
 public:
  explicit PickleWorld(std::string file) : file_(std::move(file)) {}
  virtual ~PickleWorld() = default;
  /// What is read now, for errors.
  std::string where() const { return ::tenon::concat(file_, ": byte ", at_, " of the pickle"); }
  /// Whether bytes are UTF-8.
  virtual bool is_text(std::string_view bytes) const = 0;
  /// What a name stands for: a PickleName, or a value.
  virtual Value named(std::string name) = 0;
  /// The result of a call of a PickleName.
  virtual Value call(const std::string& name, const std::vector<Value>& arguments) = 0;
  /// An object that stands outside of the pickle.
  virtual Value outside(const Value& id) = 0;

 private:
  friend class PickleReader;
  std::string file_;
  std::uint64_t at_ = 0;
};

/// Runs a pickle's instructions: those that PyTorch's reader of weights alone runs, no others. Source: Python's
/// pickletools for what they mean.
class PickleReader {
 public:
  PickleReader(std::string_view bytes, PickleWorld& world)
      : in_(bytes, world.file_), world_(world), left_(std::uint64_t{16} * bytes.size() + 1000) {}
  PickleReader(const PickleReader&) = delete;
  PickleReader& operator=(const PickleReader&) = delete;
  /// What is left of the containers, which may hold each other in rings, nobody else would free.
  ~PickleReader() {
    for (Value& v : containers_) v.kind() == ValueKind::Dict ? v.to_dict().clear() : items_of(v).clear();
  }

  /// The value; throws FileError for one that holds itself, or lies deeper than any that is meant.
  Value read() {
    for (;;) {
      world_.at_ = in_.at();
      char op = take(1)[0];
      if (op == '.') break;
      run(op);
    }
    Value result = pop();
    check(result, 0);
    std::erase_if(containers_, [&](const Value& v) { return depths_.count(identity(v)) != 0; });
    return result;
  }

 private:
  static constexpr int kDeepest = 200, kUnknown = -1;

  void run(char op) {
    switch (op) {
      case '\x80': take(1); return;  // the protocol, which only says what may follow
      case '(': marks_.push_back(stack_.size()); return;
      case 'N': push(Value()); return;
      case '\x88': push(Value(true)); return;
      case '\x89': push(Value(false)); return;
      case 'J': push(Value(static_cast<std::int64_t>(static_cast<std::int32_t>(number<4>())))); return;
      case 'K': push(Value(static_cast<std::int64_t>(number<1>()))); return;
      case 'M': push(Value(static_cast<std::int64_t>(number<2>()))); return;
      case '\x8a': push(long_number(take(number<1>()))); return;
      case 'G': push(Value(std::bit_cast<double>(read_big_endian<8>(take(8).data())))); return;
      case 'X': push(Value(text(take(number<4>())))); return;
      case 'U': push(Value(text(take(number<1>())))); return;
      case ']': push(container(Value::list({}))); return;
      case '}': push(container(Value::dict({}))); return;
      case ')': push(Value::tuple({})); return;
      case '\x8f': push(Value::tuple({})); return;  // a set, which no instruction of these fills
      case '\x85': push(last(1)); return;
      case '\x86': push(last(2)); return;
      case '\x87': push(last(3)); return;
      case 't': push(last(above_mark())); return;
      case 'a': append(1); return;
      case 'e': append(above_mark()); return;
      case 's': set_items(2); return;
      case 'u': set_items(above_mark()); return;
      case 'q': remember(number<1>()); return;
      case 'r': remember(number<4>()); return;
      case 'h': recall(number<1>()); return;
      case 'j': recall(number<4>()); return;
      case 'c': {
        std::string module(line());
        push(world_.named(module + "." + std::string(line())));
        return;
      }
      case 'Q': {
        Value id = pop();
        spend(id);
        push(world_.outside(id));
        return;
      }
      case 'R':
      case '\x81': {
        Value arguments = pop(), f = pop();
        const PickleName* name = PickleName::in(f);
        TENON_CHECK(name && arguments.kind() == ValueKind::Tuple, FileError, world_.where(),
                    ": expected a call of a name with a tuple");
        spend(arguments);
        push(world_.call(name->text, arguments.to_tuple()));
        if (is_container(top())) container(top());
        if (top().kind() == ValueKind::Dict) ordered_.insert(&top().to_dict());
        return;
      }
      case 'b': {
        pop();  // attributes: an OrderedDict may have some, such as the versions of a state's modules
        TENON_CHECK(top().kind() == ValueKind::Dict && ordered_.count(&top().to_dict()), FileError, world_.where(),
                    ": expected an OrderedDict for attributes");
        return;
      }
      default:
        fail<FileError>(world_.where(), ": instruction ", static_cast<int>(static_cast<unsigned char>(op)),
                        " is none of a file with weights alone");
    }
  }

  std::string_view take(std::uint64_t n) { return in_.take(n, "a pickle"); }
  template <std::size_t N>
  std::uint64_t number() {
    return read_little_endian<N>(take(N).data());
  }
  std::string_view line() {
    std::string_view start = take(1);
    if (start == "\n") return {};
    std::size_t n = 1;
    for (; take(1) != "\n"; ++n) TENON_CHECK(n < 1000, FileError, world_.where(), ": a name is too long");
    return {start.data(), n};
  }
  std::string_view text(std::string_view bytes) {
    TENON_CHECK(world_.is_text(bytes), FileError, world_.where(), ": expected UTF-8 in a text");
    return bytes;
  }
  Value long_number(std::string_view bytes) {
    TENON_CHECK(bytes.size() <= 8, NotImplementedError, world_.where(), ": an integer of ", bytes.size(),
                " bytes is none of 64 bits");
    std::uint64_t value = 0;
    bool negative = !bytes.empty() && (bytes.back() & '\x80') != 0;
    for (std::size_t i = 0; i < 8; ++i)
      value |= std::uint64_t{i < bytes.size() ? static_cast<unsigned char>(bytes[i])
                             : negative       ? 0xffu
                                              : 0u}
               << (8 * i);
    return Value(static_cast<std::int64_t>(value));
  }

  void push(Value v) { stack_.push_back(std::move(v)); }
  /// How many values stand above the last mark.
  std::size_t room() const { return stack_.size() - (marks_.empty() ? 0 : marks_.back()); }
  void need(std::size_t n) const {
    TENON_CHECK(room() >= n, FileError, world_.where(), ": expected ", n, " values before it, got ", room());
  }
  Value& top() {
    need(1);
    return stack_.back();
  }
  Value pop() {
    Value v = std::move(top());
    stack_.pop_back();
    return v;
  }
  std::size_t above_mark() {
    TENON_CHECK(!marks_.empty(), FileError, world_.where(), ": expected a mark before it");
    std::size_t n = room();
    marks_.pop_back();
    return n;
  }
  std::vector<Value> take_last(std::size_t n) {
    need(n);
    auto first = stack_.end() - static_cast<std::ptrdiff_t>(n);
    std::vector<Value> items(std::make_move_iterator(first), std::make_move_iterator(stack_.end()));
    stack_.erase(first, stack_.end());
    return items;
  }
  Value last(std::size_t n) {
    Value tuple = Value::tuple(take_last(n));
    return n > 0 ? container(std::move(tuple)) : tuple;
  }
  Value& container(Value v) {
    containers_.push_back(std::move(v));
    return containers_.back();
  }
  static bool is_container(const Value& v) {
    return v.is_list() || v.kind() == ValueKind::Tuple || v.kind() == ValueKind::Dict;
  }
  static std::vector<Value>& items_of(const Value& v) { return v.is_list() ? v.to_list() : v.to_tuple(); }
  static const void* identity(const Value& v) {
    return v.kind() == ValueKind::Dict ? static_cast<const void*>(&v.to_dict()) : &items_of(v);
  }

  /// What is remembered can be used many times in few bytes, but copies of it must not be more than a file can mean.
  void spend(std::uint64_t n) {
    TENON_CHECK(n <= left_, FileError, world_.where(), ": expected less in so few bytes");
    left_ -= n;
  }
  void spend(const Value& arguments) {
    if (arguments.kind() != ValueKind::Tuple) return;
    for (const Value& v : arguments.to_tuple())
      spend(v.kind() == ValueKind::String ? v.to_string_view().size()
            : v.kind() == ValueKind::Dict ? v.to_dict().size()
            : is_container(v)             ? items_of(v).size()
                                          : 1);
  }

  void append(std::size_t n) {
    std::vector<Value> items = take_last(n);
    TENON_CHECK(top().is_list(), FileError, world_.where(), ": expected a list to append to");
    for (Value& v : items) top().to_list().push_back(std::move(v));
  }
  void set_items(std::size_t n) {
    std::vector<Value> items = take_last(n);
    TENON_CHECK(n % 2 == 0 && top().kind() == ValueKind::Dict, FileError, world_.where(),
                ": expected a dictionary, keys and values");
    auto& dict = top().to_dict();
    for (std::size_t i = 0; i < n; i += 2) dict.emplace_back(std::move(items[i]), std::move(items[i + 1]));
  }
  void remember(std::uint64_t place) { memo_[place] = top(); }
  void recall(std::uint64_t at) {
    auto found = memo_.find(at);
    TENON_CHECK(found != memo_.end(), FileError, world_.where(), ": nothing was remembered as ", at);
    push(found->second);
  }

  /// Looks at everything in a value once: how deep it is.
  int check(Value& v, int depth) {
    if (v.kind() == ValueKind::Object) {
      const PickleName* name = PickleName::in(v);
      fail<NotImplementedError>(world_.where(), ": ", name ? name->text : "a storage outside of a tensor",
                                " is no value");
    }
    if (!is_container(v)) return 0;
    auto [at, fresh] = depths_.try_emplace(identity(v), kUnknown);
    TENON_CHECK(fresh || at->second != kUnknown, FileError, world_.where(), ": a value holds itself");
    int deepest = fresh ? 0 : at->second;
    auto look_at = [&](Value& item) { deepest = std::max(deepest, check(item, depth + 1) + 1); };
    TENON_CHECK(depth < kDeepest, FileError, world_.where(), ": values lie in each other more than ", kDeepest,
                " deep");
    if (fresh && v.kind() == ValueKind::Dict) {
      for (auto& [key, item] : v.to_dict()) {
        look_at(key);
        look_at(item);
      }
      keep_last(v.to_dict());
    } else if (fresh) {
      for (Value& item : items_of(v)) look_at(item);
    }
    // One that was met before may be met deeper now.
    TENON_CHECK(depth + deepest <= kDeepest, FileError, world_.where(), ": values lie in each other more than ",
                kDeepest, " deep");
    return depths_[identity(v)] = deepest;
  }
  /// Of several entries with the same key, the place of the first and the value of the last.
  void keep_last(std::vector<std::pair<Value, Value>>& dict) {
    std::unordered_map<std::string, std::size_t> places;
    std::size_t kept = 0;
    for (auto& entry : dict) {
      auto [at, fresh] = places.try_emplace(key_text(entry.first), kept);
      if (!fresh)
        dict[at->second].second = std::move(entry.second);
      else if (&dict[kept++] != &entry)
        dict[kept - 1] = std::move(entry);
    }
    dict.resize(kept);
  }
  /// The same for keys that are equal in Python.
  std::string key_text(const Value& key) {
    spend(key.kind() == ValueKind::String ? key.to_string_view().size() : 1);
    switch (key.kind()) {
      case ValueKind::None: return "n";
      case ValueKind::Bool: return key.to_bool() ? "1" : "0";
      case ValueKind::Int: return std::to_string(key.to_int());
      case ValueKind::Double: {
        double x = key.to_double();
        bool whole = x >= -0x1p63 && x < 0x1p63 && static_cast<double>(static_cast<std::int64_t>(x)) == x;
        return whole ? std::to_string(static_cast<std::int64_t>(x))
                     : ::tenon::concat("d", std::bit_cast<std::uint64_t>(x));
      }
      case ValueKind::String: return ::tenon::concat("s", key.to_string_view().size(), ":", key.to_string_view());
      case ValueKind::Device: return ::tenon::concat("v", to_string(key.to_device()));
      case ValueKind::Tuple: {
        std::string text = "(";
        for (const Value& item : key.to_tuple()) text += key_text(item) + ",";
        return text + ")";
      }
      default:
        fail<FileError>(world_.where(), ": a key of a dictionary is a ", to_string(key.kind()),
                        ", by which nothing can be found");
    }
  }

  ByteReader in_;
  PickleWorld& world_;
  std::vector<Value> stack_, containers_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Value> memo_;
  std::unordered_set<const void*> ordered_;
  std::unordered_map<const void*, int> depths_;
  std::uint64_t left_;
};

}  // namespace tenon::data::detail
