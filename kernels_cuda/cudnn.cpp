// Convolutions by cuDNN.
#include <cudnn.h>

#include <cstddef>
#include <optional>

#include <tenon/base/error.hpp>
#include <tenon/cuda/libraries.hpp>
#include <tenon/cuda/products.hpp>

#include "captures.hpp"
#include "workspace.hpp"

namespace tenon::cuda {
namespace {

void check(cudnnStatus_t status, const char* what) {
  if (status != CUDNN_STATUS_SUCCESS) fail<Error>(what, ": cuDNN error: ", cudnnGetErrorString(status));
}
template <class T, cudnnStatus_t (*Begin)(T*), cudnnStatus_t (*End)(T)>
struct Made {
  T it = nullptr;
  Made() { check(Begin(&it), "convolution"); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() { End(it); }
};
using TensorLayout = Made<cudnnTensorDescriptor_t, &cudnnCreateTensorDescriptor, &cudnnDestroyTensorDescriptor>;
using FilterLayout = Made<cudnnFilterDescriptor_t, &cudnnCreateFilterDescriptor, &cudnnDestroyFilterDescriptor>;
using Geometry =
    Made<cudnnConvolutionDescriptor_t, &cudnnCreateConvolutionDescriptor, &cudnnDestroyConvolutionDescriptor>;

/// False where the library turns down at work what it had offered.
bool is_done(cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_NOT_SUPPORTED) return false;
  check(status, what);
  return true;
}

/// Of the current device and the thread: a handle has one stream.
cudnnHandle_t handle(void* stream) {
  thread_local cudnnHandle_t handles[128] = {};
  cudnnHandle_t& h = handles[runtime::current_device()];
  if (!h) {
    MayTakeMemory allowed;
    check(cudnnCreate(&h), "cudnnCreate");
  }
  check(cudnnSetStream(h, static_cast<cudaStream_t>(stream)), "cudnnSetStream");
  return h;
}
constexpr std::size_t kMostWorkspace = std::size_t{256} << 20;

std::optional<cudnnDataType_t> type_of(ScalarType dtype) {
  switch (dtype) {
    case kFloat: return CUDNN_DATA_FLOAT;
    case kDouble: return CUDNN_DATA_DOUBLE;
    case kHalf: return CUDNN_DATA_HALF;
    case kBFloat16: return CUDNN_DATA_BFLOAT16;
    default: return std::nullopt;
  }
}
void lay_out(const TensorLayout& to, cudnnDataType_t type, int dims, const int* sizes) {
  check(cudnnSetTensorNdDescriptorEx(to.it, CUDNN_TENSOR_NCHW, type, dims, sizes), "cudnnSetTensorNdDescriptorEx");
}
/// The first of the library's choices, the fastest first, that gives the same bits each run and needs no more memory
/// than a convolution may have.
template <class Perf, class Ask>
std::optional<Perf> choose(Ask ask) {
  constexpr int asked = 12;
  Perf found[asked];
  int count = 0;
  if (ask(asked, &count, found) != CUDNN_STATUS_SUCCESS) return std::nullopt;
  for (int i = 0; i < count; ++i)
    if (found[i].status == CUDNN_STATUS_SUCCESS && found[i].determinism == CUDNN_DETERMINISTIC &&
        found[i].memory <= kMostWorkspace)
      return found[i];
  return std::nullopt;
}

bool convolve(const LibraryConvolution& c, void* stream) {
  std::optional<cudnnDataType_t> type = type_of(c.dtype);
  if (!type) return false;
  bool wide = c.dtype == kDouble;
  int dims = c.spatial + 2;
  TensorLayout x, y;
  FilterLayout w;
  Geometry g;
  lay_out(x, *type, dims, c.x);
  lay_out(y, *type, dims, c.y);
  check(cudnnSetFilterNdDescriptor(w.it, *type, CUDNN_TENSOR_NCHW, dims, c.weight), "cudnnSetFilterNdDescriptor");
  check(cudnnSetConvolutionNdDescriptor(g.it, c.spatial, c.padding, c.stride, c.dilation, CUDNN_CROSS_CORRELATION,
                                        wide ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT),
        "cudnnSetConvolutionNdDescriptor");
  check(cudnnSetConvolutionGroupCount(g.it, c.groups), "cudnnSetConvolutionGroupCount");
  // Factors of float stay what they are unless the program lets them be rounded.
  bool exact = c.dtype == kFloat && !allows_tf32();
  auto compute_by = [&](cudnnMathType_t math) {
    check(cudnnSetConvolutionMathType(g.it, exact ? CUDNN_FMA_MATH : math), "cudnnSetConvolutionMathType");
  };
  compute_by(CUDNN_TENSOR_OP_MATH);
  cudnnHandle_t h = handle(stream);
  // Factors are of the type that the library computes in.
  const double one = 1, zero = 0;
  const float one_float = 1, zero_float = 0;
  const void *all = wide ? static_cast<const void*>(&one) : &one_float,
             *none = wide ? static_cast<const void*>(&zero) : &zero_float;
  switch (c.what) {
    case Convolution::Forward: {
      auto best = choose<cudnnConvolutionFwdAlgoPerf_t>([&](int most, int* count, auto* found) {
        return cudnnGetConvolutionForwardAlgorithm_v7(h, x.it, w.it, g.it, y.it, most, count, found);
      });
      if (!best) return false;
      Workspace memory(best->memory);
      compute_by(best->mathType);
      if (!is_done(cudnnConvolutionForward(h, all, x.it, c.x_data, w.it, c.weight_data, g.it, best->algo, memory.data,
                                           best->memory, none, y.it, c.y_data),
                   "cudnnConvolutionForward"))
        return false;
      break;
    }
    case Convolution::Back: {
      auto best = choose<cudnnConvolutionBwdDataAlgoPerf_t>([&](int most, int* count, auto* found) {
        return cudnnGetConvolutionBackwardDataAlgorithm_v7(h, w.it, y.it, g.it, x.it, most, count, found);
      });
      if (!best) return false;
      Workspace memory(best->memory);
      compute_by(best->mathType);
      if (!is_done(cudnnConvolutionBackwardData(h, all, w.it, c.weight_data, y.it, c.y_data, g.it, best->algo,
                                                memory.data, best->memory, none, x.it, c.x_data),
                   "cudnnConvolutionBackwardData"))
        return false;
      break;
    }
    default: {
      auto best = choose<cudnnConvolutionBwdFilterAlgoPerf_t>([&](int most, int* count, auto* found) {
        return cudnnGetConvolutionBackwardFilterAlgorithm_v7(h, x.it, y.it, g.it, w.it, most, count, found);
      });
      if (!best) return false;
      Workspace memory(best->memory);
      compute_by(best->mathType);
      if (!is_done(cudnnConvolutionBackwardFilter(h, all, x.it, c.x_data, y.it, c.y_data, g.it, best->algo, memory.data,
                                                  best->memory, none, w.it, c.weight_data),
                   "cudnnConvolutionBackwardFilter"))
        return false;
    }
  }
  if (c.bias) {
    // Of what is written.
    bool forward = c.what == Convolution::Forward;
    int sizes[] = {1, forward ? c.y[1] : c.x[1], 1, 1, 1};
    TensorLayout bias;
    lay_out(bias, *type, dims, sizes);
    check(cudnnAddTensor(h, all, bias.it, c.bias, all, forward ? y.it : x.it, forward ? c.y_data : c.x_data),
          "cudnnAddTensor");
  }
  return true;
}

struct Install {
  Install() { libraries().convolution = &convolve; }
};
const Install install;

}  // namespace
}  // namespace tenon::cuda
