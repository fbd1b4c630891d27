// The matcher of arguments: any schema with any values ends with a full stack or a typed error.
#include <cstdlib>

#include <tenon/boxing/match.hpp>
#include <tenon/schema/function_schema.hpp>

#include "values.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  // A line with a schema, then values.
  std::string text(reinterpret_cast<const char*>(data), size);
  std::size_t end = text.find('\n');
  fuzz::Bytes in(data + (end == text.npos ? size : end + 1), end == text.npos ? 0 : size - end - 1);
  try {
    auto schema = schema::FunctionSchema::parse(text.substr(0, end));
    std::vector<Value> positional;
    std::vector<NamedValue> keywords;
    for (int n = in.byte() % 8; n > 0; --n) positional.push_back(fuzz::value(in));
    for (int n = in.byte() % 4; n > 0; --n) {
      std::size_t which = in.byte();
      keywords.push_back(
          {schema->n_args() != 0 && which < 250 ? std::string(schema->arg_name(which % schema->n_args())) : in.text(),
           fuzz::value(in)});
    }
    auto how = in.byte();
    Stack stack =
        match_arguments(schema, positional, keywords, how % 2 ? Conversions::Implicit : Conversions::None,
                        how % 4 < 2 ? schema::KeywordOnly::TakesPosition : schema::KeywordOnly::RefusesPosition);
    if (stack.size() < schema->n_args()) std::abort();
    for (const auto& v : stack) (void)to_string(v);
    // What was matched matches again as it is.
    if (!schema->head->is_vararg)
      (void)match_arguments(schema, std::vector<Value>(stack.begin(), stack.begin() + schema->n_args()), {},
                            Conversions::Implicit);
  } catch (const Error&) {}
  return 0;
}
