// torch.fft: the transforms by name, made of three operators.
#pragma once
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/fft.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

using MaybeSize = const std::optional<SymInt>&;
using MaybeSizes = const std::optional<SymIntArrayRef>&;
using MaybeDims = const std::optional<IntArrayRef>&;
using MaybeText = const std::optional<std::string_view>&;

/// The number of a normalisation: 0 none, 1 by the root of the number of points, 2 by that number.
inline std::int64_t fft_normalization(MaybeText norm, bool forward) {
  if (!norm || *norm == "backward") return forward ? 0 : 2;
  if (*norm == "forward") return forward ? 2 : 0;
  TENON_CHECK(*norm == "ortho", ValueError, "Invalid normalization mode: \"", *norm, "\"");
  return 1;
}
/// Integers become the default dtype; complex numbers if asked for.
inline Tensor fft_promoted(const Tensor& t, bool complex) {
  ScalarType type = t.is_floating_point() || t.is_complex() ? t.dtype() : get_default_dtype();
  TENON_CHECK(!t.device().is_cpu() || (!is_reduced_floating_type(type) && type != kComplexHalf), NotImplementedError,
              "Unsupported dtype ", enumerator_name(type));
  if (complex) type = to_complex_type(type);
  return type == t.dtype() ? t : t.to(type);
}
inline void check_points(const SymInt& n) {
  TENON_CHECK(n >= 1, ValueError, "Invalid number of data points (", n, ") specified");
}
/// Cut or filled up with zeros at the end of the dimensions.
inline Tensor fft_resized(Tensor t, IntArrayRef dims, SymIntArrayRef points) {
  SymDimVector pad(2 * static_cast<std::size_t>(t.dim()), 0);
  bool grows = false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const SymInt size = t.sym_sizes()[static_cast<std::size_t>(dims[i])];
    const SymInt& n = points[i];
    if (known_equal(size, n) || size == n) continue;
    if (n < size) {
      t = ops::slice(t, dims[i], 0, n);
    } else {
      pad[pad.size() - 1 - 2 * static_cast<std::size_t>(dims[i])] = n - size;
      grows = true;
    }
  }
  return grows ? Tensor(ops::constant_pad_nd(t, SymIntArrayRef(pad))) : t;
}
inline Tensor fft_resized(const Tensor& t, std::int64_t dim, const SymInt& n) {
  return fft_resized(t, IntArrayRef{dim}, SymIntArrayRef(&n, 1));
}
inline SymInt fft_length(const Tensor& t, std::int64_t dim) { return t.sym_sizes()[static_cast<std::size_t>(dim)]; }
inline std::int64_t fft_dim(const Tensor& t, std::int64_t dim) {
  TENON_CHECK(t.dim() > 0, IndexError, "Dimension specified as ", dim, " but tensor has no dimensions");
  return wrap_dim(dim, t.dim());
}

// --- one dimension; `out` is null or what the result goes to ---

