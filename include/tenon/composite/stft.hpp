// Transforms of pieces of a signal: its spectrum over time, and the signal from that.
#pragma once
#include <tenon/base/warning.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/fft.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/signal.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// The lengths of a transform of pieces, checked by both directions.
struct Pieces {
  std::int64_t points, hop, window;
  Tensor shape;  ///< of the window; undefined for a rectangle
  Pieces(std::int64_t n_fft, std::optional<std::int64_t> hop_length, std::optional<std::int64_t> win_length,
         const std::optional<Tensor>& given)
      : points(n_fft), hop(hop_length.value_or(n_fft / 4)), window(win_length.value_or(n_fft)) {
    if (given) shape = *given;
  }
  std::int64_t before() const { return (points - window) / 2; }
  std::int64_t behind() const { return points - window - before(); }
  /// The window with zeros up to the points of a transform.
  Tensor filled(const Tensor& ones) const {
    Tensor w = shape.defined() ? shape : ones;
    return window == points ? w : Tensor(ops::constant_pad_nd(w, {before(), behind()}, 0));
  }
  void check_window(const char* name) const {
    TENON_CHECK(!shape.defined() || (shape.dim() == 1 && shape.size(0) == window), ValueError, name,
                ": expected a 1D window tensor of size equal to win_length=", window, ", but got window with size ",
                shape.sym_sizes());
  }
};
inline void check_stft_devices(const char* name, const Tensor& self, const Pieces& p) {
  TENON_CHECK(!p.shape.defined() || p.shape.device() == self.device(), ValueError, name,
              " input and window must be on the same device but got self on ", self.device(), " and window on ",
              p.shape.device());
}

inline Tensor stft_center(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                          std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool center,
                          std::string_view pad_mode, bool normalized, std::optional<bool> onesided,
                          std::optional<bool> return_complex, std::optional<bool> align_to_window) {
  TENON_CHECK(!center || !align_to_window, ValueError, "stft only supports align_to_window for center = false.");
  Pieces p(n_fft, hop_length, win_length, window);
  check_stft_devices("stft", self, p);
  bool complex_window = p.shape.defined() && p.shape.is_complex();
  TENON_CHECK(
      return_complex || self.is_complex() || complex_window, ValueError,
      "stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.");
  TENON_CHECK(self.is_floating_point() || self.is_complex(), TypeError,
              "stft: expected a tensor of floating point or complex values, got ", self.dtype());
  TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError, "stft: expected a 1D or 2D tensor, got shape ",
              self.sym_sizes());
  Tensor input = self.dim() == 1 ? Tensor(ops::unsqueeze(self, 0)) : self;
  if (center) {
    std::int64_t half = n_fft / 2;
    input = ops::squeeze(ops::pad(ops::unsqueeze(input, 0), {half, half}, pad_mode), 0);
  }
  SymInt length = input.sym_size(1);
  TENON_CHECK(n_fft > 0 && length >= n_fft, ValueError, "stft: expected 0 < n_fft < ", length,
              ", but got n_fft=", n_fft);
  TENON_CHECK(p.hop > 0, ValueError, "stft: expected hop_length > 0, but got hop_length=", p.hop);
  TENON_CHECK(p.window > 0 && p.window <= n_fft, ValueError,
              "stft: expected 0 < win_length <= n_fft, but got win_length=", p.window);
  p.check_window("stft");
  // The first piece begins with the window, not with the points in front of it.
  if (align_to_window.value_or(false)) input = ops::constant_pad_nd(input, {p.before(), p.behind()}, 0);
  Tensor pieces = ops::unfold(input, 1, n_fft, p.hop);
  if (p.shape.defined() || p.window < n_fft)
    pieces = pieces * p.filled(p.shape.defined() ? Tensor() : Tensor(ops::new_ones(self, {p.window})));
  bool complex = pieces.is_complex(), half = onesided.value_or(!complex);
  TENON_CHECK(!complex || !half, ValueError, "Cannot have onesided output if window or input is complex");
  std::int64_t norm = normalized ? 1 : 0;
  Tensor out =
      complex ? Tensor(ops::_fft_c2c(pieces, {2}, norm, true)) : Tensor(ops::_fft_r2c(pieces, {2}, norm, half));
  out = ops::transpose(out, 1, 2);
  if (self.dim() == 1) out = ops::squeeze(out, 0);
  return return_complex.value_or(true) ? out : Tensor(ops::view_as_real(out));
}
inline Tensor stft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                   std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool normalized,
                   std::optional<bool> onesided, std::optional<bool> return_complex,
                   std::optional<bool> align_to_window) {
  return ops::stft(self, n_fft, hop_length, win_length, window, false, "constant", normalized, onesided, return_complex,
                   align_to_window);
}

