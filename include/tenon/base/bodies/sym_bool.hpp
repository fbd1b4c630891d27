// Bodies of symbolic conditions.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/sym_bool.hpp>

namespace tenon {
namespace detail {

struct ComparisonNode final : SymBoolNode {
  ComparisonNode(SymInt a, SymNode::Compare h, SymInt b) : left(std::move(a)), right(std::move(b)), how(h) {}
  bool guard_bool(const char*, int) const override { return SymInt::test(left, right, how); }
  std::string str() const override {
    static constexpr const char* names[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    return concat('(', left, names[static_cast<int>(how)], right, ')');
  }
  SymInt left, right;
  SymNode::Compare how;
};

struct NotNode final : SymBoolNode {
  explicit NotNode(SymBool a) : of(std::move(a)) {}
  bool guard_bool(const char* file, int line) const override { return !of.guard_bool(file, line); }
  std::string str() const override { return concat("(not ", of, ')'); }
  SymBool of;
};

struct JunctionNode final : SymBoolNode {
  JunctionNode(SymBool a, SymBool b, bool is_or) : left(std::move(a)), right(std::move(b)), either(is_or) {}
  bool guard_bool(const char* file, int line) const override {
    return left.guard_bool(file, line) == either ? either : right.guard_bool(file, line);
  }
  std::string str() const override { return concat('(', left, either ? " or " : " and ", right, ')'); }
  SymBool left, right;
  bool either;
};

inline SymBool sym_junction(const SymBool& a, const SymBool& b, bool either) {
  if (!a.is_symbolic()) return a.as_bool_unchecked() == either ? a : b;
  if (!b.is_symbolic()) return b.as_bool_unchecked() == either ? b : a;
  return SymBool(make_intrusive<JunctionNode>(a, b, either));
}

}  // namespace detail

TENON_COLD_BODY bool SymBool::expect_bool(std::string_view who) const {
  if (node_)
    fail<TypeError>(who, ": expected a plain bool, got the symbolic value ", *this, "; guard it with guard_bool()");
  return value_;
}
TENON_COLD_BODY SymBool sym_compare(const SymInt& a, SymNode::Compare how, const SymInt& b) {
  if (!a.is_symbolic() && !b.is_symbolic())
    return SymInt::compare_plain(a.as_int_unchecked(), b.as_int_unchecked(), how);
  return SymBool(make_intrusive<detail::ComparisonNode>(a, how, b));
}
TENON_COLD_BODY SymBool sym_not(const SymBool& a) {
  return a.is_symbolic() ? SymBool(make_intrusive<detail::NotNode>(a)) : SymBool(!a.as_bool_unchecked());
}
TENON_COLD_BODY SymBool sym_and(const SymBool& a, const SymBool& b) { return detail::sym_junction(a, b, false); }
TENON_COLD_BODY SymBool sym_or(const SymBool& a, const SymBool& b) { return detail::sym_junction(a, b, true); }
TENON_COLD_BODY std::string to_string(const SymBool& x) {
  return x.is_symbolic() ? x.node()->str() : x.as_bool_unchecked() ? "True" : "False";
}

}  // namespace tenon
