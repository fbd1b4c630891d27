// What a view's geometry becomes: the kernels of the view, of its in-place form, and of both for symbolic sizes.
#pragma once
#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/structured/function_check.hpp>
#include <tenon/structured/record.hpp>
#include <tenon/structured/adaptors.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon {

/// A view's schema must begin with `Tensor(a) self` and return `Tensor(a)` or `Tensor(a)[]`.
template <class Operator>
struct schema_is_not_that_of_a_view;
/// A view's geometry is not `template <class Int> BasicGeometry<Int> operator()(const BasicGeometryRef<Int>&,
/// arguments...) const`. Arguments are counted from 1, the geometry of self included.
template <class Operator, class Where, class Expected, class Found>
struct view_geometry_does_not_match_schema;
/// The geometry of a view that returns a list gives it to its last argument, `f(const BasicGeometry<Int>&)`, one by
/// one.
template <class Operator, class Geometry>
struct view_geometry_takes_no_function_for_the_results;

namespace detail {

template <class Int>
Tensor make_view(const Tensor& self, const BasicGeometry<Int>& g) {
  if constexpr (std::is_same_v<Int, SymInt>)
    return make_alias_symbolic(self, g.sizes, g.strides, g.offset);
  else
    return make_alias_here(self, g.sizes, g.strides, g.offset);
}

/// Whether a geometry has a way of its own for tensors of few dimensions: tensor/short_view.hpp.
template <class G, class... A>
concept places_short_view = requires(const TensorImpl& self, TensorImpl& to, const A&... args) {
  { G::place_short(self, to, args...) } -> std::same_as<bool>;
};

/// The kernels of a view of signature `Sig` with the geometry `G`; `Checked` ones find out whether it lies in memory.
template <class G, class Sig, bool Checked>
struct view_kernels;
template <class G, bool Checked, class... A>
struct view_kernels<G, Tensor(const Tensor&, A...), Checked> {
  [[gnu::noinline]] static Tensor call(const Tensor& self, plain_t<A>... args) {
    if constexpr (!Checked && places_short_view<G, plain_t<A>...>) {
      if (const TensorImpl* from = self.unsafe_impl(); from && from->is_short()) [[likely]] {
        Tensor view(intrusive_ptr<TensorImpl>::adopt(TensorImpl::make_alias_of(*from)));
        if (G::place_short(*from, view.impl(), args...)) [[likely]]
          return view;
      }
      return any(self, args...);
    } else {
      return make_view(self, geometry(self, args...));
    }
  }
  static Tensor& inplace(Tensor& self, plain_t<A>... args) {
    Geometry g = geometry(self, args...);
    self->set_geometry(g.sizes, g.strides, g.offset);
    return self;
  }
  static Tensor symbolic(const Tensor& self, A... args) {
    if (!self.is_symbolic() && (adaptors_of::plain_or_other(args) && ... && true))
      return call(self, plain_argument<A>(args)...);
    return make_view(self, G{}.template operator()<SymInt>(BasicGeometryRef<SymInt>(self), args...));
  }
  static Tensor& symbolic_inplace(Tensor& self, A... args) {
    BasicGeometry<SymInt> g = G{}.template operator()<SymInt>(BasicGeometryRef<SymInt>(self), args...);
    Tensor view = make_view(self, g);
    self->set_sym_geometry(g.sizes, g.strides, g.offset, view.is_contiguous());
    return self;
  }

 private:
  using adaptors_of = adaptors<Tensor(const Tensor&, A...)>;
  [[gnu::noinline]] static Tensor any(const Tensor& self, const plain_t<A>&... args) {
    return make_view(self, geometry(self, args...));
  }
  static Geometry geometry(const Tensor& self, const plain_t<A>&... args) {
    Geometry g = G{}.template operator()<std::int64_t>(GeometryRef(self), args...);
    if constexpr (Checked)
      if (!self.is_meta()) check_in_storage(g, self.element_size(), self->storage()->nbytes());
    return g;
  }
};
/// A view that returns a list: its geometry calls a function with each.
template <class G, bool Checked, class... A>
struct view_kernels<G, std::vector<Tensor>(const Tensor&, A...), Checked> {
  static std::vector<Tensor> call(const Tensor& self, plain_t<A>... args) { return views<std::int64_t>(self, args...); }
  static std::vector<Tensor> symbolic(const Tensor& self, A... args) { return views<SymInt>(self, args...); }

