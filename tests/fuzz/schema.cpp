// Fuzzes the schema parser: it must not misbehave on any text, and what it accepts must survive printing.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tenon/schema/alias.hpp>
#include <tenon/schema/compatible.hpp>
#include <tenon/schema/derive.hpp>
#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/match.hpp>
#include <tenon/schema/print.hpp>

using namespace tenon::schema;

namespace {

void demand(bool condition, const char* what, const std::string& text) {
  if (condition) return;
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

void check_derived(const FunctionSchema& s, Derived (*derive)(const SchemaView&, char*, std::string_view)) {
  Derived d = derive(s, nullptr, {});
  if (d.why != derivation::ok) return;
  std::string text(d.size, '\0');
  derive(s, text.data(), {});
  try {
    FunctionSchema::parse(text);
  } catch (const tenon::SchemaError& error) {
    // The overload `_` gives `__out`, which no operator may have.
    demand(std::string(error.what()).find("is not a legal overload name") != std::string::npos,
           "derived text does not parse", text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  // A buffer of its own lets the address sanitizer see a read beyond the end.
  std::vector<char> exact(data, data + size);
  std::string_view text(exact.data(), size);
  FunctionSchema s;
  try {
    s = FunctionSchema::parse(text);
  } catch (const tenon::SchemaError&) { return 0; }
  std::string printed = to_string(s);
  FunctionSchema again = FunctionSchema::parse(printed);
  demand(to_string(again) == printed, "printing is not stable", printed);
  demand(s == again && hash(s) == hash(again), "printing changed the schema", printed);
  demand(backward_compatible(again, s).compatible, "not compatible with itself", printed);
  std::vector<std::int16_t> source(s->n_args());
  tenon::schema::bind(s, s->n_args(), nullptr, 0, source.data());
  for (std::size_t i = 0; i < s->n_args(); ++i)
    for (std::size_t j = 0; j < s->n_returns(); ++j)
      demand(!may_alias(s, {Side::Input, i}, {Side::Output, j}) ||
                 may_contain_alias(s, {Side::Input, i}, {Side::Output, j}),
             "aliases without containing an alias", printed);
  check_derived(s, derive_inplace);
  check_derived(s, derive_out);
  return 0;
}
