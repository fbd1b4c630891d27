// Checkpoints, metrics, progress and logs of training; not part of tenon.hpp.
#pragma once

#include <tenon/training/checkpoint.hpp>
#include <tenon/training/metrics.hpp>
#include <tenon/training/progress.hpp>
#include <tenon/training/summary_writer.hpp>
