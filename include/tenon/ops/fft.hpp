// Discrete Fourier transforms: torch.fft.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace fft_family {

TENON_OPERATORS_OUT(_fft_c2c, "aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor");
TENON_OPERATORS_OUT(_fft_r2c,
                    (base, "aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor",
                     Tag::core));
TENON_OPERATORS_OUT(_fft_c2r,
                    (base, "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
                     Tag::core));

TENON_OPERATORS_OUT(fft_fft, "aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_fft2,
                    "aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_fftn,
                    "aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_ifft, "aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_ifft2,
                    "aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_ifftn,
                    "aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_rfft, "aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_rfft2,
                    "aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_rfftn,
                    "aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_irfft, "aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_irfft2,
                    "aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_irfftn,
                    "aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_hfft, "aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_hfft2,
                    "aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_hfftn,
                    "aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_ihfft, "aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_ihfft2,
                    "aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor");
TENON_OPERATORS_OUT(fft_ihfftn,
                    "aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor");

TENON_OPERATORS_PLAIN(fft_fftshift, "aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor");
TENON_OPERATORS_PLAIN(fft_ifftshift, "aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor");
TENON_OPERATORS_OUT(
    fft_fftfreq,
    "aten::fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATORS_OUT(
    fft_rfftfreq,
    "aten::fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");

}  // namespace fft_family
}  // namespace tenon::ops
