// Bodies of symbolic integers and expressions.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/base/sym_expr.hpp>

namespace tenon {

namespace detail {
TENON_COLD_BODY void refuse_as_sym_int(std::int64_t value) {
  fail<ValueError>("SymInt: ", value, " cannot be held: its word stands for expressions");
}
TENON_COLD_BODY void refuse_as_sym_ints(const std::int64_t* list, std::size_t index) {
  fail<ValueError>("IntArrayRef contains an int that cannot be represented as a SymInt: ", list[index], " at index ",
                   index);
}
TENON_COLD_BODY void no_sym_int_result(std::int64_t a, std::int64_t b, SymNode::Op op) {
  bool divides = op == SymNode::Op::floordiv || op == SymNode::Op::mod;
  if (divides && b == 0) fail<ValueError>("SymInt: division of ", a, " by zero");
  static constexpr const char* names[] = {" + ", " - ", " * ", " // "};
  fail<ValueError>("SymInt: ", a, names[static_cast<int>(op)], b, " is outside the range of int64_t");
}
}  // namespace detail

/// An expression: a constant plus products of a coefficient with symbols and opaque parts (`//`, `%`, `min`, `max`).
/// Equal sums have equal terms, so that `s0 + s1 - s0` is `s1`, and constants stay plain integers.
class SymExpr final : public SymNode {
 public:
  /// A factor: a symbol by number, or an operation on two expressions.
  struct Atom {
    int symbol = -1;
    Op op{};
    intrusive_ptr<const SymExpr> left, right;
    std::string text;
  };
  // Terms by the sorted texts of their factors.
  struct Term {
    std::vector<Atom> factors;
    std::int64_t coefficient;
  };

  explicit SymExpr(intrusive_ptr<SymEnv> env, std::int64_t constant = 0) : env_(std::move(env)), constant_(constant) {}

