// Names that a module has not.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/nn/lookup.hpp>

namespace tenon::nn::detail {

TENON_COLD_BODY void nothing_called(const char* function, const char* kind, std::string_view name) {
  fail<ValueError>(function, ": the module has no ", kind, " called '", name, "'");
}
TENON_COLD_BODY void part_of_another_type(std::string_view name) {
  fail<TypeError>("get_submodule(): the part called '", name, "' is of another type than the one asked for");
}

}  // namespace tenon::nn::detail
