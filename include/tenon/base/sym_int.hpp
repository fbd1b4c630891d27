// An integer that may be symbolic: eight bytes, either the value or a counted pointer to an expression.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <tenon/base/array_ref.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/intrusive_ptr.hpp>

namespace tenon {

class SymInt;
template <>
inline constexpr bool reads_as_int64_v<SymInt> = true;

/// A symbolic integer expression. Comparisons and conversions to a plain number go through a guard that
/// the implementation records, so that a traced shape knows the assumptions it rests on.
class SymNode : public RefCounted {
 public:
  enum class Op : std::uint8_t { add, sub, mul, floordiv, mod, min, max };
  enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
  virtual intrusive_ptr<SymNode> wrap(std::int64_t value) const = 0;
  virtual intrusive_ptr<SymNode> apply(Op op, const SymNode& right) const = 0;
  /// Decides the comparison and records that decision as a guard.
  virtual bool guard(Compare compare, const SymNode& right) const = 0;
  /// The value behind the expression, recorded as a guard; FILE and LINE say who asked.
  virtual std::int64_t guard_int(const char* file, int line) const = 0;
  /// The value if the expression is constant whatever the symbols are.
  virtual std::optional<std::int64_t> constant() const { return std::nullopt; }
  virtual std::string str() const = 0;
};

namespace detail {
// Compiled once: every unit that passes sizes on would hold them.
[[noreturn, gnu::cold]] void refuse_as_sym_int(std::int64_t value);
[[noreturn, gnu::cold]] void refuse_as_sym_ints(const std::int64_t* list, std::size_t index);
[[noreturn, gnu::cold]] void no_sym_int_result(std::int64_t a, std::int64_t b, SymNode::Op op);
}  // namespace detail

/// A plain integer or a symbolic expression. Lists of plain ones have the layout of a list of int64_t, so that an
/// IntArrayRef passes as ArrayRef<SymInt> without a copy. Expressions take the words of 2^48 integers far from every
/// one that programs use, INT64_MIN included; these cannot be held.
class SymInt {
 public:
  constexpr SymInt() noexcept = default;
  /// Throws ValueError for what is no int64_t, or one whose word stands for an expression.
  template <class At>
    requires(std::is_integral_v<At> && !std::is_same_v<At, bool>)
  constexpr SymInt(At value) : bits_(static_cast<std::int64_t>(value)) {
    if constexpr (std::is_unsigned_v<At> && sizeof(At) >= sizeof(bits_))
      if (value > static_cast<At>(INT64_MAX))
        fail<ValueError>("SymInt: ", value, " is above 2^63 - 1 and cannot be held");
    if (is_pointer(bits_)) [[unlikely]]
      detail::refuse_as_sym_int(bits_);
  }
  explicit SymInt(intrusive_ptr<SymNode> node) {
    if (auto value = node->constant())
      *this = SymInt(*value);
    else {
      TENON_CHECK((reinterpret_cast<std::uint64_t>(node.get()) & ~kPayload) == 0, InternalError,
                  "SymInt: an expression lies at an address of more than 48 bits");
      bits_ = static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(node.release()) | kTag << 48);
    }
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
// GCC 12 takes the value of an absent optional for one that is copied.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  SymInt(const SymInt& other) noexcept : bits_(other.bits_) {
    if (is_symbolic()) node()->retain();
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  SymInt(SymInt&& other) noexcept : bits_(other.bits_) { other.bits_ = 0; }
  SymInt& operator=(SymInt other) noexcept {
    std::swap(bits_, other.bits_);
    return *this;
  }
  constexpr ~SymInt() {
    if (is_pointer(bits_)) node()->release();
  }

  constexpr bool is_symbolic() const noexcept { return is_pointer(bits_); }
  /// The expression; only if `is_symbolic()`.
  SymNode* node() const noexcept { return reinterpret_cast<SymNode*>(static_cast<std::uint64_t>(bits_) & kPayload); }
  /// The plain value; only if not `is_symbolic()`.
  constexpr std::int64_t as_int_unchecked() const noexcept { return bits_; }
  constexpr std::optional<std::int64_t> maybe_as_int() const {
    if (is_symbolic()) return std::nullopt;
    return bits_;
  }
  /// The plain value; a symbolic one throws TypeError that names `who`.
  std::int64_t expect_int(std::string_view who = "SymInt") const {
    if (is_symbolic())
      fail<TypeError>(who, ": expected a plain int, got the symbolic value ", node()->str(),
                      "; register a SymInt kernel or guard it with guard_int()");
    return bits_;
  }
  /// The value, guarded if symbolic.
  std::int64_t guard_int(const char* file = "", int line = 0) const {
    return is_symbolic() ? node()->guard_int(file, line) : bits_;
  }

