// Operators, their tables and the dispatcher.
#pragma once

#include <tenon/dispatch/call.hpp>
#include <tenon/dispatch/operator_entry.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/table.hpp>
#include <tenon/dispatch/trace.hpp>
