// Their rows, compiled once per instruction set: this file holds nothing else.
#include <tenon/cpu/rows.hpp>

#include "mine.hpp"

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

namespace mine {

TENON_COMPUTES(swish_base, tenon::over::fast_float, (self), (beta), (self * math::sigmoid(decltype(self)(beta) * self)),
               promote<IntToFloat>, derived);
// For which set a loop was compiled.
TENON_COMPUTES(lanes_base, tenon::over::floating, (self), (), (self - self + decltype(self)(LANES)),
               not_differentiable);

}  // namespace mine
