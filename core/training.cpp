// Checkpoints, metrics and logs.
#include <tenon/training/bodies/checkpoint.hpp>
#include <tenon/training/bodies/metrics.hpp>
#include <tenon/training/bodies/progress.hpp>
#include <tenon/training/bodies/summary_writer.hpp>
