// Transformations of operator calls.
#include <tenon/transform/bodies/below.hpp>
#include <tenon/transform/bodies/calls.hpp>
#include <tenon/transform/bodies/functional_tensor.hpp>
#include <tenon/transform/bodies/functionalize.hpp>
#include <tenon/transform/bodies/functionalize_fallback.hpp>
#include <tenon/transform/bodies/schema_check.hpp>
#include <tenon/transform/bodies/views.hpp>
#include <tenon/transform/bodies/writes.hpp>
