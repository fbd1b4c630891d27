// Operators, their tables and the dispatcher.
#pragma once

#include <tenon/dispatch/call.hpp>
#include <tenon/dispatch/call_context.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/dispatch/explain.hpp>
#include <tenon/dispatch/facts.hpp>
#include <tenon/dispatch/joiner.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/dispatch/kernel_list.hpp>
#include <tenon/dispatch/left_right.hpp>
#include <tenon/dispatch/module.hpp>
#include <tenon/dispatch/observer.hpp>
#include <tenon/dispatch/operator_entry.hpp>
#include <tenon/dispatch/optional_device_guard.hpp>
#include <tenon/dispatch/readers.hpp>
#include <tenon/dispatch/recorded_errors.hpp>
#include <tenon/dispatch/registration.hpp>
#include <tenon/dispatch/registration_stack.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/dispatch/report.hpp>
#include <tenon/dispatch/table.hpp>
#include <tenon/dispatch/tables.hpp>
#include <tenon/dispatch/trace.hpp>
#include <tenon/dispatch/usual_calls.hpp>
#include <tenon/dispatch/waiting.hpp>