  intrusive_ptr<SymNode> wrap(std::int64_t value) const override { return make_intrusive<SymExpr>(env_, value); }
  intrusive_ptr<SymNode> apply(Op op, const SymNode& right) const override {
    const SymExpr& r = same_trace(right);
    switch (op) {
      case Op::add: return sum(r, 1);
      case Op::sub: return sum(r, -1);
      case Op::mul: return product(r);
      default: return opaque(op, r);
    }
  }
  bool guard(Compare compare, const SymNode& right) const override {
    const SymExpr& r = same_trace(right);
    auto difference = minus(r);
    // What holds for all values, or follows from what was assumed before, is no assumption.
    if (difference) {
      if (auto known = difference->constant()) return SymInt::compare_plain(*known, 0, compare);
      if (auto known = difference->decided(compare)) return *known;
    }
    bool outcome = SymInt::compare_plain(hint(), r.hint(), compare);
    static constexpr const char* names[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    static constexpr Compare opposite[] = {Compare::ne, Compare::eq, Compare::ge,
                                           Compare::gt, Compare::le, Compare::lt};
    env_->record(str() + names[static_cast<int>(outcome ? compare : opposite[static_cast<int>(compare)])] + r.str(), {},
                 {recorded(), r.recorded(), compare, outcome});
    if (difference) difference->learn(outcome ? compare : opposite[static_cast<int>(compare)]);
    return outcome;
  }
  std::int64_t guard_int(const char* file, int line) const override {
    std::int64_t value = hint();
    auto right = make_intrusive<SymExpr>(env_, value);
    env_->record(str() + " == " + std::to_string(value), *file ? concat(file, ":", line) : std::string(),
                 {recorded(), right->recorded(), Compare::eq, true});
    if (auto difference = minus(*right)) difference->learn(Compare::eq);
    return value;
  }
  std::optional<std::int64_t> constant() const override {
    return terms_.empty() ? std::optional(constant_) : std::nullopt;
  }
  /// A copy that does not hold the trace, for the trace to hold.
  intrusive_ptr<SymExpr> recorded() const {
    auto copy = make_intrusive<SymExpr>(intrusive_ptr<SymEnv>(), constant_);
    copy->terms_ = terms_;
    for (auto& [key, term] : copy->terms_)
      for (Atom& a : term.factors)
        if (a.symbol < 0) {
          a.left = a.left->recorded();
          a.right = a.right->recorded();
        }
    return copy;
  }
  /// The value in the trace; no guard is recorded.
  std::int64_t hint() const {
    auto value = evaluate(env_->hints_);
    TENON_CHECK(value, ValueError, "SymInt: ", str(), " has no value in int64_t where the symbols are ", env_->hints_,
                ": a division by zero or an overflow");
    return *value;
  }
  /// Nothing where a part divides by zero or overflows.
  std::optional<std::int64_t> evaluate(const std::vector<std::int64_t>& values) const {
    using Part = std::optional<std::int64_t>;
    auto apply = [](Op op, Part a, Part b) { return a && b ? SymInt::try_plain(*a, *b, op) : std::nullopt; };
    Part total = constant_;
    for (const auto& [key, term] : terms_) {
      Part value = term.coefficient;
      for (const Atom& a : term.factors) {
        if (a.symbol < 0)
          value = apply(Op::mul, value, apply(a.op, a.left->evaluate(values), a.right->evaluate(values)));
        else {
          TENON_CHECK(static_cast<std::size_t>(a.symbol) < values.size(), ValueError,
                      "expected a value for each symbol, got ", values.size(), " and no s", a.symbol);
          value = apply(Op::mul, value, values[static_cast<std::size_t>(a.symbol)]);
        }
      }
      total = apply(Op::add, total, value);
    }
    return total;
  }
  std::string str() const override {
    std::string out;
    for (const auto& [key, term] : terms_) {
      std::int64_t c = term.coefficient;
      if (out.empty())
        out += c < 0 ? "-" : "";
      else
        out += c < 0 ? " - " : " + ";
      if (c != 1 && c != -1) out += magnitude(c) + "*";
      out += key;
    }
    if (out.empty()) return std::to_string(constant_);
    if (constant_ != 0) out += (constant_ < 0 ? " - " : " + ") + magnitude(constant_);
    return out;
  }

 private:
  friend class SymEnv;
  static std::string magnitude(std::int64_t x) {
    auto bits = static_cast<std::uint64_t>(x);
    return std::to_string(x < 0 ? 0 - bits : bits);
  }
  /// What stands beside `//` or `%`: in parentheses unless it is one factor or a number.
  std::string operand() const {
    bool one = terms_.empty() || (terms_.size() == 1 && constant_ == 0 && terms_.begin()->second.coefficient == 1 &&
                                  terms_.begin()->second.factors.size() == 1);
    return one ? str() : "(" + str() + ")";
  }
  // These throw ValueError on overflow.
  static std::int64_t plus(std::int64_t a, std::int64_t b) { return SymInt::plain(a, b, Op::add); }
  static std::int64_t times(std::int64_t a, std::int64_t b) { return SymInt::plain(a, b, Op::mul); }
  static intrusive_ptr<const SymExpr> share(const SymExpr& e) { return intrusive_ptr<const SymExpr>::share(&e); }
  const SymExpr& same_trace(const SymNode& other) const {
    auto* e = dynamic_cast<const SymExpr*>(&other);
    TENON_CHECK(e && e->env_ == env_, ValueError, "symbolic integers of two traces cannot be combined: ", str(),
                " and ", other.str());
    return *e;
  }
  static std::string key_of(const std::vector<Atom>& factors) {
    std::string key;
    for (const Atom& a : factors) (key += key.empty() ? "" : "*") += a.text;
    return key;
  }
  void add_term(std::vector<Atom> factors, std::int64_t coefficient) {
    if (coefficient == 0) return;
    if (factors.empty()) {
      constant_ = plus(constant_, coefficient);
      return;
    }
    std::string key = key_of(factors);
    auto [at, is_new] = terms_.try_emplace(key, Term{std::move(factors), 0});
    at->second.coefficient = plus(at->second.coefficient, coefficient);
    if (at->second.coefficient == 0) terms_.erase(at);
  }
  intrusive_ptr<SymExpr> sum(const SymExpr& r, std::int64_t sign) const {
    auto out = make_intrusive<SymExpr>(env_, plus(constant_, times(sign, r.constant_)));
    for (const auto& [key, t] : terms_) out->add_term(t.factors, t.coefficient);
    for (const auto& [key, t] : r.terms_) out->add_term(t.factors, times(sign, t.coefficient));
    return out;
  }
  /// The difference; null if a number in it overflows, so that a comparison goes by the values alone.
  intrusive_ptr<SymExpr> minus(const SymExpr& r) const {
    try {
      return sum(r, -1);
    } catch (const ValueError&) { return nullptr; }
  }
  intrusive_ptr<SymExpr> product(const SymExpr& r) const {
    auto out = make_intrusive<SymExpr>(env_, times(constant_, r.constant_));
    for (const auto& [key, t] : terms_) out->add_term(t.factors, times(t.coefficient, r.constant_));
    for (const auto& [key, u] : r.terms_) {
      out->add_term(u.factors, times(u.coefficient, constant_));
      for (const auto& [other, t] : terms_) {
        std::vector<Atom> factors = t.factors;
        for (const Atom& a : u.factors) {
          auto at = factors.begin();
          while (at != factors.end() && at->text <= a.text) ++at;
          factors.insert(at, a);
        }
        out->add_term(std::move(factors), times(t.coefficient, u.coefficient));
      }
    }
    return out;
  }
  /// The least value of `sign` times the expression while the symbols that guards made positive are at least 1.
  std::optional<std::int64_t> least(std::int64_t sign) const {
    std::optional<std::int64_t> total = SymInt::try_plain(sign, constant_, Op::mul);
    for (const auto& [key, t] : terms_) {
      if ((t.coefficient < 0) == (sign > 0)) return std::nullopt;
      for (const Atom& a : t.factors)
        if (a.symbol < 0 || !env_->positive_[static_cast<std::size_t>(a.symbol)]) return std::nullopt;
      auto coefficient = SymInt::try_plain(sign, t.coefficient, Op::mul);
      if (!total || !coefficient) return std::nullopt;
      total = SymInt::try_plain(*total, *coefficient, Op::add);
    }
    return total;
  }
  /// The outcome of comparing with 0 if the guards so far decide it.
  std::optional<bool> decided(Compare compare) const {
    auto above = least(1), below = least(-1);
    bool positive = above && *above > 0, negative = below && *below > 0;
    if (positive || negative) return SymInt::compare_plain(positive ? 1 : -1, 0, compare);
    if (above && *above == 0 && (compare == Compare::ge || compare == Compare::lt)) return compare == Compare::ge;
    if (below && *below == 0 && (compare == Compare::le || compare == Compare::gt)) return compare == Compare::le;
    return std::nullopt;
  }
  /// Remembers a symbol that is positive if comparing with 0 holds.
  void learn(Compare compare) const {
    if (terms_.size() != 1) return;
    const Term& t = terms_.begin()->second;
    if (t.factors.size() != 1 || t.factors[0].symbol < 0 || (t.coefficient != 1 && t.coefficient != -1)) return;
    auto bound = SymInt::try_plain(-t.coefficient, constant_, Op::mul);  // the symbol is compared with it
    if (!bound) return;
    bool greater = compare == (t.coefficient == 1 ? Compare::gt : Compare::lt),
         least = compare == (t.coefficient == 1 ? Compare::ge : Compare::le) || compare == Compare::eq;
    if ((greater && *bound >= 0) || (least && *bound >= 1))
      env_->positive_[static_cast<std::size_t>(t.factors[0].symbol)] = 1;
  }
  /// Whether every coefficient and the constant are multiples of `d`.
  bool divisible(std::int64_t d) const {
    auto multiple = [d](std::int64_t x) { return SymInt::try_plain(x, d, Op::mod) == 0; };
    bool all = multiple(constant_);
    for (const auto& [key, t] : terms_) all = all && multiple(t.coefficient);
    return all;
  }
  /// The quotient by a product that every term holds; null if one does not.
  intrusive_ptr<SymExpr> exact_quotient(const SymExpr& r) const {
    if (r.terms_.size() != 1 || r.constant_ != 0 || constant_ != 0) return nullptr;
    const Term& by = r.terms_.begin()->second;
    auto out = make_intrusive<SymExpr>(env_);
    for (const auto& [key, t] : terms_) {
      if (SymInt::try_plain(t.coefficient, by.coefficient, Op::mod) != 0) return nullptr;
      std::vector<Atom> factors = t.factors;
      for (const Atom& a : by.factors) {
        auto at = factors.begin();
        while (at != factors.end() && at->text != a.text) ++at;
        if (at == factors.end()) return nullptr;
        factors.erase(at);
      }
      out->add_term(std::move(factors), SymInt::plain(t.coefficient, by.coefficient, Op::floordiv));
    }
    return out;
  }
  intrusive_ptr<SymExpr> opaque(Op op, const SymExpr& r) const {
    auto divisor = r.constant();
    if (constant() && divisor) return make_intrusive<SymExpr>(env_, SymInt::plain(constant_, *divisor, op));
    if (op == Op::floordiv || op == Op::mod) {
      TENON_CHECK(divisor != 0, ValueError, "SymInt: division of ", str(), " by zero");
      if (divisor && divisible(*divisor)) {
        auto out = make_intrusive<SymExpr>(env_);
        if (op == Op::mod) return out;
        out->constant_ = SymInt::plain(constant_, *divisor, op);
        for (const auto& [key, t] : terms_) out->add_term(t.factors, SymInt::plain(t.coefficient, *divisor, op));
        return out;
      }
      if (auto quotient = exact_quotient(r)) return op == Op::mod ? make_intrusive<SymExpr>(env_) : quotient;
    } else if (auto difference = minus(r)) {
      auto known =
          difference->constant() ? std::optional(*difference->constant() < 0) : difference->decided(Compare::lt);
      if (known) return (op == Op::min) == *known ? sum(SymExpr(env_), 1) : r.sum(SymExpr(env_), 1);
    }
    static constexpr const char* names[] = {"+", "-", "*", "//", "%", "min", "max"};
    std::string name = names[static_cast<int>(op)];
    Atom atom{-1, op, share(*this), share(r), {}};
    atom.text = op == Op::min || op == Op::max ? name + "(" + str() + ", " + r.str() + ")"
                                               : "(" + operand() + name + r.operand() + ")";
    auto out = make_intrusive<SymExpr>(env_);
    out->add_term({std::move(atom)}, 1);
    return out;
  }

  intrusive_ptr<SymEnv> env_;
  std::int64_t constant_;
  std::map<std::string, Term> terms_;
};

TENON_COLD_BODY SymInt SymEnv::symbol(std::int64_t hint) {
  auto e = make_intrusive<SymExpr>(intrusive_ptr<SymEnv>::share(this));
  SymExpr::Atom atom;
  atom.symbol = static_cast<int>(hints_.size());
  atom.text = "s" + std::to_string(hints_.size());
  hints_.push_back(hint);
  positive_.push_back(0);
  e->add_term({std::move(atom)}, 1);
  return SymInt(intrusive_ptr<SymNode>(std::move(e)));
}
TENON_COLD_BODY void SymEnv::record(std::string text, std::string place, Decision decision) {
  for (const Guard& g : guards_)
    if (g.text == text) return;
  guards_.push_back({std::move(text), std::move(place)});
  decisions_.push_back(std::move(decision));
}
TENON_COLD_BODY bool SymEnv::holds_for(const std::vector<std::int64_t>& values) const {
  auto value_of = [&](const intrusive_ptr<const SymNode>& e) {
    return static_cast<const SymExpr&>(*e).evaluate(values);
  };
  for (const Decision& d : decisions_) {
    auto left = value_of(d.left), right = value_of(d.right);
    if (!left || !right || SymInt::compare_plain(*left, *right, d.compare) != d.outcome) return false;
  }
  return true;
}

}  // namespace tenon
