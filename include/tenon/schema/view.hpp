// The parsed schema as everything else reads it.
#pragma once
#include <cstddef>
#include <string_view>

#include <tenon/schema/detail/text.hpp>
#include <tenon/schema/type.hpp>

namespace tenon::schema {

/// A parsed schema that somebody else owns: text and descriptors must outlive the view.
struct SchemaView {
  std::string_view text;
  const Head* head = nullptr;
  const Argument* args = nullptr;
  const Argument* returns = nullptr;
  const TypeNode* types = nullptr;

  constexpr std::string_view part(std::size_t offset, std::size_t length) const {
    return {text.data() + offset, length};
  }
  /// `aten::add`
  constexpr std::string_view name() const { return part(head->name_offset, head->name_length); }
  /// `aten`, empty without one
  constexpr std::string_view namespace_name() const { return part(head->name_offset, head->namespace_length); }
  /// `add`
  constexpr std::string_view base_name() const {
    std::size_t skip = head->namespace_length != 0 ? head->namespace_length + 2u : 0u;
    return part(head->name_offset + skip, head->name_length - skip);
  }
  /// `Tensor`, empty without one
  constexpr std::string_view overload() const {
    return head->overload_length == 0 ? std::string_view()
                                      : part(head->name_offset + head->name_length + 1u, head->overload_length);
  }
  /// `aten::add.Tensor`
  constexpr std::string_view operator_name() const {
    return part(head->name_offset, head->name_length + (head->overload_length != 0 ? head->overload_length + 1u : 0u));
  }

  constexpr std::size_t n_args() const { return head->n_args; }
  constexpr std::size_t n_returns() const { return head->n_returns; }
  constexpr std::size_t kwarg_start() const { return head->kwarg_start; }
  constexpr const Argument& arg(std::size_t i) const { return args[i]; }
  constexpr const Argument& ret(std::size_t i) const { return returns[i]; }
  constexpr std::string_view name_of(const Argument& a) const { return part(a.name_offset, a.name_length); }
  constexpr std::string_view arg_name(std::size_t i) const { return name_of(args[i]); }
  constexpr std::string_view return_name(std::size_t i) const { return name_of(returns[i]); }
  /// The default as written, quotes and brackets included.
  constexpr std::string_view default_text(const Argument& a) const { return part(a.default_offset, a.default_length); }
  constexpr const TypeNode& type(const Argument& a) const { return node(a.type); }
  constexpr const TypeNode& node(std::int16_t index) const { return detail::node_at(types, index); }

  /// The index of the argument of that name, or -1.
  constexpr int find_argument(std::string_view name) const {
    for (int i = 0; i < head->n_args; ++i)
      if (detail::equal(arg_name(static_cast<std::size_t>(i)), name)) return i;
    return -1;
  }
  constexpr int find_return(std::string_view name) const {
    for (int i = 0; i < head->n_returns; ++i)
      if (detail::equal(return_name(static_cast<std::size_t>(i)), name)) return i;
    return -1;
  }
  /// Keyword-only and written: the caller's memory for a result.
  constexpr bool is_out(std::size_t i) const { return args[i].kwarg_only && args[i].write; }
};

}  // namespace tenon::schema
