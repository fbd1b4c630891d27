// Data sets, samplers and loaders.
#include <tenon/data/bodies/collate.hpp>
#include <tenon/data/bodies/data_loader.hpp>
#include <tenon/data/bodies/prefetch.hpp>
#include <tenon/data/bodies/random.hpp>
#include <tenon/data/bodies/sampler.hpp>
#include <tenon/data/bodies/stream_loader.hpp>
#include <tenon/data/bodies/stream_prefetch.hpp>
#include <tenon/data/bodies/stream_transform.hpp>
#include <tenon/data/bodies/tensor_dataset.hpp>
#include <tenon/data/bodies/transform.hpp>
