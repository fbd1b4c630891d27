// The part of the parser that reads types and their alias annotations.
#pragma once
#include <tenon/schema/detail/scanner.hpp>
#include <tenon/schema/detail/words.hpp>

namespace tenon::schema {

/// Whether a lower-case word that names no type is a type variable.
enum class TypeVariables : std::uint8_t {
  ByNamespace,  ///< only in operators of `aten::` and `prim::`
  Allow,
  Refuse,
};

/// Upper bounds for the descriptors of a schema.
struct Counts {
  std::size_t args = 0, returns = 0, types = 0;
};

namespace detail {

inline constexpr int max_type_depth = 32;
inline constexpr int max_extra_names = 37;

struct TypeParser : Scanner {
  TypeNode* types = nullptr;
  Counts room{};
  TypeVariables type_variables = TypeVariables::ByNamespace;
  struct Name {
    std::uint16_t offset, length;
  };
  Name extra[max_extra_names];  // the first extra_names are set
  int extra_names = 0;

  constexpr const TypeNode& node(int index) const { return node_at(types, index); }
  constexpr int add_node(Kind kind) {
    if (head.n_types >= room.types || head.n_types == first_word_node) {
      fail(reason::text_too_long, at);
      return -1;
    }
    int index = head.n_types++;
    types[index] = TypeNode{};
    types[index].kind = kind;
    return index;
  }

  constexpr bool alias_name(AliasSet& set) {
    skip();
    if (peek() == '*') {
      ++at;
      set |= wildcard_alias;
      return true;
    }
    std::size_t n = word_length();
    if (n == 0) return fail(reason::alias_set_expected, at);
    int bit = 0;
    if (n == 1 && text[at] >= 'a' && text[at] <= 'z') {
      bit = text[at] - 'a';
    } else {
      int i = 0;
      while (i < extra_names && !(extra[i].length == n && equal(text + extra[i].offset, text + at, n))) ++i;
      if (i == extra_names) {
        if (extra_names == max_extra_names) return fail(reason::too_many_alias_names, at);
        extra[extra_names++] = {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(n)};
      }
      bit = 26 + i;
    }
    at += n;
    if ((set & wildcard_alias) == 0) set |= AliasSet{1} << bit;
    return true;
  }
  constexpr bool alias_set(AliasSet& set) {
    do {
      if (!alias_name(set)) return false;
    } while (eat('|'));
    return true;
  }
  // ( a|b ! -> c|* ), or a bare ! that stands for a set of its own
  [[gnu::always_inline]] constexpr bool alias(TypeNode& node) {
    skip();
    return (peek() != '!' && peek() != '(') || annotation(node);
  }
  constexpr bool annotation(TypeNode& node) {
    if (peek() == '!') {
      ++at;
      node.has_alias = node.write = true;
      skip();
      return true;
    }
    std::size_t begin = ++at;
    ++open;
    node.has_alias = true;
    node.write = false;
    if (!alias_set(node.before)) return false;
    node.after = node.before;
    if (eat('!')) node.write = true;
    skip();
    if (peek() == '-' && peek(1) == '>') {
      at += 2;
      node.after = 0;
      if (!alias_set(node.after)) return false;
    }
    skip();
    node.alias_offset = static_cast<std::uint16_t>(begin);
    node.alias_length = static_cast<std::uint16_t>(at - begin);
    if (!eat(')')) return fail(reason::close_parenthesis_expected);
    --open;
    skip();
    return true;
  }

  constexpr bool may_be_variable(std::size_t from) const {
    if (text[from] < 'a' || text[from] > 'z') return false;
    if (type_variables != TypeVariables::ByNamespace) return type_variables == TypeVariables::Allow;
    const char* name = text + head.name_offset;
    return head.namespace_length == 4 && (equal(name, "aten", 4) || equal(name, "prim", 4));
  }

  // `(` types `)` as the children of `parent`; `least` and `most` bound their number (-1: no bound)
  [[gnu::noinline]] constexpr bool children(int parent, int depth, int least, int most) {
    if (!eat('(')) return fail(reason::open_parenthesis_expected);
    ++open;
    int n = 0, last = -1;
    if (skip(); !(least == 0 && peek() == ')')) {
      do {
        skip();
        std::uint32_t ignored = 0;
        int child = type(depth + 1, ignored, false);
        // Children are linked, so each needs a node of its own.
        if (child >= first_word_node) child = add_node(node(child).kind);
        if (child < 0) return false;
        if (last < 0)
          types[parent].child = static_cast<std::int16_t>(child);
        else
          types[last].next = static_cast<std::int16_t>(child);
        if (types[child].write) types[parent].write = true;
        last = child;
        ++n;
        if (n == most) break;
      } while (eat(','));
      if (n < least) return fail(reason::comma_expected);
    }
    if (!eat(')')) return fail(reason::close_parenthesis_expected);
    --open;
    skip();
    return true;
  }

  constexpr bool eat_part(std::string_view part) {
    if (at + part.size() > size || !equal(text + at, part.data(), part.size()) || is_word(peek(part.size())))
      return false;
    at += part.size();
    return true;
  }
  // __torch__.torch.classes.NAMESPACE.CLASS
  [[gnu::noinline]] constexpr int class_type() {
    std::size_t begin = at;
    at += 9;
    if (!eat_part(".torch") || !eat_part(".classes") || peek() != '.')
      return fail(reason::classes_namespace_expected, peek() == '.' ? at + 1 : at), -1;
    ++at;
    std::size_t n = word_length();
    at += n;
    if (n == 0 || peek() != '.') return fail(reason::class_name_expected), -1;
    ++at;
    n = word_length();
    if (n == 0) return fail(reason::class_name_expected), -1;
    at += n;
    int index = add_node(Kind::Class);
    if (index >= 0) name_node(index, begin, at - begin);
    skip();
    return index;
  }
  constexpr void name_node(int index, std::size_t from, std::size_t n) {
    types[index].text_offset = static_cast<std::uint16_t>(from);
    types[index].text_length = static_cast<std::uint16_t>(n);
  }

