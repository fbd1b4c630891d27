// Checkpoints, metrics, logs and models by name.
#include <tenon/training/bodies/checkpoint.hpp>
#include <tenon/training/bodies/hub.hpp>
#include <tenon/training/bodies/metrics.hpp>
#include <tenon/training/bodies/progress.hpp>
#include <tenon/training/bodies/summary_media.hpp>
#include <tenon/training/bodies/summary_values.hpp>
#include <tenon/training/bodies/summary_writer.hpp>
