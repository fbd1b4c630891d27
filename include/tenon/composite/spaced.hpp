// Tensors of evenly spaced numbers, and of powers with such exponents.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/new_tensor.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/spaced_shapes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::composite {

/// An end of the range; numbers come from zero-dim tensors too.
inline const Scalar& end_of_range(const Scalar& s) { return s; }
inline Scalar end_of_range(const Tensor& t) { return t.item(); }
inline std::int64_t dim_of_end(const Scalar&) { return 0; }
inline std::int64_t dim_of_end(const Tensor& t) { return t.dim(); }
template <class A, class B>
void check_range(const char* name, const A& start, const B& end, std::int64_t steps) {
  constexpr bool first = std::is_same_v<A, Tensor>, second = std::is_same_v<B, Tensor>;
  if (dim_of_end(start) != 0 || dim_of_end(end) != 0) {
    if constexpr (first && second)
      fail<ValueError>(name, " only supports 0-dimensional start and end tensors, but got start with ", start.dim(),
                       " dimension(s) and end with ", end.dim(), " dimension(s).");
    else
      fail<ValueError>(name, " only supports 0-dimensional start and end tensors, but got ", first ? "start" : "end",
                       " with ", dim_of_end(start) + dim_of_end(end), " dimension(s).");
  }
  TENON_CHECK(steps >= 0, ValueError, "number of steps must be non-negative");
}
template <class A, class B>
ScalarType type_of_range(const char* name, const A& start, const B& end, std::optional<ScalarType> dtype) {
  if (!start.is_complex() && !end.is_complex()) return dtype.value_or(get_default_dtype());
  ScalarType inferred = to_complex_type(get_default_dtype());
  TENON_CHECK(!dtype || is_complex_type(*dtype), TypeError, "torch.", name, "(): inferred dtype ", inferred,
              " can't be safely cast to passed dtype ", enumerator_name(*dtype));
  return dtype.value_or(inferred);
}

#define TENON_INTERNAL_OPTIONS                                                                 \
  std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device, \
      std::optional<bool> pin_memory
#define TENON_INTERNAL_GIVEN (TensorOptions{dtype, layout, device, pin_memory})

template <class A, class B>
Tensor linspace(const A& start, const B& end, std::int64_t steps, TENON_INTERNAL_OPTIONS) {
  check_range("linspace", start, end, steps);
  Tensor t = composite::empty(steps, TENON_INTERNAL_GIVEN.with(type_of_range("linspace", start, end, dtype)));
  if (t.is_meta()) return t;
  AutoDispatchBelowADInplaceOrView guard;
  return ops::linspace_base_out(end_of_range(start), end_of_range(end), steps, t);
}
template <class A, class B>
Tensor logspace(const A& start, const B& end, std::int64_t steps, double base, TENON_INTERNAL_OPTIONS) {
  check_range("logspace", start, end, steps);
  Tensor t = composite::empty(steps, TENON_INTERNAL_GIVEN.with(type_of_range("logspace", start, end, dtype)));
  if (t.is_meta()) return t;
  AutoDispatchBelowADInplaceOrView guard;
  return ops::logspace_base_out(end_of_range(start), end_of_range(end), steps, base, t);
}

template <class A, class B>
Tensor& linspace_out(const A& start, const B& end, std::int64_t steps, Tensor& out) {
  check_range("linspace", start, end, steps);
  return ops::linspace_base_out(end_of_range(start), end_of_range(end), steps, out);
}
template <class A, class B>
Tensor& logspace_out(const A& start, const B& end, std::int64_t steps, double base, Tensor& out) {
  check_range("logspace", start, end, steps);
  return ops::logspace_base_out(end_of_range(start), end_of_range(end), steps, base, out);
}

inline Tensor& linspace_out_meta(const Scalar&, const Scalar&, std::int64_t steps, Tensor& out) {
  resize_for_steps("linspace_cpu", steps, out);
  return out;
}
inline Tensor& logspace_out_meta(const Scalar&, const Scalar&, std::int64_t steps, double, Tensor& out) {
  resize_for_steps("logspace_cpu", steps, out);
  return out;
}

#undef TENON_INTERNAL_OPTIONS
#undef TENON_INTERNAL_GIVEN

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  using tenon::DispatchKey, tenon::Scalar, tenon::Tensor;
  m.def<ops::linspace_base>().def<ops::linspace_base_out>().def<ops::logspace_base>().def<ops::logspace_base_out>();
  define_forms(m, ops::linspace_Tensor_Tensor);
  define_forms(m, ops::linspace_Tensor_Scalar);
  define_forms(m, ops::linspace_Scalar_Tensor);
  define_forms(m, ops::logspace_Tensor_Tensor);
  define_forms(m, ops::logspace_Tensor_Scalar);
  define_forms(m, ops::logspace_Scalar_Tensor);
  c::select_back_end<ops::linspace_base>(m);
  c::select_back_end<ops::logspace_base>(m);
  m.impl<ops::linspace_base_out, &c::linspace_out_meta>(DispatchKey::Meta);
  m.impl<ops::logspace_base_out, &c::logspace_out_meta>(DispatchKey::Meta);
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  using tenon::Scalar, tenon::Tensor;
  m.impl<ops::linspace_base, &c::linspace<Scalar, Scalar>>()
      .impl<ops::linspace_Tensor_Tensor, &c::linspace<Tensor, Tensor>>()
      .impl<ops::linspace_Tensor_Scalar, &c::linspace<Tensor, Scalar>>()
      .impl<ops::linspace_Scalar_Tensor, &c::linspace<Scalar, Tensor>>()
      .impl<ops::linspace_Tensor_Tensor_out, &c::linspace_out<Tensor, Tensor>>()
      .impl<ops::linspace_Tensor_Scalar_out, &c::linspace_out<Tensor, Scalar>>()
      .impl<ops::linspace_Scalar_Tensor_out, &c::linspace_out<Scalar, Tensor>>();
  m.impl<ops::logspace_base, &c::logspace<Scalar, Scalar>>()
      .impl<ops::logspace_Tensor_Tensor, &c::logspace<Tensor, Tensor>>()
      .impl<ops::logspace_Tensor_Scalar, &c::logspace<Tensor, Scalar>>()
      .impl<ops::logspace_Scalar_Tensor, &c::logspace<Scalar, Tensor>>()
      .impl<ops::logspace_Tensor_Tensor_out, &c::logspace_out<Tensor, Tensor>>()
      .impl<ops::logspace_Tensor_Scalar_out, &c::logspace_out<Tensor, Scalar>>()
      .impl<ops::logspace_Scalar_Tensor_out, &c::logspace_out<Scalar, Tensor>>();
}

namespace tenon::ops {

TENON_NOT_DIFFERENTIABLE(linspace_Tensor_Tensor);
TENON_NOT_DIFFERENTIABLE(linspace_Tensor_Scalar);
TENON_NOT_DIFFERENTIABLE(linspace_Scalar_Tensor);
TENON_NOT_DIFFERENTIABLE(logspace_Tensor_Tensor);
TENON_NOT_DIFFERENTIABLE(logspace_Tensor_Scalar);
TENON_NOT_DIFFERENTIABLE(logspace_Scalar_Tensor);

}  // namespace tenon::ops