inline Tensor istft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                    std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool center,
                    bool normalized, std::optional<bool> onesided, std::optional<std::int64_t> length,
                    bool return_complex) {
  Pieces p(n_fft, hop_length, win_length, window);
  check_stft_devices("istft", self, p);
  TENON_CHECK(self.is_complex(), TypeError,
              "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  TENON_CHECK(self.dim() == 2 || self.dim() == 3, ValueError,
              "istft: expected a complex tensor with 2 or 3 dimensions, but got ", self.dim());
  SymInt bins = self.sym_size(-2), frames = self.sym_size(-1);
  TENON_CHECK(self.sym_numel() != 0, ValueError, "istft: input tensor cannot be empty.");
  bool half = onesided.value_or(bins != n_fft);
  std::int64_t expected_bins = half ? n_fft / 2 + 1 : n_fft;
  TENON_CHECK(bins == expected_bins, ValueError,
              "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft",
              half ? " / 2 + 1 when onesided=True" : " when onesided=False", ", but got ", bins);
  TENON_CHECK(p.hop > 0 && p.hop <= p.window, ValueError, "istft: expected 0 < hop_length <= win_length");
  TENON_CHECK(p.window > 0 && p.window <= n_fft, ValueError, "istft: expected 0 < win_length <= n_fft");
  TENON_CHECK(!p.shape.defined() || (p.shape.dim() == 1 && p.shape.size(0) == p.window), ValueError,
              "istft: Invalid window shape. window has to be 1D and length of `win_length`");
  Tensor weights =
      p.filled(p.shape.defined() ? Tensor() : Tensor(ops::new_ones(self, {p.window}, to_real_type(self.dtype()))));
  Tensor input = ops::transpose(self.dim() == 2 ? Tensor(ops::unsqueeze(self, 0)) : self, 1, 2);
  std::int64_t norm = normalized ? 1 : 2;
  if (return_complex) {
    TENON_CHECK(!half, ValueError, "Cannot have onesided output if window or input is complex");
    input = ops::_fft_c2c(input, {2}, norm, false);
  } else {
    TENON_CHECK(!weights.is_complex(), TypeError, "Complex windows are incompatible with return_complex=False");
    if (!half) input = ops::slice(input, -1, 0, n_fft / 2 + 1);
    input = ops::_fft_c2r(input, {2}, norm, n_fft);
  }
  // Pieces that overlap are added, and divided by what their windows' squares add up to.
  SymInt total = (frames - 1) * p.hop + n_fft, rows = input.sym_size(0);
  Tensor squares = ops::expand(weights * weights, SymIntArrayRef{SymInt(1), frames, SymInt(n_fft)});
  Tensor signal = ops::unfold_backward(input * weights, SymIntArrayRef{rows, total}, 1, n_fft, p.hop);
  Tensor envelope = ops::unfold_backward(squares, SymIntArrayRef{SymInt(1), total}, 1, n_fft, p.hop);
  SymInt start = center ? n_fft / 2 : 0, end = length ? start + *length : center ? total - n_fft / 2 : total;
  signal = ops::slice(signal, 1, start, end);
  envelope = ops::slice(envelope, 1, start, end);
  if (!envelope.is_meta())
    TENON_CHECK(
        !ops::any(ops::lt(ops::abs(envelope), 1e-11)).item<bool>(), ValueError,
        "istft: the squares of the windows that overlap add up to 0 at a place of the signal: window overlap add min: 1");
  signal = signal / envelope;
  if (self.dim() == 2) signal = ops::squeeze(signal, 0);
  if (end > total) {
    warn(
        "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. Please check your center and hop_length settings.");
    SymInt padding[] = {SymInt(0), end - total};
    signal = ops::constant_pad_nd(signal, SymIntArrayRef(padding), 0);
  }
  return signal;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::stft_base>().def<ops::stft_center>().def<ops::istft_base>();
  m.impl<ops::stft_base, &stft>().impl<ops::stft_center, &stft_center>().impl<ops::istft_base, &istft>();
}

}  // namespace tenon::composite
