// The windows that cut a signal into pieces, and the transforms of those.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace signal_family {

TENON_OPERATORS_OUT(
    hann_window,
    (base,
     "aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic,
     "aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    bartlett_window,
    (base,
     "aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic,
     "aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    blackman_window,
    (base,
     "aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic,
     "aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    hamming_window,
    (base,
     "aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic,
     "aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic_alpha,
     "aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic_alpha_beta,
     "aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    kaiser_window,
    (base,
     "aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (periodic,
     "aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})),
    (beta,
     "aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    stft,
    (base,
     "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
     with_method),
    (center,
     "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
     with_method));
TENON_OPERATORS_PLAIN(
    istft,
    (base,
     "aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor",
     with_method));

}  // namespace signal_family
}  // namespace tenon::ops
