// Operator schemas: parsing, printing, comparing.
#pragma once

#include <tenon/schema/alias.hpp>
#include <tenon/schema/annotation.hpp>
#include <tenon/schema/compare.hpp>
#include <tenon/schema/compatible.hpp>
#include <tenon/schema/default_value.hpp>
#include <tenon/schema/derive.hpp>
#include <tenon/schema/derive_view.hpp>
#include <tenon/schema/error_text.hpp>
#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/match.hpp>
#include <tenon/schema/parse.hpp>
#include <tenon/schema/print.hpp>
#include <tenon/schema/reason.hpp>
#include <tenon/schema/symbols.hpp>
#include <tenon/schema/type.hpp>
#include <tenon/schema/type_variables.hpp>
#include <tenon/schema/view.hpp>
