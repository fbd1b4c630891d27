// Where something was registered: the text.
#pragma once
#include <charconv>
#include <string_view>

#include <tenon/base/body.hpp>
#include <tenon/base/place.hpp>

namespace tenon {

TENON_BODY Place::Place(std::string_view words) {
  if (words.empty()) return;
  char* text = new char[words.size() + 1];
  text[words.copy(text, words.size())] = '\0';
  text_ = text;
  owned_ = true;
}

TENON_BODY std::string Place::text() const {
  if (owned_ || !text_) return text_ ? text_ : "";
  char number[12], *end = std::to_chars(number, number + sizeof number, line_).ptr;
  // Of the library's own headers as programs include them, wherever they lay when it was built.
  std::string_view file = text_;
  if (auto at = file.rfind("include/tenon/"); at != file.npos) file.remove_prefix(at + 8);
  std::string_view parts[] = {"registered at ", file, ":", {number, static_cast<std::size_t>(end - number)}};
  std::string out;
  out.reserve(parts[0].size() + parts[1].size() + 1 + parts[3].size());
  for (auto part : parts) out += part;
  return out;
}

}  // namespace tenon
