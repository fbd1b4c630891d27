// Kernels of connectionist temporal classification.
#include <tenon/cuda/ctc_loss.hpp>

namespace tenon::cuda {

void check_ctc_labels(const CtcCall& c, void* stream) { launch<find_bad_labels>(ctc_shape(c), stream, c); }
bool ctc_loss(const CtcCall& c, void* stream) {
  if (c.dtype == kFloat)
    launch<ctc_losses<float>>(ctc_shape(c), stream, c);
  else if (c.dtype == kDouble)
    launch<ctc_losses<double>>(ctc_shape(c), stream, c);
  return c.dtype == kFloat || c.dtype == kDouble;
}
bool ctc_loss_backward(const CtcCall& c, void* stream) {
  if (c.dtype == kFloat)
    launch<ctc_slopes<float>>(ctc_shape(c), stream, c);
  else if (c.dtype == kDouble)
    launch<ctc_slopes<double>>(ctc_shape(c), stream, c);
  return c.dtype == kFloat || c.dtype == kDouble;
}

}  // namespace tenon::cuda
