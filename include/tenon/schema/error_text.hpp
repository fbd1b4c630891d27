// What a schema error says: the message and a picture of where it is.
#pragma once
#include <string>

#include <tenon/schema/detail/text.hpp>
#include <tenon/schema/type.hpp>

namespace tenon::schema {

/// The message of a failed parse: what is wrong, the line of the text and a mark under the token.
std::string error_text(std::string_view text, const Head& head);

}  // namespace tenon::schema
