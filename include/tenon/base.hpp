// Errors, small containers, element types, scalars and devices.
#pragma once

#include <tenon/base/array_ref.hpp>
#include <tenon/base/atomic.hpp>
#include <tenon/base/body.hpp>
#include <tenon/base/checked_element.hpp>
#include <tenon/base/complex.hpp>
#include <tenon/base/device.hpp>
#include <tenon/base/dim_vector.hpp>
#include <tenon/base/error.hpp>
#include <tenon/base/fixed_string.hpp>
#include <tenon/base/float8.hpp>
#include <tenon/base/half.hpp>
#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/base/owned_ptr.hpp>
#include <tenon/base/place.hpp>
#include <tenon/base/promote_types.hpp>
#include <tenon/base/scalar.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/base/selection.hpp>
#include <tenon/base/shared_object.hpp>
#include <tenon/base/sym_bool.hpp>
#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/base/sym_expr.hpp>
#include <tenon/base/sym_float.hpp>
#include <tenon/base/sym_int.hpp>
#include <tenon/base/warning.hpp>
