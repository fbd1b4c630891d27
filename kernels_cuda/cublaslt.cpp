// Products of matrices by cuBLASLt.
#include <cublasLt.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

#include <tenon/base/complex.hpp>
#include <tenon/base/error.hpp>
#include <tenon/cuda/products.hpp>

#include "captures.hpp"
#include "workspace.hpp"

namespace tenon::cuda {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) fail<Error>(what, ": cuBLASLt error ", static_cast<int>(status));
}
template <class T, cublasStatus_t (*End)(T*)>
struct Ended {
  void operator()(T* t) const { End(t); }
};
using Operation =
    std::unique_ptr<cublasLtMatmulDescOpaque_t, Ended<cublasLtMatmulDescOpaque_t, &cublasLtMatmulDescDestroy>>;
using Layout =
    std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Ended<cublasLtMatrixLayoutOpaque_t, &cublasLtMatrixLayoutDestroy>>;
using Preference = std::unique_ptr<cublasLtMatmulPreferenceOpaque_t,
                                   Ended<cublasLtMatmulPreferenceOpaque_t, &cublasLtMatmulPreferenceDestroy>>;

/// Of the current device; made once, and used by any thread.
cublasLtHandle_t handle() {
  static std::mutex mutex;
  static cublasLtHandle_t handles[128] = {};
  std::lock_guard lock(mutex);
  cublasLtHandle_t& h = handles[runtime::current_device()];
  if (!h) {
    MayTakeMemory allowed;
    check(cublasLtCreate(&h), "cublasLtCreate");
  }
  return h;
}
struct Types {
  cudaDataType_t data, scale;
  cublasComputeType_t compute;
};
/// Strict where the library would round more than once: it rounds a small product of 16 bits before that is added to
/// what is there, and makes products of complex numbers of three real ones.
std::optional<Types> types_of(ScalarType dtype, bool adds, bool small) {
  bool tf32 = allows_tf32();
  cublasComputeType_t of_small = adds && small ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
  switch (dtype) {
    case kFloat: return Types{CUDA_R_32F, CUDA_R_32F, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F};
    case kDouble: return Types{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case kHalf: return Types{CUDA_R_16F, CUDA_R_32F, of_small};
    case kBFloat16: return Types{CUDA_R_16BF, CUDA_R_32F, of_small};
    case kComplexFloat:
      return Types{CUDA_C_32F, CUDA_C_32F, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F_PEDANTIC};
    case kComplexDouble: return Types{CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F_PEDANTIC};
    default: return std::nullopt;
  }
}
/// A number as the library reads it.
struct Factor {
  alignas(16) unsigned char bytes[16] = {};
  Factor(const Scalar& value, cudaDataType_t type) {
    auto put = [&]<class T>(type_tag<T>) {
      T v = value.to<T>();
      std::memcpy(bytes, static_cast<const void*>(&v), sizeof v);
    };
    switch (type) {
      case CUDA_R_64F: put(type_tag<double>{}); break;
      case CUDA_C_32F: put(type_tag<Complex<float>>{}); break;
      case CUDA_C_64F: put(type_tag<Complex<double>>{}); break;
      default: put(type_tag<float>{});
    }
  }
};
Layout layout_of(const LibraryProduct& p, const LibraryProduct::Matrix& m, std::int64_t rows, std::int64_t columns,
                 cudaDataType_t type) {
  if (m.transposed) std::swap(rows, columns);
  cublasLtMatrixLayout_t made;
  check(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                                   m.leading),
        "cublasLtMatrixLayoutCreate");
  Layout layout(made);
  auto count = static_cast<std::int32_t>(p.count);
  check(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count), "batch");
  check(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &m.step, sizeof m.step),
        "batch");
  return layout;
}
constexpr std::size_t kMostWorkspace = std::size_t{32} << 20;

bool multiply(const LibraryProduct& p, void* stream) {
  constexpr std::int64_t small = std::int64_t{1} << 20;
  std::optional<Types> types = types_of(p.dtype, !p.beta.equal(0), p.m * p.n * p.k <= small);
  if (!types || p.count > INT32_MAX) return false;
  cublasLtMatmulDesc_t made;
  check(cublasLtMatmulDescCreate(&made, types->compute, types->scale), "cublasLtMatmulDescCreate");
  Operation operation(made);
  auto turn = [&](cublasLtMatmulDescAttributes_t which, bool transposed) {
    cublasOperation_t op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    check(cublasLtMatmulDescSetAttribute(made, which, &op, sizeof op), "cublasLtMatmulDescSetAttribute");
  };
  turn(CUBLASLT_MATMUL_DESC_TRANSA, p.a.transposed);
  turn(CUBLASLT_MATMUL_DESC_TRANSB, p.b.transposed);
  Layout a = layout_of(p, p.a, p.m, p.k, types->data), b = layout_of(p, p.b, p.k, p.n, types->data),
         d = layout_of(p, p.d, p.m, p.n, types->data);
  cublasLtMatmulPreference_t preferred;
  check(cublasLtMatmulPreferenceCreate(&preferred), "cublasLtMatmulPreferenceCreate");
  Preference preference(preferred);
  std::size_t most = kMostWorkspace;
  check(cublasLtMatmulPreferenceSetAttribute(preferred, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most),
        "workspace");
  // Parts of a sum over k are added up in float, not in 16 bits.
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  check(cublasLtMatmulPreferenceSetAttribute(preferred, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions,
                                             sizeof reductions),
        "reductions");
  // Tensors begin anywhere.
  auto alignment_of = [](const void* data) {
    std::uint32_t bytes = 256;
    while (reinterpret_cast<std::uintptr_t>(data) % bytes) bytes /= 2;
    return bytes;
  };
  auto align = [&](cublasLtMatmulPreferenceAttributes_t which, const void* data) {
    std::uint32_t bytes = alignment_of(data);
    check(cublasLtMatmulPreferenceSetAttribute(preferred, which, &bytes, sizeof bytes), "alignment");
  };
  align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p.a.data);
  align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p.b.data);
  align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p.d.data);
  align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p.d.data);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  if (cublasLtMatmulAlgoGetHeuristic(handle(), made, a.get(), b.get(), d.get(), d.get(), preferred, 1, &best, &found) !=
          CUBLAS_STATUS_SUCCESS ||
      found == 0)
    return false;
  Workspace workspace(best.workspaceSize);
  Factor alpha(p.alpha, types->scale), beta(p.beta, types->scale);
  check(cublasLtMatmul(handle(), made, alpha.bytes, p.a.data, a.get(), p.b.data, b.get(), beta.bytes, p.d.data, d.get(),
                       p.d.data, d.get(), &best.algo, workspace.data, best.workspaceSize,
                       static_cast<cudaStream_t>(stream)),
        "cublasLtMatmul");
  return true;
}

struct Install {
  Install() { product_library() = &multiply; }
};
const Install install;

}  // namespace
}  // namespace tenon::cuda
