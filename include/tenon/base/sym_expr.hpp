// Symbolic integers as expressions: sums of products in a normal form, with the guards that decisions rest on.
#pragma once
#include <string>
#include <vector>

#include <tenon/base/sym_int.hpp>

namespace tenon {

class SymExpr;

/// The symbols of one trace with the values that they have in it, and every decision that was taken by those values.
/// Not safe to use from several threads at once.
class SymEnv : public RefCounted {
 public:
  struct Guard {
    std::string text;   ///< `s0 == 4`, `s0 + 1 < s1`
    std::string place;  ///< FILE:LINE of who asked; empty for comparisons
  };
  /// A new symbol `s0`, `s1`, ... whose value in this trace is `hint`.
  SymInt symbol(std::int64_t hint);
  /// The assumptions under which the trace holds, in the order in which they were made, each once.
  const std::vector<Guard>& guards() const { return guards_; }
  /// Whether all of them hold for other values of the symbols; one that then divides by zero or overflows does not.
  /// Throws ValueError if a value is missing.
  bool holds_for(const std::vector<std::int64_t>& values) const;
  std::size_t n_symbols() const { return hints_.size(); }

 private:
  friend class SymExpr;
  struct Decision {
    intrusive_ptr<const SymNode> left, right;
    SymNode::Compare compare;
    bool outcome;
  };
  void record(std::string text, std::string place, Decision decision);
  std::vector<std::int64_t> hints_;
  std::vector<char> positive_;  // by symbol: a guard says so, and what follows from it needs no guard of its own
  std::vector<Guard> guards_;
  std::vector<Decision> decisions_;
};

}  // namespace tenon
