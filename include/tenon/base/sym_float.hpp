// A double that may be symbolic: what comes of dividing or scaling symbolic integers.
#pragma once
#include <tenon/base/sym_int.hpp>

namespace tenon {

/// A symbolic real expression.
class SymFloatNode : public RefCounted {
 public:
  enum class Op : std::uint8_t { add, sub, mul, div };
  /// The value behind the expression; what it rests on is recorded as guards. FILE and LINE say who asked.
  virtual double guard_float(const char* file, int line) const = 0;
  virtual std::string str() const = 0;
};

/// A plain double or a symbolic expression. Comparisons guard both sides.
class SymFloat {
 public:
  SymFloat(double value = 0) : value_(value) {}
  /// The integer as a double; symbolic if it is.
  explicit SymFloat(const SymInt& value);
  explicit SymFloat(intrusive_ptr<SymFloatNode> node) : node_(std::move(node)) {}

  bool is_symbolic() const { return static_cast<bool>(node_); }
  /// The expression, null of a plain value.
  const intrusive_ptr<SymFloatNode>& node() const { return node_; }
  /// The plain value; only if not `is_symbolic()`.
  double as_double_unchecked() const { return value_; }
  /// The plain value; a symbolic one throws TypeError that names `who`.
  double expect_double(std::string_view who = "SymFloat") const;
  /// The value, guarded if symbolic.
  double guard_float(const char* file = "", int line = 0) const {
    return node_ ? node_->guard_float(file, line) : value_;
  }

  friend SymFloat operator+(const SymFloat& a, const SymFloat& b) { return combine(a, b, SymFloatNode::Op::add); }
  friend SymFloat operator-(const SymFloat& a, const SymFloat& b) { return combine(a, b, SymFloatNode::Op::sub); }
  friend SymFloat operator*(const SymFloat& a, const SymFloat& b) { return combine(a, b, SymFloatNode::Op::mul); }
  friend SymFloat operator/(const SymFloat& a, const SymFloat& b) { return combine(a, b, SymFloatNode::Op::div); }
  friend bool operator==(const SymFloat& a, const SymFloat& b) { return a.guard_float() == b.guard_float(); }
  friend bool operator<(const SymFloat& a, const SymFloat& b) { return a.guard_float() < b.guard_float(); }
  friend bool operator>(const SymFloat& a, const SymFloat& b) { return b < a; }
  friend bool operator<=(const SymFloat& a, const SymFloat& b) { return a.guard_float() <= b.guard_float(); }
  friend bool operator>=(const SymFloat& a, const SymFloat& b) { return b <= a; }

 private:
  static SymFloat combine(const SymFloat& a, const SymFloat& b, SymFloatNode::Op op);

  double value_ = 0;
  intrusive_ptr<SymFloatNode> node_;
};

/// As in Python: `0.5`, `(s0 / 2.)`.
std::string to_string(const SymFloat& x);

}  // namespace tenon
