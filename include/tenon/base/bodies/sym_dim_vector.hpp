// What makes and changes lists of symbolic integers.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/sym_dim_vector.hpp>

namespace tenon {

TENON_BODY SymDimVector::SymDimVector(SymIntArrayRef list) : std::vector<SymInt>(list.begin(), list.end()) {}
TENON_BODY void SymDimVector::insert(std::size_t at, SymInt value) {
  std::vector<SymInt>::insert(begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
}
TENON_BODY void SymDimVector::erase(std::size_t at) {
  std::vector<SymInt>::erase(begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace tenon
