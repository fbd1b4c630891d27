// What operators take: profiles of scopes, as tables, traces and pictures.
#pragma once

#include <tenon/profiler/chrome_trace.hpp>
#include <tenon/profiler/flame_graph.hpp>
#include <tenon/profiler/memory.hpp>
#include <tenon/profiler/memory_reporter.hpp>
#include <tenon/profiler/options.hpp>
#include <tenon/profiler/perfetto_trace.hpp>
#include <tenon/profiler/profile.hpp>
#include <tenon/profiler/profiler.hpp>
#include <tenon/profiler/schedule.hpp>
#include <tenon/profiler/table.hpp>
