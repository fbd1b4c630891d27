// Checkpoints, metrics and logs.
#include <tenon/training/bodies/checkpoint.hpp>
