// A number in a checkpoint that could be saved and never loaded.
// expect-error: a number in a checkpoint is a variable that can be loaded
#include <tenon/training/checkpoint.hpp>

void save() {
#ifdef FIXED
  double best = 0.5;
#else
  const double best = 0.5;
#endif
  tenon::training::save_checkpoint("run.safetensors", {{"best", best}});
}
