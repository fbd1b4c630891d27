// Tensors: memory, geometry, results of operators, the signs of C++ between them, and tensors from numbers.
#include <tenon/ops/bodies/operators.hpp>
#include <tenon/ops/bodies/tensor_of.hpp>
#include <tenon/structured/bodies/outputs.hpp>
#include <tenon/structured/bodies/pointwise.hpp>
#include <tenon/structured/bodies/promotion.hpp>
#include <tenon/structured/bodies/structured.hpp>
#include <tenon/tensor/bodies/allocator.hpp>
#include <tenon/tensor/bodies/blocks.hpp>
#include <tenon/tensor/bodies/create.hpp>
#include <tenon/tensor/bodies/default_dtype.hpp>
#include <tenon/tensor/bodies/generator.hpp>
#include <tenon/tensor/bodies/geometry.hpp>
#include <tenon/tensor/bodies/overlap.hpp>
#include <tenon/tensor/bodies/storage.hpp>
#include <tenon/tensor/bodies/symbolic.hpp>
#include <tenon/tensor/bodies/tensor.hpp>
#include <tenon/tensor/bodies/view_geometry.hpp>
