// Kernels of LSTMs.
#include <tenon/cuda/lstm.hpp>

namespace tenon::cuda {
namespace {

template <template <class> class Body>
bool run(const LstmStepCall& c, void* stream) {
  const Shape shape = shape_for(c.rows * c.hidden);
  if (c.dtype == kFloat)
    launch<Body<float>>(shape, stream, c);
  else if (c.dtype == kDouble)
    launch<Body<double>>(shape, stream, c);
  return c.dtype == kFloat || c.dtype == kDouble;
}

}  // namespace

bool lstm_step(const LstmStepCall& c, void* stream) { return run<lstm_cells>(c, stream); }
bool lstm_step_back(const LstmStepCall& c, void* stream) { return run<lstm_cells_back>(c, stream); }

}  // namespace tenon::cuda
