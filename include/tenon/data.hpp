// Data sets, samplers, loaders and readers of files; not part of tenon.hpp.
#pragma once

#include <tenon/data/collate.hpp>
#include <tenon/data/data_loader.hpp>
#include <tenon/data/dataset.hpp>
#include <tenon/data/prefetch.hpp>
#include <tenon/data/random.hpp>
#include <tenon/data/sampler.hpp>
#include <tenon/data/tensor_dataset.hpp>
#include <tenon/data/transform.hpp>
