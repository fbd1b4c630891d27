// Tangents of products, sums and rectifiers: what networks consist of.
#pragma once
#include <tenon/func/tangents.hpp>

namespace tenon::func::detail {

void add_product_tangents();

}  // namespace tenon::func::detail
