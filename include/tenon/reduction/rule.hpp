// The rules of reductions: dtype of the result, checks, what elements become before they are reduced. No device.
#pragma once
#include <string_view>

#include <tenon/reduction/shape.hpp>
#include <tenon/structured/outputs.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::reduction {

/// A call of which the reduced dimensions are known, as a rule's check sees it.
template <class Int>
struct Call {
  std::string_view name;
  const Outputs& out;
  const Arguments& arguments;
  std::uint64_t mask;
  const dims_t<Int>& result;  ///< the sizes of the result

  const Tensor& self() const { return arguments.self; }
  ArrayRef<Int> sizes() const { return sizes_of<Int>(arguments.self); }
};

/// Base of the rules, and a rule itself: the result has the input's dtype.
struct same_dtype {
  /// The dtype of the result; the first thing that is asked, so that it may refuse a dtype too.
  static ScalarType result(std::string_view, const Outputs&, const Arguments& a) { return a.self.dtype(); }
  /// What may be wrong with a shape, in the operator's words.
  template <class Int, class... Numbers>
  static void check(const Call<Int>&, const Numbers&...) {}
  /// The dtype that elements are converted to before anything else, from that of the result.
  static ScalarType elements(const Arguments& a, ScalarType) { return a.self.dtype(); }
  /// The dtype in which elements are combined.
  static ScalarType accumulates(ScalarType elements, ScalarType) { return accumulation_dtype(elements); }
  /// Whether an empty list of dimensions reduces none; it means all elsewhere.
  static constexpr bool empty_list_is_none = false;
  /// Whether complex elements count by their absolute values.
  static constexpr bool magnitudes = false;
  static constexpr OutputCast cast = OutputCast::Exact;
};
/// The result is the floating dtype of the input, or of the argument `dtype`; integers count as the default dtype.
struct floating_dtype : same_dtype {
  static ScalarType result(std::string_view, const Outputs&, const Arguments& a) {
    ScalarType t = a.dtype.value_or(a.self.dtype());
    return is_integral_type(t, true) ? get_default_dtype() : t;
  }
  static ScalarType elements(const Arguments& a, ScalarType result) {
    return a.dtype || is_integral_type(a.self.dtype(), true) ? result : a.self.dtype();
  }
};

/// The dtype of a sum of all elements: that asked for, else int64 for bools and integers.
struct sum_of_all : same_dtype {
  static ScalarType result(std::string_view, const Outputs&, const Arguments& a) {
    return a.dtype ? *a.dtype : is_integral_type(a.self.dtype(), true) ? kLong : a.self.dtype();
  }
  // Elements are first what the result is, and then added: it matters where fewer values fit into that dtype. Of bools
  // there are as many as are true, so that a sum into bools tells whether any is.
  static ScalarType elements(const Arguments& a, ScalarType result) {
    bool rounds = result == kBool || is_reduced_floating_type(result) ||
                  (is_integral_type(result, false) && !is_integral_type(a.self.dtype(), true));
    return rounds ? result : a.self.dtype();
  }
  static ScalarType accumulates(ScalarType, ScalarType result) { return accumulation_dtype(result); }
};
/// Of a sum over dimensions: that asked for, else that of the caller's result, else the same.
struct sum_over_dims : sum_of_all {
  static ScalarType result(std::string_view name, const Outputs& out, const Arguments& a) {
    const Tensor& given = out.maybe_get_output();
    return !a.dtype && given.defined() ? given.dtype() : sum_of_all::result(name, out, a);
  }
};
struct of_integers {
  static bool holds(const Arguments& a, ScalarType) { return is_integral_type(a.self.dtype(), true); }
};

/// Extremes have no value for no elements: every reduced dimension must hold some.
template <class Int>
void check_not_empty(std::string_view name, const Tensor& self, std::uint64_t mask, bool listed) {
  if (numel_of<Int>(self) != 0) return;
  TENON_CHECK(
      listed, IndexError, name,
      "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (mask >> d & 1)
      TENON_CHECK(sizes_of<Int>(self)[d] != 0, IndexError, name, "(): Expected reduction dim ", d,
                  " to have non-zero size.");
}
inline void check_ordered(std::string_view name, const Tensor& self) {
  if (self.is_complex()) not_implemented_for(name, self.dtype());
}

/// What a row's rule is to code that serves all rows; constant data. `numbers` are the operator's further arguments.
struct Rule {
  std::string_view name;
  ScalarType (*result)(std::string_view name, const Outputs&, const Arguments&);
  void (*check)(const Call<std::int64_t>&, const void* numbers);
  void (*check_symbolic)(const Call<SymInt>&, const void* numbers);
  ScalarType (*elements)(const Arguments&, ScalarType result);
  ScalarType (*accumulates)(ScalarType elements, ScalarType result);
  bool empty_list_is_none, magnitudes;
  OutputCast cast;

  std::uint64_t mask(const Arguments& a) const { return dim_mask(a.dims, a.self.dim(), empty_list_is_none); }
};

/// The meta function of every row.
template <class Int>
void meta(const Rule& rule, Outputs& out, const Arguments& a, const void* numbers) {
  ScalarType dtype = rule.result(rule.name, out, a);
  std::uint64_t mask = rule.mask(a);
  dims_t<Int> sizes = reduced_sizes(sizes_of<Int>(a.self), mask, a.keepdim);
  Call<Int> call{rule.name, out, a, mask, sizes};
  if constexpr (std::is_same_v<Int, SymInt>)
    rule.check_symbolic(call, numbers);
  else
    rule.check(call, numbers);
  out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, dtype, a.self.device(), rule.cast);
}

}  // namespace tenon::reduction