inline Tensor run_c2c(const Tensor& t, SymIntArrayRef dims, std::int64_t norm, bool forward, Tensor* out) {
  return out ? ops::_fft_c2c(t, dims, norm, forward, "out"_a = *out) : ops::_fft_c2c(t, dims, norm, forward);
}
inline Tensor run_r2c(const Tensor& t, IntArrayRef dims, std::int64_t norm, bool onesided, Tensor* out) {
  return out ? ops::_fft_r2c(t, dims, norm, onesided, "out"_a = *out) : ops::_fft_r2c(t, dims, norm, onesided);
}
inline Tensor run_c2r(const Tensor& t, IntArrayRef dims, std::int64_t norm, const SymInt& last, Tensor* out) {
  return out ? ops::_fft_c2r(t, dims, norm, last, "out"_a = *out) : ops::_fft_c2r(t, dims, norm, last);
}
inline void check_complex_out(const char* name, Tensor* out) {
  TENON_CHECK(!out || out->is_complex(), TypeError, name, " expects a complex output tensor, but got ",
              enumerator_name(out->dtype()));
}
inline void check_real_out(const char* name, Tensor* out) {
  TENON_CHECK(!out || out->is_floating_point(), TypeError, name, " expects a floating point output tensor, but got ",
              enumerator_name(out->dtype()));
}
inline Tensor fft_c2c(const char* name, const Tensor& self, MaybeSize n, std::int64_t dim_given, MaybeText norm,
                      bool forward, Tensor* out) {
  check_complex_out(name, out);
  Tensor t = fft_promoted(self, true);
  std::int64_t dim = fft_dim(t, dim_given), factor = fft_normalization(norm, forward);
  const SymInt points = n ? *n : fft_length(t, dim);
  check_points(points);
  return run_c2c(fft_resized(t, dim, points), SymDimVector{SymInt(dim)}, factor, forward, out);
}
/// Forward, or conjugate as the backward transform of real numbers is.
inline Tensor fft_r2c(const char* name, const Tensor& self, MaybeSize n, std::int64_t dim_given, MaybeText norm,
                      bool forward, bool onesided, Tensor* out) {
  check_complex_out(name, out);
  TENON_CHECK(!self.is_complex(), TypeError, name, " expects a real input tensor, but got ",
              enumerator_name(self.dtype()));
  Tensor t = fft_promoted(self, false);
  std::int64_t dim = fft_dim(t, dim_given), factor = fft_normalization(norm, forward);
  const SymInt points = n ? *n : fft_length(t, dim);
  check_points(points);
  t = fft_resized(t, dim, points);
  if (forward) return run_r2c(t, IntArrayRef{dim}, factor, onesided, out);
  Tensor r = run_r2c(t, IntArrayRef{dim}, factor, onesided, nullptr);
  return out ? Tensor(ops::_conj_physical(r, "out"_a = *out)) : Tensor(ops::conj_physical(r));
}
inline Tensor fft_c2r(const char* name, const Tensor& self, MaybeSize n, std::int64_t dim_given, MaybeText norm,
                      bool forward, Tensor* out) {
  check_real_out(name, out);
  Tensor t = fft_promoted(self, true);
  std::int64_t dim = fft_dim(t, dim_given), factor = fft_normalization(norm, forward);
  const SymInt points = n ? *n : SymInt(2) * (fft_length(t, dim) - SymInt(1));
  check_points(points);
  if (n) t = fft_resized(t, dim, points / SymInt(2) + SymInt(1));
  return run_c2r(forward ? Tensor(ops::conj_physical(t)) : t, IntArrayRef{dim}, factor, points, out);
}
/// The complex transform of what may be real.
inline Tensor fft_any(const char* name, const Tensor& self, MaybeSize n, std::int64_t dim, MaybeText norm, bool forward,
                      Tensor* out) {
  if (self.is_complex()) return fft_c2c(name, self, n, dim, norm, forward, out);
  return fft_r2c(name, self, n, dim, norm, forward, false, out);
}

// --- several dimensions ---

/// The dimensions and how many points each has.
struct FftShape {
  DimVector dims;
  SymDimVector points;
  SymDimVector sym_dims() const { return SymDimVector(dims.begin(), dims.end()); }
  SymDimVector but_last() const { return SymDimVector(dims.begin(), dims.end() - 1); }
};
inline FftShape fft_shape(const Tensor& t, MaybeSizes s, MaybeDims dim) {
  FftShape shape;
  if (dim) {
    for (std::int64_t d : *dim) {
      std::int64_t at = wrap_dim(d, t.dim(), false);
      for (std::int64_t before : shape.dims) TENON_CHECK(before != at, ValueError, "FFT dims must be unique");
      shape.dims.push_back(at);
    }
    TENON_CHECK(!s || s->size() == dim->size(), ValueError,
                "When given, dim and shape arguments must have the same length");
  } else {
    TENON_CHECK(!s || static_cast<std::int64_t>(s->size()) <= t.dim(), ValueError, "Got shape with ", s ? s->size() : 0,
                " values but input tensor only has ", t.dim(), " dimensions.");
    for (std::int64_t d = s ? t.dim() - static_cast<std::int64_t>(s->size()) : 0; d < t.dim(); ++d)
      shape.dims.push_back(d);
  }
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    shape.points.push_back(s && (*s)[i] != -1 ? (*s)[i] : fft_length(t, shape.dims[i]));
    check_points(shape.points.back());
  }
  return shape;
}
/// The same for a result of real numbers: the last size is that of the result.
inline FftShape fft_shape_c2r(const char* name, const Tensor& t, MaybeSizes s, MaybeDims dim, SymInt& last) {
  FftShape shape = fft_shape(t, s, dim);
  TENON_CHECK(!shape.dims.empty(), ValueError, name, " must transform at least one axis");
  last = s && s->back() != -1 ? s->back() : SymInt(2) * (fft_length(t, shape.dims.back()) - SymInt(1));
  check_points(last);
  shape.points.back() = last / SymInt(2) + SymInt(1);
  return shape;
}
inline Tensor fft_resized(const Tensor& t, const FftShape& shape) {
  return fft_resized(t, IntArrayRef(shape.dims), SymIntArrayRef(shape.points));
}
inline Tensor fftn_c2c(const char* name, const Tensor& self, MaybeSizes s, MaybeDims dim, MaybeText norm, bool forward,
                       Tensor* out) {
  check_complex_out(name, out);
  FftShape shape = fft_shape(self, s, dim);
  Tensor t = fft_resized(fft_promoted(self, true), shape);
  return run_c2c(t, shape.sym_dims(), fft_normalization(norm, forward), forward, out);
}
inline Tensor rfftn(const Tensor& self, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
  check_complex_out("rfftn", out);
  TENON_CHECK(!self.is_complex(), TypeError, "rfftn expects a real-valued input tensor, but got ",
              enumerator_name(self.dtype()));
  FftShape shape = fft_shape(self, s, dim);
  TENON_CHECK(!shape.dims.empty(), ValueError, "rfftn must transform at least one axis");
  return run_r2c(fft_resized(fft_promoted(self, false), shape), shape.dims, fft_normalization(norm, true), true, out);
}
inline Tensor irfftn(const Tensor& self, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
  check_real_out("irfftn", out);
  SymInt last = 0;
  FftShape shape = fft_shape_c2r("irfftn", self, s, dim, last);
  Tensor t = fft_resized(fft_promoted(self, true), shape);
  return run_c2r(t, shape.dims, fft_normalization(norm, false), last, out);
}
inline Tensor hfftn(const Tensor& self, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
  check_real_out("hfftn", out);
  SymInt last = 0;
  FftShape shape = fft_shape_c2r("hfftn", self, s, dim, last);
  Tensor t = fft_resized(fft_promoted(self, true), shape);
  const std::int64_t factor = fft_normalization(norm, true);
  if (shape.dims.size() > 1) t = run_c2c(t, shape.but_last(), factor, true, nullptr);
  return run_c2r(ops::conj_physical(t), IntArrayRef{shape.dims.back()}, factor, last, out);
}
inline Tensor ihfftn(const Tensor& self, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
  check_complex_out("ihfftn", out);
  TENON_CHECK(!self.is_complex(), TypeError,
              "Only supports floating-point dtypes, but found: ", enumerator_name(self.dtype()));
  FftShape shape = fft_shape(self, s, dim);
  TENON_CHECK(!shape.dims.empty(), ValueError, "ihfftn must transform at least one axis");
  if (out && shape.dims.size() == 1) return *out;  // PyTorch leaves `out` as it was then, as its recorded answers say
  Tensor t = fft_resized(fft_promoted(self, false), shape);
  const std::int64_t factor = fft_normalization(norm, false);
  t = ops::conj_physical(run_r2c(t, IntArrayRef{shape.dims.back()}, factor, true, nullptr));
  return shape.dims.size() > 1 ? run_c2c(t, shape.but_last(), factor, false, out) : t;
}

