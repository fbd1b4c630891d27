// Sizes or strides that may be symbolic, and what shape functions that are written once for both kinds of integers ask.
#pragma once
#include <concepts>
#include <vector>

#include <tenon/base/dim_vector.hpp>
#include <tenon/base/sym_int.hpp>

namespace tenon {

/// An owned list of SymInt with the interface of DimVector.
class SymDimVector : public std::vector<SymInt> {
 public:
  using std::vector<SymInt>::vector;
  SymDimVector() = default;
  SymDimVector(SymIntArrayRef list);
  using std::vector<SymInt>::operator[];
  template <std::signed_integral At>
  SymInt& operator[](At i) {
    return (*this)[static_cast<std::size_t>(i)];
  }
  template <std::signed_integral At>
  const SymInt& operator[](At i) const {
    return (*this)[static_cast<std::size_t>(i)];
  }
  using std::vector<SymInt>::erase;
  void insert(std::size_t at, SymInt value);
  void erase(std::size_t at);
};

namespace detail {
template <class Int>
struct dims_of {
  using type = DimVector;
};
template <>
struct dims_of<SymInt> {
  using type = SymDimVector;
};
}  // namespace detail
/// The owned list of dimensions for an integer type: DimVector or SymDimVector.
template <class Int>
using dims_t = typename detail::dims_of<Int>::type;

/// Whether two integers are equal whatever the symbols are; records no guard.
inline bool known_equal(std::int64_t a, std::int64_t b) { return a == b; }
inline bool known_equal(const SymInt& a, const SymInt& b) {
  if (!a.is_symbolic() && !b.is_symbolic()) return a.as_int_unchecked() == b.as_int_unchecked();
  auto difference = (a - b).maybe_as_int();
  return difference && *difference == 0;
}
template <class Int>
bool known_equal(ArrayRef<Int> a, ArrayRef<Int> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!known_equal(a[i], b[i])) return false;
  return true;
}

}  // namespace tenon
