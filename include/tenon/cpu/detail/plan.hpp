// The order in which operands of one shape are walked: broadcast, sorted and merged dimensions with byte strides.
#pragma once
#include <cstdint>

#include <tenon/base/scalar_type.hpp>

namespace tenon::cpu {

/// How an operand covers the shape of the iteration, where the caller knows it.
enum class Access : std::uint8_t {
  strided,  // by its own sizes and strides
  dense,    // all elements of the shape in row-major order
  splat,    // one element
};

/// One tensor of an elementwise computation, made by one of the three functions. Sizes are aligned with the iteration's
/// shape at the last dimension; missing dimensions and those of size 1 repeat. Strides count elements. The lists must
/// outlive the call.
struct Operand {
  void* data;
  const std::int64_t* sizes;
  const std::int64_t* strides;
  std::uint8_t dims;
  ScalarType dtype;
  Access access;

  static Operand dense(const void* data, ScalarType dtype) {
    return {const_cast<void*>(data), nullptr, nullptr, 0, dtype, Access::dense};
  }
  static Operand splat(const void* data, ScalarType dtype) {
    return {const_cast<void*>(data), nullptr, nullptr, 0, dtype, Access::splat};
  }
  static Operand strided(const void* data, ScalarType dtype, const std::int64_t* sizes, const std::int64_t* strides,
                         int dims) {
    return {const_cast<void*>(data), sizes, strides, static_cast<std::uint8_t>(dims), dtype, Access::strided};
  }
};

/// A tensor has at most this many dimensions.
inline constexpr int kMaxDims = 64;

namespace detail {

/// Dimension 0 varies fastest. `N` operands, the outputs first.
template <class Arch, int N>
struct Plan {
  int dims, operands;
  std::int64_t size[kMaxDims];
  std::int64_t stride[N][kMaxDims];  // bytes
  char* base[N];
  ScalarType dtype[N];
  std::int64_t item[N];

  /// Walks the shape; `outputs` decide the order of dimensions first. False if the shape holds no element.
  bool build(const std::int64_t* sizes, int shape_dims, const Operand* list, int count) {
    operands = count;
    std::int64_t raw_size[kMaxDims];
    std::int64_t raw[N][kMaxDims];
    int n = 0;
    for (int k = 0; k < count; ++k) {
      base[k] = static_cast<char*>(list[k].data);
      dtype[k] = list[k].dtype;
      item[k] = static_cast<std::int64_t>(item_size(list[k].dtype));
    }
    std::int64_t dense_stride = 1;
    for (int d = shape_dims - 1; d >= 0; --d) {
      std::int64_t s = sizes[d];
      if (s == 0) return false;
      if (s == 1) continue;
      for (int k = 0; k < count; ++k) {
        const Operand& o = list[k];
        std::int64_t step = 0;
        if (o.access == Access::dense) {
          step = dense_stride * item[k];
        } else if (o.access == Access::strided) {
          int own = d - (shape_dims - o.dims);
          if (own >= 0 && o.sizes[own] != 1) step = o.strides[own] * item[k];
        }
        raw[k][n] = step;
      }
      raw_size[n++] = s;
      dense_stride *= s;
    }
    int order[kMaxDims];
    for (int i = 0; i < n; ++i) order[i] = i;
    for (int i = 1; i < n; ++i)
      for (int j = i; j > 0 && inside(raw, order[j], order[j - 1]); --j) {
        int t = order[j];
        order[j] = order[j - 1];
        order[j - 1] = t;
      }
    dims = 0;
    for (int i = 0; i < n; ++i) {
      int d = order[i];
      bool merge = dims > 0;
      for (int k = 0; k < count && merge; ++k) merge = stride[k][dims - 1] * size[dims - 1] == raw[k][d];
      if (merge) {
        size[dims - 1] *= raw_size[d];
        continue;
      }
      size[dims] = raw_size[d];
      for (int k = 0; k < count; ++k) stride[k][dims] = raw[k][d];
      ++dims;
    }
    if (dims == 0) {
      size[0] = dims = 1;
      for (int k = 0; k < count; ++k) stride[k][0] = item[k];
    }
    return true;
  }

  std::int64_t count() const {
    std::int64_t n = 1;
    for (int d = 0; d < dims; ++d) n *= size[d];
    return n;
  }
  /// The part [first, last) of dimension d.
  Plan narrowed(int d, std::int64_t first, std::int64_t last) const {
    Plan p;
    p.dims = dims;
    p.operands = operands;
    for (int i = 0; i < dims; ++i) p.size[i] = i == d ? last - first : size[i];
    for (int k = 0; k < operands; ++k) {
      for (int i = 0; i < dims; ++i) p.stride[k][i] = stride[k][i];
      p.base[k] = base[k] + first * stride[k][d];
      p.dtype[k] = dtype[k];
      p.item[k] = item[k];
    }
    return p;
  }
  /// Calls f(pointers) for every index of the dimensions from `first` on.
  template <class F>
  void outer(int first, F&& f) const {
    char* p[N];
    std::int64_t index[kMaxDims];
    for (int k = 0; k < operands; ++k) p[k] = base[k];
    for (int d = first; d < dims; ++d) index[d] = 0;
    for (;;) {
      f(p);
      int d = first;
      for (; d < dims; ++d) {
        if (++index[d] < size[d]) {
          for (int k = 0; k < operands; ++k) p[k] += stride[k][d];
          break;
        }
        for (int k = 0; k < operands; ++k) p[k] -= stride[k][d] * (size[d] - 1);
        index[d] = 0;
      }
      if (d >= dims) return;
    }
  }

 private:
  /// Whether dimension a belongs inside b: by the first operand that tells them apart.
  bool inside(const std::int64_t (&raw)[N][kMaxDims], int a, int b) const {
    for (int k = 0; k < operands; ++k) {
      std::int64_t x = raw[k][a] < 0 ? -raw[k][a] : raw[k][a], y = raw[k][b] < 0 ? -raw[k][b] : raw[k][b];
      if (x == 0 || y == 0 || x == y) continue;
      return x < y;
    }
    return false;
  }
};

}  // namespace detail
}  // namespace tenon::cpu
