// Data sets, samplers, loaders and readers of files; not part of tenon.hpp.
#pragma once

#include <tenon/data/collate.hpp>
#include <tenon/data/csv.hpp>
#include <tenon/data/data_loader.hpp>
#include <tenon/data/dataset.hpp>
#include <tenon/data/gif.hpp>
#include <tenon/data/idx.hpp>
#include <tenon/data/image.hpp>
#include <tenon/data/inflate.hpp>
#include <tenon/data/mapped_file.hpp>
#include <tenon/data/npy.hpp>
#include <tenon/data/png.hpp>
#include <tenon/data/prefetch.hpp>
#include <tenon/data/random.hpp>
#include <tenon/data/sampler.hpp>
#include <tenon/data/stream.hpp>
#include <tenon/data/stream_loader.hpp>
#include <tenon/data/stream_prefetch.hpp>
#include <tenon/data/stream_transform.hpp>
#include <tenon/data/tensor_dataset.hpp>
#include <tenon/data/torch_file.hpp>
#include <tenon/data/torch_save.hpp>
#include <tenon/data/transform.hpp>
