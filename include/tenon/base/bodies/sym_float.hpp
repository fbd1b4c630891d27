// Bodies of symbolic doubles.
#pragma once
#include <charconv>

#include <tenon/base/body.hpp>
#include <tenon/base/sym_float.hpp>

namespace tenon {
namespace detail {

struct FloatOfInt final : SymFloatNode {
  explicit FloatOfInt(SymInt v) : value(std::move(v)) {}
  double guard_float(const char* file, int line) const override {
    return static_cast<double>(value.guard_int(file, line));
  }
  std::string str() const override {
    std::string text = to_string(value);
    return text.find(' ') == text.npos ? text : "(" + text + ")";
  }
  SymInt value;
};

struct FloatExpression final : SymFloatNode {
  FloatExpression(SymFloat a, SymFloat b, Op o) : left(std::move(a)), right(std::move(b)), op(o) {}
  static double apply(double a, double b, Op op) {
    switch (op) {
      case Op::add: return a + b;
      case Op::sub: return a - b;
      case Op::mul: return a * b;
      default: return a / b;
    }
  }
  double guard_float(const char* file, int line) const override {
    double a = left.guard_float(file, line);
    return apply(a, right.guard_float(file, line), op);
  }
  std::string str() const override {
    static constexpr const char* names[] = {" + ", " - ", " * ", " / "};
    return concat('(', left, names[static_cast<int>(op)], right, ')');
  }
  SymFloat left, right;
  Op op;
};

}  // namespace detail

TENON_COLD_BODY SymFloat::SymFloat(const SymInt& value) {
  if (value.is_symbolic())
    node_ = make_intrusive<detail::FloatOfInt>(value);
  else
    value_ = static_cast<double>(value.as_int_unchecked());
}
TENON_COLD_BODY double SymFloat::expect_double(std::string_view who) const {
  if (node_)
    fail<TypeError>(who, ": expected a plain float, got the symbolic value ", *this, "; guard it with guard_float()");
  return value_;
}
TENON_COLD_BODY SymFloat SymFloat::combine(const SymFloat& a, const SymFloat& b, SymFloatNode::Op op) {
  if (!a.node_ && !b.node_) return detail::FloatExpression::apply(a.value_, b.value_, op);
  return SymFloat(make_intrusive<detail::FloatExpression>(a, b, op));
}
TENON_COLD_BODY std::string to_string(const SymFloat& x) {
  if (x.is_symbolic()) return x.node()->str();
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, x.as_double_unchecked()).ptr);
  return text.find_first_not_of("-0123456789") == text.npos ? text + ".0" : text;
}

}  // namespace tenon