  friend SymInt operator+(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::add); }
  friend SymInt operator-(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::sub); }
  friend SymInt operator*(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::mul); }
  /// Rounds towards minus infinity, as the schema language's integers do.
  friend SymInt operator/(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::floordiv); }
  friend SymInt operator%(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::mod); }
  static SymInt least(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::min); }
  static SymInt greatest(const SymInt& a, const SymInt& b) { return combine(a, b, SymNode::Op::max); }
  // In parentheses against a program's macros.
  friend SymInt(min)(const SymInt& a, const SymInt& b) { return least(a, b); }
  friend SymInt(max)(const SymInt& a, const SymInt& b) { return greatest(a, b); }
  friend bool operator==(const SymInt& a, const SymInt& b) { return test(a, b, SymNode::Compare::eq); }
  friend bool operator!=(const SymInt& a, const SymInt& b) { return test(a, b, SymNode::Compare::ne); }
  friend bool operator<(const SymInt& a, const SymInt& b) { return test(a, b, SymNode::Compare::lt); }
  friend bool operator<=(const SymInt& a, const SymInt& b) { return test(a, b, SymNode::Compare::le); }
  friend bool operator>(const SymInt& a, const SymInt& b) { return test(a, b, SymNode::Compare::gt); }
  friend bool operator>=(const SymInt& a, const SymInt& b) { return test(a, b, SymNode::Compare::ge); }
  friend std::string to_string(const SymInt& s) { return s.is_symbolic() ? s.node()->str() : std::to_string(s.bits_); }

 private:
  // The top 16 bits of a word that holds a pointer: no end of a range, no power of two, no pattern of unset memory.
  static constexpr std::uint64_t kTag = 0x9a5d, kPayload = (std::uint64_t{1} << 48) - 1;
  static constexpr bool is_pointer(std::int64_t bits) { return static_cast<std::uint64_t>(bits) >> 48 == kTag; }

  static SymInt combine(const SymInt& a, const SymInt& b, SymNode::Op op) {
    if (!a.is_symbolic() && !b.is_symbolic()) [[likely]]
      return plain(a.bits_, b.bits_, op);
    const SymNode& any = a.is_symbolic() ? *a.node() : *b.node();
    auto left = a.is_symbolic() ? intrusive_ptr<SymNode>::share(a.node()) : any.wrap(a.bits_);
    auto right = b.is_symbolic() ? intrusive_ptr<SymNode>::share(b.node()) : any.wrap(b.bits_);
    return SymInt(left->apply(op, *right));
  }

 public:
  /// What the comparison operators do: guards if one of the two is symbolic.
  static bool test(const SymInt& a, const SymInt& b, SymNode::Compare how) {
    if (!a.is_symbolic() && !b.is_symbolic()) [[likely]]
      return compare_plain(a.bits_, b.bits_, how);
    const SymNode& any = a.is_symbolic() ? *a.node() : *b.node();
    auto left = a.is_symbolic() ? intrusive_ptr<SymNode>::share(a.node()) : any.wrap(a.bits_);
    auto right = b.is_symbolic() ? intrusive_ptr<SymNode>::share(b.node()) : any.wrap(b.bits_);
    return left->guard(how, *right);
  }
  /// The result, or nothing where there is none in int64_t: overflow, division by zero.
  static constexpr std::optional<std::int64_t> try_plain(std::int64_t a, std::int64_t b, SymNode::Op op) {
    std::int64_t out = 0;
    switch (op) {
      case SymNode::Op::add: return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
      case SymNode::Op::sub: return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
      case SymNode::Op::mul: return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
      case SymNode::Op::min: return a < b ? a : b;
      case SymNode::Op::max: return a < b ? b : a;
      default: break;
    }
    bool quotient = op == SymNode::Op::floordiv;
    // The processor traps on INT64_MIN % -1 too.
    if (b == -1) return quotient ? try_plain(0, a, SymNode::Op::sub) : 0;
    if (b == 0) return std::nullopt;
    std::int64_t q = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
    return quotient ? q : a - q * b;
  }
  /// The same; throws ValueError where there is none.
  static std::int64_t plain(std::int64_t a, std::int64_t b, SymNode::Op op) {
    auto out = try_plain(a, b, op);
    if (!out) [[unlikely]]
      detail::no_sym_int_result(a, b, op);
    return *out;
  }
  static bool compare_plain(std::int64_t a, std::int64_t b, SymNode::Compare how) {
    switch (how) {
      case SymNode::Compare::eq: return a == b;
      case SymNode::Compare::ne: return a != b;
      case SymNode::Compare::lt: return a < b;
      case SymNode::Compare::le: return a <= b;
      case SymNode::Compare::gt: return a > b;
      default: return a >= b;
    }
  }

  /// A list of integers as one of plain SymInts. Throws ValueError for one that cannot be held.
  static const SymInt* read_ints(const std::int64_t* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      if (is_pointer(data[i])) [[unlikely]]
        detail::refuse_as_sym_ints(data, i);
    return reinterpret_cast<const SymInt*>(data);
  }

 private:
  std::int64_t bits_ = 0;
};

static_assert(sizeof(SymInt) == sizeof(std::int64_t), "tenon: lists of plain integers are passed as lists of SymInt");

/// Two integers of which one at least is a SymInt.
template <class A, class B>
concept sym_int_pair = (std::is_same_v<std::remove_cvref_t<A>, SymInt> ||
                        std::is_same_v<std::remove_cvref_t<B>,
                                       SymInt>)&&std::is_convertible_v<A, SymInt>&& std::is_convertible_v<B, SymInt>;

using SymIntArrayRef = ArrayRef<SymInt>;

/// A braced list with symbolic elements, `{n, 16}`, as a parameter; lists of plain integers alone prefer another.
struct SymIntList {
  SymIntList(std::initializer_list<SymInt> list) : ref(list) {}
  SymIntArrayRef ref;
};

/// The same list read as symbolic integers. Throws ValueError for one that cannot be held.
inline SymIntArrayRef as_sym_ints(IntArrayRef list) { return list; }

/// The same list as plain integers, or nothing if one is symbolic.
inline std::optional<IntArrayRef> maybe_as_ints(SymIntArrayRef list) {
  for (const SymInt& s : list)
    if (s.is_symbolic()) return std::nullopt;
  return IntArrayRef{reinterpret_cast<const std::int64_t*>(list.data()), list.size()};
}

/// The same list as plain integers; a symbolic element throws TypeError that names `who`.
inline IntArrayRef expect_ints(SymIntArrayRef list, std::string_view who = "SymInt[]") {
  for (const SymInt& s : list) (void)s.expect_int(who);
  return {reinterpret_cast<const std::int64_t*>(list.data()), list.size()};
}

}  // namespace tenon
