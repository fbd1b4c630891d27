// Structured kernels: one meta and one kernel give all forms of an operator.
#pragma once

#include <tenon/library/forms.hpp>
#include <tenon/structured/adaptors.hpp>
#include <tenon/structured/function_check.hpp>
#include <tenon/structured/indexing.hpp>
#include <tenon/structured/matrices.hpp>
#include <tenon/structured/outputs.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/promotion.hpp>
#include <tenon/structured/record.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>