// --- half a turn ---

inline Tensor shifted(const Tensor& self, MaybeDims dim, bool back) {
  DimVector dims(dim ? *dim : IntArrayRef());
  if (!dim)
    for (std::int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  if (dims.empty()) return ops::clone(self);
  SymDimVector by;
  for (std::int64_t d : dims) {
    const SymInt n = self.sym_sizes()[static_cast<std::size_t>(wrap_dim(d, self.dim(), false))];
    by.push_back(back ? (n + SymInt(1)) / SymInt(2) : n / SymInt(2));
  }
  return ops::roll(self, SymIntArrayRef(by), dims);
}
inline Tensor fftshift(const Tensor& self, std::optional<IntArrayRef> dim) { return shifted(self, dim, false); }
inline Tensor ifftshift(const Tensor& self, std::optional<IntArrayRef> dim) { return shifted(self, dim, true); }

// --- frequencies ---

inline void check_frequencies(const char* name, ScalarType type) {
  TENON_CHECK(is_floating_type(type) || is_complex_type(type), TypeError, name,
              " requires a floating point or complex dtype");
}
inline Tensor& fftfreq_out(std::int64_t n, double d, Tensor& out) {
  check_frequencies("fftfreq", out.dtype());
  AutoDispatchBelowADInplaceOrView guard;
  ops::arange(Scalar(n), "out"_a = out);
  Tensor behind = ops::slice(out, 0, (n + 1) / 2);
  ops::arange(Scalar(-(n / 2)), Scalar(0), Scalar(1), "out"_a = behind);
  return ops::mul_(out, Scalar(1.0 / (static_cast<double>(n) * d)));
}
inline Tensor& rfftfreq_out(std::int64_t n, double d, Tensor& out) {
  check_frequencies("rfftfreq", out.dtype());
  AutoDispatchBelowADInplaceOrView guard;
  ops::arange(Scalar(n / 2 + 1), "out"_a = out);
  return ops::mul_(out, Scalar(1.0 / (static_cast<double>(n) * d)));
}
inline Tensor fftfreq(std::int64_t n, double d, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory) {
  check_frequencies("fftfreq", dtype.value_or(get_default_dtype()));
  Tensor out = composite::empty(SymDimVector{SymInt(n)}, {dtype, layout, device, pin_memory});
  return fftfreq_out(n, d, out);
}
inline Tensor rfftfreq(std::int64_t n, double d, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory) {
  check_frequencies("rfftfreq", dtype.value_or(get_default_dtype()));
  Tensor out = composite::empty(SymDimVector{SymInt(n / 2 + 1)}, {dtype, layout, device, pin_memory});
  return rfftfreq_out(n, d, out);
}

// --- registration ---

/// Registers a function `F(arguments.., Tensor* out)` as an operator and as its out form.
template <class Op, class F, class Sig = signature_of_t<Op>>
struct FftForms;
template <class Op, class F, class... A>
struct FftForms<Op, F, Tensor(A...)> {
  static Tensor plain(A... a) { return F{}(a..., nullptr); }
  static Tensor& into(A... a, Tensor& out) {
    F{}(a..., &out);
    return out;
  }
  TENON_COLD static void add(Library& m) {
    m.def<Op{}>().template def<typename Op::out{}>();
    m.impl<Op{}, &plain>().template impl<typename Op::out{}, &into>();
  }
};

TENON_LIBRARY_FRAGMENT(aten, m) {
  auto line = [&]<class Op, class F>(Op, F) { FftForms<Op, F>::add(m); };
  line(ops::fft_fft_base, [](const Tensor& t, MaybeSize n, std::int64_t dim, MaybeText norm, Tensor* out) {
    return fft_any("fft", t, n, dim, norm, true, out);
  });
  line(ops::fft_ifft_base, [](const Tensor& t, MaybeSize n, std::int64_t dim, MaybeText norm, Tensor* out) {
    return fft_any("ifft", t, n, dim, norm, false, out);
  });
  line(ops::fft_rfft_base, [](const Tensor& t, MaybeSize n, std::int64_t dim, MaybeText norm, Tensor* out) {
    return fft_r2c("rfft", t, n, dim, norm, true, true, out);
  });
  line(ops::fft_irfft_base, [](const Tensor& t, MaybeSize n, std::int64_t dim, MaybeText norm, Tensor* out) {
    return fft_c2r("irfft", t, n, dim, norm, false, out);
  });
  line(ops::fft_hfft_base, [](const Tensor& t, MaybeSize n, std::int64_t dim, MaybeText norm, Tensor* out) {
    return fft_c2r("hfft", t, n, dim, norm, true, out);
  });
  line(ops::fft_ihfft_base, [](const Tensor& t, MaybeSize n, std::int64_t dim, MaybeText norm, Tensor* out) {
    return fft_r2c("ihfft", t, n, dim, norm, false, true, out);
  });
  // Those of two dimensions differ in their defaults alone.
  auto planes = [&]<class Two, class Any, class F>(Two two, Any any, F f) {
    line(two, f);
    line(any, f);
  };
  planes(ops::fft_fft2_base, ops::fft_fftn_base,
         [](const Tensor& t, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
           return fftn_c2c("fftn", t, s, dim, norm, true, out);
         });
  planes(ops::fft_ifft2_base, ops::fft_ifftn_base,
         [](const Tensor& t, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
           return fftn_c2c("ifftn", t, s, dim, norm, false, out);
         });
  planes(ops::fft_rfft2_base, ops::fft_rfftn_base,
         [](const Tensor& t, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
           return rfftn(t, s, dim, norm, out);
         });
  planes(ops::fft_irfft2_base, ops::fft_irfftn_base,
         [](const Tensor& t, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
           return irfftn(t, s, dim, norm, out);
         });
  planes(ops::fft_hfft2_base, ops::fft_hfftn_base,
         [](const Tensor& t, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
           return hfftn(t, s, dim, norm, out);
         });
  planes(ops::fft_ihfft2_base, ops::fft_ihfftn_base,
         [](const Tensor& t, MaybeSizes s, MaybeDims dim, MaybeText norm, Tensor* out) {
           return ihfftn(t, s, dim, norm, out);
         });
  m.def<ops::fft_fftshift_base>().def<ops::fft_ifftshift_base>();
  m.impl<ops::fft_fftshift_base, &fftshift>().impl<ops::fft_ifftshift_base, &ifftshift>();
  m.def<ops::fft_fftfreq_base>().def<ops::fft_fftfreq_base_out>();
  m.def<ops::fft_rfftfreq_base>().def<ops::fft_rfftfreq_base_out>();
  m.impl<ops::fft_fftfreq_base, &fftfreq>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::fft_fftfreq_base_out, &fftfreq_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::fft_rfftfreq_base, &rfftfreq>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::fft_rfftfreq_base_out, &rfftfreq_out>(DispatchKey::CompositeExplicitAutograd);
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) { select_back_end<ops::fft_fftfreq_base, ops::fft_rfftfreq_base>(m); }

}  // namespace tenon::composite
