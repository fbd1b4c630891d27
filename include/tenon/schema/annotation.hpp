// The annotation of an argument or a return as a whole, and the argument that a result views or is.
#pragma once
#include <tenon/schema/alias.hpp>

namespace tenon::schema {

/// The annotation of an argument or a return, also of the elements of an optional or a list.
struct Annotation {
  AliasSet names = 0;
  bool write = false;
};
inline Annotation annotation(const SchemaView& s, const Argument& a) {
  const TypeNode* node = &s.type(a);
  while (!node->has_alias && node->child >= 0) node = &s.node(node->child);
  return node->has_alias ? Annotation{node->before & ~wildcard_alias, node->write || a.write} : Annotation{0, a.write};
}
/// The argument whose memory a result shares without its being written, or -1.
inline int viewed_argument(const SchemaView& s) {
  AliasSet results = 0;
  for (std::size_t i = 0; i < s.n_returns(); ++i)
    if (auto a = annotation(s, s.ret(i)); !a.write) results |= a.names;
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (auto a = annotation(s, s.arg(i)); !a.write && (a.names & results) != 0) return static_cast<int>(i);
  return -1;
}
/// The argument whose written memory a result is, or -1.
inline int written_argument(const SchemaView& s, std::size_t result) {
  const AliasSet names = annotation(s, s.ret(result)).names;
  for (std::size_t i = 0; names != 0 && i < s.n_args(); ++i)
    if (auto a = annotation(s, s.arg(i)); a.write && (a.names & names) != 0) return static_cast<int>(i);
  return -1;
}

}  // namespace tenon::schema
