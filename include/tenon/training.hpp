// Checkpoints, metrics, progress, logs and models by name; not part of tenon.hpp.
#pragma once

#include <tenon/training/checkpoint.hpp>
#include <tenon/training/hub.hpp>
#include <tenon/training/metrics.hpp>
#include <tenon/training/progress.hpp>
#include <tenon/training/summary_media.hpp>
#include <tenon/training/summary_values.hpp>
#include <tenon/training/summary_writer.hpp>
