// Batches of column-major matrices for LAPACK: copies, walking, and what its status codes mean.
#pragma once
#include <tenon/base/linalg_error.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/lapack.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/structured/matrices.hpp>

namespace tenon::cpu::detail {

/// Calls f(type_tag<T>) for an element type of LAPACK; throws where the build has none.
template <class F>
void visit_lapack(const char* name, ScalarType t, [[maybe_unused]] F f) {
  check_lapack_type(name, t);
#ifdef TENON_LAPACK
  switch (t) {
    case kFloat: return f(type_tag<float>{});
    case kDouble: return f(type_tag<double>{});
    case kComplexFloat: return f(type_tag<Complex<float>>{});
    default: return f(type_tag<Complex<double>>{});
  }
#else
  lapack::missing(name);
#endif
}
template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<Complex<T>> {
  using type = T;
};
template <class T>
using real_of_t = typename real_of<T>::type;

/// The size of a workspace as LAPACK tells it: in its first element.
template <class T>
int work_size(T best) {
  if constexpr (is_complex_v<T>)
    return static_cast<int>(best.re) + 1;
  else
    return static_cast<int>(best) + 1;
}

inline bool is_column_major(const Tensor& t) {
  DimVector expected = column_major_strides<std::int64_t>(t.sizes());
  for (std::int64_t d = 0; d < t.dim(); ++d)
    if (t.sizes()[d] > 1 && t.strides()[d] != expected[d]) return false;
  return true;
}
/// A dense batch of matrices: matrix i at `at<T>(i)`, columns one behind the other.
struct Matrices {
  Tensor tensor;
  std::int64_t rows = 0, columns = 0, count = 0;

  Matrices(IntArrayRef sizes, ScalarType dtype)
      : Matrices(make_tensor(sizes, column_major_strides<std::int64_t>(sizes), dtype), 0) {}
  /// A fresh copy, broadcast to `sizes`.
  static Matrices copy(const Tensor& from, IntArrayRef sizes, ScalarType dtype) {
    Matrices m(sizes, dtype);
    copy_elements(m.tensor, from);
    return m;
  }
  static Matrices copy(const Tensor& from) { return copy(from, from.sizes(), from.dtype()); }
  /// The tensor itself where LAPACK can read or write it.
  static Matrices of(const Tensor& t) { return is_column_major(t) ? Matrices(t, 0) : copy(t); }
  /// Where a result is computed: in `out` itself if LAPACK can write it.
  static Matrices for_result(const Tensor& out, ScalarType dtype) {
    return out.dtype() == dtype && is_column_major(out) ? Matrices(out, 0) : Matrices(out.sizes(), dtype);
  }
  template <class T>
  T* at(std::int64_t i) const {
    return static_cast<T*>(tensor.data_ptr()) + i * rows * columns;
  }
  int lead() const { return static_cast<int>(rows > 1 ? rows : 1); }

