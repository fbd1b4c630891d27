// Matrix products of every instruction set as one group of function pointers.
#pragma once
#include <tenon/cpu/gemm.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

/// `count` products C = alpha A B + beta C of one dtype and shape; steps count elements: matrix i of an operand begins
/// i `step` behind its data, one of A or B with a step of 0 serves all. Alpha and beta point to one element each.
struct GemmCall {
  ScalarType dtype;
  std::int64_t count = 1, m = 0, n = 0, k = 0;
  struct Part {
    void* data = nullptr;
    std::int64_t step = 0, row = 0, column = 0;
  } a, b, c;
  const void* alpha = nullptr;
  const void* beta = nullptr;
};

struct GemmKernels {
  /// Throws TypeError for bool and complex32.
  void (*run)(const GemmCall& call);
};

namespace detail {

using Product = void (*)(const GemmCall& call);

/// One product, whatever `count` says.
template <class Arch, class T>
void one_product(const GemmCall& g) {
  gemm<Arch, T>(g.m, g.n, g.k, *static_cast<const T*>(g.alpha), {static_cast<const T*>(g.a.data), g.a.row, g.a.column},
                {static_cast<const T*>(g.b.data), g.b.row, g.b.column}, *static_cast<const T*>(g.beta),
                {static_cast<T*>(g.c.data), g.c.row, g.c.column});
}
template <class Arch, class T>
Product product_if_selected() {
  if constexpr (is_selected(scalar_type_v<T>))
    return &one_product<Arch, T>;
  else
    tenon::detail::dtype_left_out(scalar_type_v<T>);
}
template <class Arch>
Product product_of(ScalarType dtype) {
  switch (dtype) {
    case kByte: return product_if_selected<Arch, std::uint8_t>();
    case kChar: return product_if_selected<Arch, std::int8_t>();
    case kShort: return product_if_selected<Arch, std::int16_t>();
    case kInt: return product_if_selected<Arch, std::int32_t>();
    case kLong: return product_if_selected<Arch, std::int64_t>();
    case kHalf: return product_if_selected<Arch, Half>();
    case kBFloat16: return product_if_selected<Arch, BFloat16>();
    case kFloat: return product_if_selected<Arch, float>();
    case kDouble: return product_if_selected<Arch, double>();
    case kComplexFloat: return product_if_selected<Arch, Complex<float>>();
    case kComplexDouble: return product_if_selected<Arch, Complex<double>>();
    default: fail<TypeError>("matrix products are not implemented for dtype ", dtype);
  }
}
/// Several products, which know their dtype only by the size of an element: the code is there once.
template <class Arch>
void gemm_batched(const GemmCall& g, Product product) {
  // One operand for all of them: the rows, or columns, of the others are those of one product.
  GemmCall all = g;
  if (g.b.step == 0 && (g.m == 1 || (g.a.step == g.m * g.a.row && g.c.step == g.m * g.c.row))) {
    if (g.m == 1) all.a.row = g.a.step, all.c.row = g.c.step;
    all.m = g.count * g.m;
    return product(all);
  }
  if (g.a.step == 0 && g.n == 1) {
    all.m = g.count, all.n = g.m;
    all.a = {g.b.data, 0, g.b.step, g.b.row};
    all.b = {g.a.data, 0, g.a.column, g.a.row};
    all.c = {g.c.data, 0, g.c.step, g.c.row};
    return product(all);
  }
  const auto item = static_cast<std::int64_t>(item_size(g.dtype));
  auto some = [&](std::int64_t first, std::int64_t last) {
    GemmCall one = g;
    auto place = [&](GemmCall::Part& to, const GemmCall::Part& from, std::int64_t i) {
      to.data = static_cast<char*>(from.data) + i * from.step * item;
    };
    for (std::int64_t i = first; i < last; ++i) {
      place(one.a, g.a, i), place(one.b, g.b, i), place(one.c, g.c, i);
      product(one);
    }
  };
  // Few large products use the threads one by one, many small ones side by side.
  double work = static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k);
  if (g.count < get_num_threads() && work > 1e6) return some(0, g.count);
  parallel_for(0, g.count, static_cast<std::int64_t>(2e5 / (work + 1)) + 1, some);
}
template <class Arch>
void gemm_entry(const GemmCall& g) {
  Product product = product_of<Arch>(g.dtype);
  g.count == 1 ? product(g) : gemm_batched<Arch>(g, product);
}

}  // namespace detail

template <class Arch>
struct kernel_group<GemmKernels, Arch> {
  static constexpr GemmKernels value{&detail::gemm_entry<Arch>};
};

}  // namespace tenon::cpu
