// Body of the device check.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/library/on_device.hpp>

namespace tenon::detail {

TENON_COLD_BODY void device_mismatch(std::string_view op, std::string_view argument, Device found, Device expected) {
  fail<ValueError>("Expected all tensors to be on the same device, but got ", argument, " is on ", found,
                   ", different from other tensors on ", expected, " (when checking argument in method ", op, ")");
}

}  // namespace tenon::detail
