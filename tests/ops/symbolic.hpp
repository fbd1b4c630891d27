// What the tests of symbolic shapes share.
#pragma once
#include <string>
#include <vector>

#include "support.hpp"

namespace test {

using Texts = std::vector<std::string>;

inline Tensor meta(SymIntList sizes, ScalarType dtype = kFloat) {
  return ops::empty(sizes.ref, "dtype"_a = dtype, "device"_a = kMeta);
}
inline std::string shape(const Tensor& t) { return concat(t.sym_sizes()); }
inline std::string strides(const Tensor& t) { return concat(t.sym_strides()); }

/// Two symbols, s0 and s1, with the values 4 and 6.
struct Trace {
  intrusive_ptr<SymEnv> env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4), m = env->symbol(6);
  Tensor make(SymIntList sizes, ScalarType dtype = kFloat) { return meta(sizes, dtype); }
  Texts guards() const {
    Texts out;
    for (const auto& g : env->guards()) out.push_back(g.text);
    return out;
  }
};

/// A tensor's sizes and strides as numbers; symbolic ones are read by guards.
inline std::string numbers(const Tensor& t) {
  SymDimVector sizes(t.sym_sizes()), strides(t.sym_strides());
  for (SymDimVector* list : {&sizes, &strides})
    for (SymInt& s : *list) s = s.guard_int();
  return concat(t.dtype(), sizes, strides, t.sym_storage_offset().guard_int());
}
/// `call(n, m)` gives the same numbers for the symbols of a trace as for 4 and 6.
/// Returns the symbolic result.
template <class F>
Tensor traced(Trace& t, F call) {
  Trace other;
  CHECK(numbers(call(other.n, other.m)) == numbers(call(SymInt(4), SymInt(6))));
  return call(t.n, t.m);
}

}  // namespace test
