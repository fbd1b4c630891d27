// A product of matrices of one dtype in memory, by the kernels in use.
#pragma once
#include <cstdint>

#include <tenon/cpu/cblas_products.hpp>

namespace tenon::cpu::detail {

/// c = alpha a b + beta c, for a of m x k.
template <class T>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, GemmCall::Part a, GemmCall::Part b, T beta,
              GemmCall::Part c, T alpha = T(1)) {
  run_products({scalar_type_v<T>, 1, m, n, k, a, b, c, &alpha, &beta});
}
template <class T>
GemmCall::Part matrix(const T* data, std::int64_t row, std::int64_t column) {
  return {const_cast<T*>(data), 0, row, column};
}

}  // namespace tenon::cpu::detail
