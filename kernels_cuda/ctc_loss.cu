// Kernels of connectionist temporal classification.
#include <tenon/cuda/ctc_loss.hpp>

namespace tenon::cuda {

namespace {

template <template <class> class Kernel>
bool launch_of_dtype(const CtcCall& c, void* stream) {
  if (c.dtype == kFloat)
    launch<Kernel<float>>(ctc_shape(c), stream, c);
  else if (c.dtype == kDouble)
    launch<Kernel<double>>(ctc_shape(c), stream, c);
  return c.dtype == kFloat || c.dtype == kDouble;
}

}  // namespace

void check_ctc_labels(const CtcCall& c, void* stream) { launch<find_bad_labels>(ctc_shape(c), stream, c); }
bool ctc_loss(const CtcCall& c, void* stream) { return launch_of_dtype<ctc_losses>(c, stream); }
bool ctc_loss_backward(const CtcCall& c, void* stream) { return launch_of_dtype<ctc_slopes>(c, stream); }

}  // namespace tenon::cuda
