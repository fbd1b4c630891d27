// Where the arguments of an operator are among the edges of its nodes.
#pragma once
#include <tenon/autograd/derivative_names.hpp>

namespace tenon::autograd::detail {

/// What a node answers of an argument, without asking it where no argument is a list.
template <class Op>
struct argument_edges {
  /// Bits count arguments: those that are tensors, and those that are lists of them.
  struct Kinds {
    std::uint32_t tensors = 0, lists = 0;
  };
  static constexpr Kinds kinds = [] {
    Kinds k;
    auto view = tenon::detail::view_of<Op>();
    for (std::size_t i = 0; i < view.n_args(); ++i) {
      std::uint32_t code = view.arg(i).cpp_code & ~schema::code_written;
      if (is_tensor_code(code))
        k.tensors |= std::uint32_t{1} << i;
      else if (is_list_code(code))
        k.lists |= std::uint32_t{1} << i;
    }
    return k;
  }();

  /// The first edge of the argument that a target names.
  template <int Target>
  static unsigned edge_of(const DerivativeNode& n) {
    constexpr auto arg = static_cast<unsigned>(index_of(Target));
    constexpr unsigned place = count_bits(kinds.tensors & ((std::uint32_t{1} << arg) - 1));
    if constexpr (kinds.lists == 0)
      return place;
    else
      return n.edge_of(arg);
  }
  /// Whether any edge of it leads somewhere.
  template <int Target>
  static bool needs(const DerivativeNode& n) {
    if constexpr (kinds.lists == 0)
      return n.should_compute(edge_of<Target>(n));
    else
      return n.needs(static_cast<unsigned>(index_of(Target)));
  }
};

}  // namespace tenon::autograd::detail