 private:
  Matrices(Tensor t, int) : tensor(std::move(t)) {
    IntArrayRef s = tensor.sizes();
    rows = s[s.size() - 2];
    columns = s[s.size() - 1];
    count = 1;
    for (std::size_t d = 0; d + 2 < s.size(); ++d) count *= s[d];
  }
};
inline void finish(const Tensor& out, const Tensor& computed) {
  if (!out.is_same(computed)) copy_elements(out, computed);
}
inline Tensor matrix_transposed(const Tensor& t) {
  DimVector sizes(t.sizes()), strides(t.strides());
  std::size_t n = sizes.size();
  std::swap(sizes[n - 1], sizes[n - 2]);
  std::swap(strides[n - 1], strides[n - 2]);
  return make_alias(t, sizes, strides, t.storage_offset());
}
inline std::int64_t count_of(IntArrayRef sizes, std::size_t without) {
  std::int64_t n = 1;
  for (std::size_t d = 0; d + without < sizes.size(); ++d) n *= sizes[d];
  return n;
}
/// Where matrix i of a batch of shape `batch` lies in another batch that broadcasts to it.
inline std::int64_t broadcast_place(std::int64_t i, IntArrayRef batch, IntArrayRef from) {
  std::int64_t place = 0, step = 1;
  for (std::size_t k = 1; k <= batch.size(); ++k) {
    std::int64_t at = i % batch[batch.size() - k];
    i /= batch[batch.size() - k];
    if (k > from.size()) continue;
    std::int64_t size = from[from.size() - k];
    place += (size == 1 ? 0 : at) * step;
    step *= size;
  }
  return place;
}
inline IntArrayRef batch_sizes(const Tensor& t) { return t.sizes().slice(0, t.sizes().size() - 2); }

/// Calls f(i) for every matrix of a batch, many small ones side by side. LAPACK's routines share no state.
template <class F>
void each_matrix(std::int64_t count, std::int64_t size, F f) {
  double work = static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
  parallel_for(0, count, static_cast<std::int64_t>(1e5 / (work + 1)) + 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) f(i);
  });
}
/// Status codes, one for each matrix, that become an int32 tensor.
struct Infos {
  Tensor tensor;
  explicit Infos(std::int64_t count) : tensor(make_tensor({&count, 1}, {}, kInt)) {
    for (std::int64_t i = 0; i < count; ++i) at(i) = 0;
  }
  int& at(std::int64_t i) const { return static_cast<std::int32_t*>(tensor.data_ptr())[i]; }
  void give(const Tensor& out) const {
    copy_elements(out, make_alias(tensor, out.sizes(), contiguous_strides(out.sizes()), 0));
  }
};

/// Throws for the first matrix whose status is not 0, in PyTorch's words; nothing for tensors without elements.
inline void raise_for_infos(const Tensor& infos, std::string_view name, bool is_matrix) {
  if (!infos.is_cpu() || infos.is_symbolic() || infos.numel() == 0) return;
  Tensor flat = row_major(tenon::detail::in_memory(infos), kInt);  // no key of the call leads here
  auto codes = static_cast<const std::int32_t*>(flat.data_ptr());
  std::int64_t i = 0;
  while (i < flat.numel() && codes[i] == 0) ++i;
  if (i == flat.numel()) return;
  int code = codes[i];
  std::string where = is_matrix ? std::string(name) : concat(name, ": (Batch element ", i, ")");
  auto about = [&](const char* word) { return name.find(word) != name.npos; };
  if (code < 0) {
    TENON_CHECK(!(about("svd") && code == -4), LinAlgError, where,
                ": The algorithm failed to converge because the input matrix contained non-finite values.");
    fail<InternalError>(where, ": Argument ", -code,
                        " has illegal value. Most certainly there is a bug in the implementation calling the backend "
                        "library.");
  }
  if (about("inv"))
    fail<LinAlgError>(where, ": The diagonal element ", code,
                      " is zero, the inversion could not be completed because the input matrix is singular.");
  if (about("solve")) fail<LinAlgError>(where, ": The solver failed because the input matrix is singular.");
  if (about("cholesky"))
    fail<LinAlgError>(where,
                      ": The factorization could not be completed because the input is not positive-definite (the "
                      "leading minor of order ",
                      code, " is not positive-definite).");
  if (about("svd") || about("eig"))
    fail<LinAlgError>(where,
                      ": The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
                      "repeated ",
                      about("svd") ? "singular values" : "eigenvalues", " (error code: ", code, ").");
  if (about("lstsq"))
    fail<LinAlgError>(where,
                      ": The least squares solution could not be computed because the input matrix does not have full "
                      "rank (error code: ",
                      code, ").");
  if (about("lu_factor"))
    fail<LinAlgError>(where, ": U[", code, ",", code,
                      "] is zero and using it on lu_solve would result in a division by zero. If you still want to "
                      "perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, "
                      "pivot)");
  fail<LinAlgError>(where, ": Unknown error code: ", code, ".");
}

}  // namespace tenon::cpu::detail
