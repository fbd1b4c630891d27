// Bodies of devices.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/device.hpp>

namespace tenon {

TENON_BODY std::string to_string(Device device) {
  std::string text(to_string(device.type));
  if (device.has_index()) text += ":" + std::to_string(device.index);
  return text;
}

TENON_BODY Device::Device(std::string_view text) {
  auto colon = text.find(':');
  auto name = text.substr(0, colon);
  for (int i = 0; i <= static_cast<int>(DeviceType::PrivateUse1); ++i)
    if (to_string(static_cast<DeviceType>(i)) == name) {
      type = static_cast<DeviceType>(i);
      if (colon == text.npos) return;
      int value = 0;
      bool digits = colon + 1 < text.size() && text.size() - colon <= 4;
      for (char c : text.substr(colon + 1)) {
        digits = digits && c >= '0' && c <= '9';
        value = value * 10 + (c - '0');
      }
      if (!digits || value > 127) break;
      index = static_cast<std::int8_t>(value);
      return;
    }
  fail<ValueError>("invalid device text '", text, "'; expected TYPE or TYPE:INDEX, for example cpu or cuda:0");
}

}  // namespace tenon
