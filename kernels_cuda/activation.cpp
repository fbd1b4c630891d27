// Registers activations that are no rows on CUDA.
#include <tenon/composite/glu.hpp>

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(glu_base, CUDA, &composite::glu);

}  // namespace tenon::ops