  // A word that names no type itself.
  [[gnu::noinline]] constexpr int other_type(std::size_t n) {
    std::string_view w(text + at, n);
    if (equal(w, "__torch__")) return class_type();
    if (equal(w, "double")) return fail(reason::write_float_for_double, at), -1;
    if (equal(w, "int64_t")) return fail(reason::write_int_for_int64_t, at), -1;
    if (!may_be_variable(at)) return fail(reason::unknown_type_name, at), -1;
    int index = add_node(Kind::TypeVar);
    if (index < 0) return -1;
    name_node(index, at, n);
    at += n;
    return alias(types[index]) ? index : -1;
  }
  [[gnu::noinline]] constexpr int composite_type(int depth, Kind kind) {
    int index = add_node(kind);
    if (index < 0) return -1;
    switch (kind) {
      case Kind::Tuple: return children(index, depth, 0, -1) ? index : -1;
      case Kind::Dict: return children(index, depth, 2, 2) && alias(types[index]) ? index : -1;
      case Kind::Union: return children(index, depth, 1, -1) && alias(types[index]) ? index : -1;
      default: return children(index, depth, 1, 1) ? index : -1;
    }
  }
  [[gnu::always_inline]] constexpr int base_type(int depth, std::uint32_t& code) {
    TypeWord word;
    std::size_t n = 6;
    // Two types of three.
    if (size - at > 6 && equal(text + at, "Tensor", 6) && !is_word(text[at + 6]))
      word = {true, Kind::Tensor};
    else if (n = word_length(); n != 0)
      word = find_type_word(text + at, n);
    else {
      if (peek() == '(') return composite_type(depth, Kind::Tuple);
      return fail(reason::type_name_expected), -1;
    }
    if (!word.known) return other_type(n);
    at += n;
    if (word.kind >= Kind::Optional) return composite_type(depth, word.kind);
    code = static_cast<std::uint32_t>(word.kind);
    skip();
    return peek() == '!' || peek() == '(' ? annotated_word(word.kind) : word_node(word.kind);
  }
  [[gnu::noinline]] constexpr int annotated_word(Kind kind) {
    int index = add_node(kind);
    return index >= 0 && annotation(types[index]) ? index : -1;
  }

  // Most types are a word and stand before one blank and a name, or end a return: takes word and blank. Anything else
  // is left to type(), -1.
  [[gnu::always_inline]] constexpr int word_before_name(std::uint32_t& code) {
    std::size_t left = size - at, n = 6;
    Kind kind = Kind::Tensor;
    if (left < 6 || !equal(text + at, "Tensor", 6) || (left > 6 && is_word(text[at + 6]))) {
      n = word_length();
      TypeWord word = find_type_word(text + at, n);
      if (!word.known || word.kind >= Kind::Optional) return -1;
      kind = word.kind;
    }
    if (n < left) {
      char next = text[at + n];
      if (next == ' ') {
        if (n + 1 == left || !is_letter(text[at + ++n])) return -1;
      } else if (next != ',' && next != ')') {
        return -1;
      }
    }
    at += n;
    code = static_cast<std::uint32_t>(kind);
    return word_node(kind);
  }

  constexpr int wrap(int child, Kind kind) {
    int index = add_node(kind);
    if (index < 0) return -1;
    types[index].child = static_cast<std::int16_t>(child);
    types[index].write = node(child).write;
    return index;
  }

  // A type with its suffixes and the blanks behind it; `code` becomes its C++ code. A sized list is allowed last at the
  // top only.
  constexpr int type(int depth, std::uint32_t& code, bool top) {
    if (depth > max_type_depth) return fail(reason::type_nested_too_deep), -1;
    int index = base_type(depth, code);
    unsigned shift = 8;
    bool sized = false;
    while (index >= 0) {
      std::uint32_t modifier = 0;
      if (peek() == '?') {
        ++at;
        skip();
        if (node(index).kind == Kind::Optional) continue;
        modifier = code_optional;
        index = wrap(index, Kind::Optional);
      } else if (peek() == '[' && !sized) {
        ++at;
        skip();
        std::int32_t length = -1;
        modifier = code_list;
        if (is_digit(peek())) {
          if (!top) return fail(reason::close_bracket_expected), -1;
          std::size_t begin = at;
          length = 0;
          while (is_digit(peek())) {
            length = length * 10 + (text[at++] - '0');
            if (length > 0xffff) return fail(reason::default_number_out_of_range, begin), -1;
          }
          sized = true;
          modifier = length <= 252 ? code_sized_list + static_cast<std::uint32_t>(length) : 0;
          if (modifier == 0) code = 0;
        }
        if (!eat(']')) return fail(reason::close_bracket_expected), -1;
        index = wrap(index, Kind::List);
        if (index < 0) return -1;
        types[index].size = length;
        if (!alias(types[index])) return -1;
      } else {
        break;
      }
      if (shift > 24) code = 0;
      if (code != 0) code |= modifier << shift;
      shift += 8;
    }
    if (index >= 0 && node(index).write && code != 0) code |= code_written;
    return index;
  }
};

}  // namespace detail
}  // namespace tenon::schema
