// What a parametrization must not do.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/parametrize.hpp>

namespace tenon::nn {

TENON_COLD_BODY void detail::parametrized_shape(std::string_view name, IntArrayRef expected, IntArrayRef got) {
  fail<ValueError>("A parametrization may not change the shape of '", name, "': expected ", expected, ", got ", got);
}

}  // namespace tenon::nn