 private:
  template <class Int, class... B>
  static std::vector<Tensor> views(const Tensor& self, const B&... args) {
    std::vector<Tensor> out;
    G{}.template operator()<Int>(BasicGeometryRef<Int>(self), args..., [&](const BasicGeometry<Int>& g) {
      if constexpr (Checked && std::is_same_v<Int, std::int64_t>)
        if (!self.is_meta()) check_in_storage(g, self.element_size(), self->storage()->nbytes());
      out.push_back(make_view(self, g));
    });
    return out;
  }
};

/// Whether an operator's schema is that of a view: the first argument's memory is the only result's.
template <class Op>
consteval bool is_view_schema() {
  schema::SchemaView s = view_of<Op>();
  if (s.n_args() == 0 || s.n_returns() != 1 || !schema::detail::is_tensor(s, s.arg(0))) return false;
  const schema::TypeNode &from = s.type(s.arg(0)), *to = &s.type(s.ret(0));
  if (to->kind == Kind::List) to = &s.node(to->child);
  return to->kind == Kind::Tensor && from.has_alias && to->has_alias && !from.write && !s.arg(0).write &&
         (from.before & to->before) != 0;
}

/// A geometry with integers of one kind, as a function object with one call operator.
template <class G, class Int, class = void>
struct geometry_with {};
template <class M>
struct geometry_parameters;
template <class G, class R, class... B>
struct geometry_parameters<R (G::*)(B...) const> {
  struct type {
    R operator()(B...) const;
  };
};
template <class G, class Int>
struct geometry_with<G, Int, std::void_t<decltype(&G::template operator()<Int>)>>
    : geometry_parameters<decltype(&G::template operator()<Int>)>::type {};

/// What keeps a geometry from serving an operator, if anything.
template <class Op, class G, class Sig = signature_of_t<Op>>
struct geometry_check;
template <class Op, class G, class... A>
struct geometry_check<Op, G, Tensor(const Tensor&, A...)> {
  template <class Int, class... B>
  static constexpr bool takes = requires(const BasicGeometryRef<Int>& self, B... args) {
    { G{}.template operator()<Int>(self, args...) } -> std::same_as<BasicGeometry<Int>>;
  };
  static constexpr bool ok = takes<std::int64_t, plain_t<A>...> && takes<SymInt, A...>;
  static void report() {
    if constexpr (!takes<std::int64_t, plain_t<A>...>)
      function_check<view_geometry_does_not_match_schema, Op, geometry_with<G, std::int64_t>, const GeometryRef&,
                     plain_t<A>...>::report();
    else
      function_check<view_geometry_does_not_match_schema, Op, geometry_with<G, SymInt>, const BasicGeometryRef<SymInt>&,
                     A...>::report();
  }
};
template <class Op, class G, class... A>
struct geometry_check<Op, G, std::vector<Tensor>(const Tensor&, A...)> {
  template <class Int, class... B>
  static constexpr bool takes = requires(const BasicGeometryRef<Int>& self, B... args,
                                         void (*each)(const BasicGeometry<Int>&)) {
    G{}.template operator()<Int>(self, args..., each);
  };
  static constexpr bool ok = takes<std::int64_t, plain_t<A>...> && takes<SymInt, A...>;
  static void report() {
    static_assert(declaration_compiles<view_geometry_takes_no_function_for_the_results<Op, G>>,
                  "tenon: the geometry of a view with several results takes a function for them");
  }
};
template <class Op, class G, class Sig>
struct geometry_check {
  static constexpr bool ok = false;
  static void report() {
    static_assert(declaration_compiles<schema_is_not_that_of_a_view<Op>>, "tenon: the schema is not that of a view");
  }
};

}  // namespace detail
}  // namespace tenon
