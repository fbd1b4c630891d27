// Declaring operators and registering kernels.
#pragma once

#include <tenon/library/binding.hpp>
#include <tenon/library/declaration.hpp>
#include <tenon/library/default_device.hpp>
#include <tenon/library/diagnostics.hpp>
#include <tenon/library/explain.hpp>
#include <tenon/library/factory_options.hpp>
#include <tenon/library/forms.hpp>
#include <tenon/library/function.hpp>
#include <tenon/library/keyword.hpp>
#include <tenon/library/library.hpp>
#include <tenon/library/naming.hpp>
#include <tenon/library/on_device.hpp>
#include <tenon/library/operator.hpp>
#include <tenon/library/operators.hpp>
#include <tenon/library/options.hpp>
#include <tenon/library/pack.hpp>
#include <tenon/library/result_names.hpp>
#include <tenon/library/results.hpp>
#include <tenon/library/selection.hpp>
