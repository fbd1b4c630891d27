// Storage, the tensor handle and the geometry of views.
#pragma once

#include <tenon/tensor/accessor.hpp>
#include <tenon/tensor/allocator.hpp>
#include <tenon/tensor/blocks.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/device_of.hpp>
#include <tenon/tensor/devices_allocator.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/geometry.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/tensor/optional_tensor_ref.hpp>
#include <tenon/tensor/overlap.hpp>
#include <tenon/tensor/short_view.hpp>
#include <tenon/tensor/storage.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tensor/tensor_index.hpp>
#include <tenon/tensor/tensor_options.hpp>
#include <tenon/tensor/type_info.hpp>
#include <tenon/tensor/view_geometry.hpp>
