// A truth that may be symbolic: a comparison of symbolic integers that nobody has decided yet.
#pragma once
#include <tenon/base/sym_int.hpp>

namespace tenon {

/// A symbolic condition.
class SymBoolNode : public RefCounted {
 public:
  /// Decides the condition and records what that rests on as guards. FILE and LINE say who asked.
  virtual bool guard_bool(const char* file, int line) const = 0;
  virtual std::string str() const = 0;
};

/// A plain bool or a symbolic condition. `a < b` of two SymInt decides at once and records a guard; `sym_lt(a, b)` does
/// so when `guard_bool()` asks.
class SymBool {
 public:
  // A template, so that a pointer or a number does not become one.
  template <class T>
    requires std::is_same_v<T, bool> SymBool(T value) : value_(value) {}
    explicit SymBool(intrusive_ptr<SymBoolNode> node) : node_(std::move(node)) {}

    bool is_symbolic() const { return static_cast<bool>(node_); }
    /// The condition, null of a plain value.
    const intrusive_ptr<SymBoolNode>& node() const { return node_; }
    /// The plain value; only if not `is_symbolic()`.
    bool as_bool_unchecked() const { return value_; }
    /// The plain value; a symbolic one throws TypeError that names `who`.
    bool expect_bool(std::string_view who = "SymBool") const;
    /// The value, guarded if symbolic.
    bool guard_bool(const char* file = "", int line = 0) const {
      return node_ ? node_->guard_bool(file, line) : value_;
    }

   private:
    bool value_ = false;
    intrusive_ptr<SymBoolNode> node_;
};

SymBool sym_compare(const SymInt& a, SymNode::Compare how, const SymInt& b);
inline SymBool sym_eq(const SymInt& a, const SymInt& b) { return sym_compare(a, SymNode::Compare::eq, b); }
inline SymBool sym_ne(const SymInt& a, const SymInt& b) { return sym_compare(a, SymNode::Compare::ne, b); }
inline SymBool sym_lt(const SymInt& a, const SymInt& b) { return sym_compare(a, SymNode::Compare::lt, b); }
inline SymBool sym_le(const SymInt& a, const SymInt& b) { return sym_compare(a, SymNode::Compare::le, b); }
inline SymBool sym_gt(const SymInt& a, const SymInt& b) { return sym_compare(a, SymNode::Compare::gt, b); }
inline SymBool sym_ge(const SymInt& a, const SymInt& b) { return sym_compare(a, SymNode::Compare::ge, b); }
SymBool sym_not(const SymBool& a);
/// `b` is decided only if `a` leaves it open.
SymBool sym_and(const SymBool& a, const SymBool& b);
SymBool sym_or(const SymBool& a, const SymBool& b);

/// As in Python: `True`, `(s0 < 4)`, `(not (s0 < 4))`.
std::string to_string(const SymBool& x);

}  // namespace tenon
