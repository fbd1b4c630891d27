// Checkpoints, metrics, progress and logs of training; not part of tenon.hpp.
#pragma once

#include <tenon/training/checkpoint.hpp>
