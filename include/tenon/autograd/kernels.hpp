// The Autograd and ADInplaceOrView kernels: one template per signature and kind of operator, the operator as data.
#pragma once
#include <tenon/autograd/derivative_node.hpp>
#include <tenon/autograd/detail/kept_inputs.hpp>
#include <tenon/dispatch/call_context.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon::autograd {

/// What the kernels of one operator know; lives as long as the program.
struct KernelData {
  tenon::detail::OperatorSlot* slot;
  const DerivativeTable* table;  ///< null for kernels that need none
};

namespace detail {

template <class T>
inline constexpr bool is_tensor_v = tenon::detail::is_tensor_argument_v<T>;
template <class T>
inline constexpr bool is_tensor_list_v = std::is_same_v<std::remove_cvref_t<T>, TensorList> ||
                                         std::is_same_v<std::remove_cvref_t<T>, ArrayRef<std::optional<Tensor>>>;

using tenon::detail::tensor_of;

template <class T>
[[gnu::always_inline]] inline bool wants_grad(const T& x) {
  if constexpr (std::is_same_v<T, Tensor>)
    return x.defined() && x->autograd() && meta_of(x)->takes_part();  // most have nothing there
  else if constexpr (std::is_same_v<T, std::optional<Tensor>>)
    return x && x->requires_grad();
  else if constexpr (is_tensor_list_v<T>) {
    for (const auto& t : x)
      if (wants_grad(t)) return true;
    return false;
  } else
    return false;
}

/// Arguments that are kept by value in a node: where each lies and how it is destroyed.
template <class T>
using owned_t = typename tenon::detail::owned<std::remove_cvref_t<T>>::type;
template <class T>
owned_t<T> own(const T& x) {
  using O = owned_t<T>;
  if constexpr (std::is_same_v<O, std::remove_cvref_t<T>>)
    return x;
  else if constexpr (requires { x.has_value(); })
    return x ? O(own(*x)) : O();
  else
    return O(x.begin(), x.end());
}
template <class... A>
struct plain_layout {
  static constexpr std::size_t offset(std::size_t arg) {
    std::size_t at = 0, i = 0;
    ((at += i++ < arg && !is_tensor_v<A> && !is_tensor_list_v<A> ? (sizeof(owned_t<A>) + 15) & ~std::size_t{15} : 0),
     ...);
    return at;
  }
  static constexpr std::size_t bytes = offset(sizeof...(A));
  static constexpr bool trivial =
      ((is_tensor_v<A> || is_tensor_list_v<A> || std::is_trivially_destructible_v<owned_t<A>>)&&...);
  static void drop(void* plain, std::uint32_t made) {
    std::size_t i = 0;
    auto one = [&]<class T>(std::type_identity<T>) {
      if constexpr (!is_tensor_v<T> && !is_tensor_list_v<T>) {
        using O = owned_t<T>;
        if (made >> i & 1) reinterpret_cast<O*>(static_cast<char*>(plain) + offset(i))->~O();
      }
      ++i;
    };
    (one(std::type_identity<A>{}), ...);
  }
};

/// The tensors of a result in order.
template <class R>
struct results_of {
  template <class F>
  static void each(R& r, F&& f) {
    if constexpr (std::is_same_v<std::remove_cvref_t<R>, Tensor>)
      f(r);
    else if constexpr (std::is_same_v<R, std::vector<Tensor>>) {
      for (Tensor& t : r) f(t);
    } else if constexpr (requires { std::tuple_size<R>::value; }) {
      std::apply(
          [&](auto&... x) {
            (
                [&] {
                  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, Tensor>) f(x);
                }(),
                ...);
          },
          r);
    }
  }
};

template <class Sig>
using redispatcher = tenon::detail::call_path<Sig>;

template <class Sig>
struct writing_kernel;
template <class Sig>
struct view_kernel;

/// `View`: of a view, which writes nothing.
template <class Sig, bool View = false>
struct autograd_kernel;
template <class R, class... A, bool View>
struct autograd_kernel<R(A...), View> {
  static constexpr bool in_place = [] {
    if constexpr (sizeof...(A) == 0)
      return false;
    else
      return std::is_same_v<R, Tensor&> && std::is_same_v<typename tenon::detail::nth<0, A...>::type, Tensor&>;
  }();
  using layout = plain_layout<A...>;

  static R call(void* data, KeySet keys, A... args) {
    const auto& op = *static_cast<const KernelData*>(data);
    KeySet below = keys & key_sets::after_autograd;
    if (is_grad_enabled() && (wants_grad(args) || ...)) [[unlikely]]
      return record(op, below, static_cast<A>(args)...);
    using path = redispatcher<R(A...)>;
    if constexpr (in_place)
      return path::template redispatch_to<writing_kernel<R(A...)>, DispatchKey::ADInplaceOrView>(
          *op.slot, below, static_cast<A&&>(args)...);
    else if constexpr (View)
      return path::template redispatch_to<view_kernel<R(A...)>, DispatchKey::ADInplaceOrView>(
          *op.slot, below, static_cast<A&&>(args)...);
    else
      return path::redispatch_here(*op.slot, below, static_cast<A&&>(args)...);
  }

 private:
  static R run(const KernelData& op, KeySet below, A... args) {
    AutoDispatchBelowAutograd guard;
#if TENON_CHECK_KERNELS
    KeptInputs<A...> kept(args...);
    R result = redispatcher<R(A...)>::redispatch(*op.slot, below, static_cast<A>(args)...);
    kept.check(op.slot->name, args...);
    return static_cast<R>(result);
#else
    return redispatcher<R(A...)>::redispatch_here(*op.slot, below, static_cast<A&&>(args)...);
#endif
  }
  [[gnu::noinline]] static R record(const KernelData& op, KeySet below, A... args) {
    const DerivativeTable& table = *op.table;
    Tensor* self = nullptr;
    if constexpr (in_place) {
      self = &first(args...);
      check_inplace(*self, op.slot->name);
    }
    auto node = prepare(table, op.slot->name, args...);
    if constexpr (in_place) {
      if (node) {
        // The formulas read the value before the change.
        if (node->used().inputs & 1) node->save_input(0, copy_before_write(*self));
      }
    }
    if constexpr (std::is_reference_v<R>) {
      [[maybe_unused]] Geometry before;
      if constexpr (in_place) before = Geometry(*self);
      run(op, below, static_cast<A>(args)...);
      if (node) {
        node->add_result(*self);
        if (node->used().outputs & 1) node->save_output(0, *self);
        bool reshaped = self->sizes() != IntArrayRef(before.sizes) || self->strides() != IntArrayRef(before.strides) ||
                        self->storage_offset() != before.offset;
        if (!is_differentiable_type(self->dtype())) return *self;
        // A view that changed its geometry alone is another view of an unchanged base; squeeze_ may leave even that.
        if ((reshaped || table.geometry_alone) && is_view(*self))
          set_gradient_edge(*self, std::move(node), 0);
        else
          rebase_history(*self, std::move(node));
      }
      return *self;
    } else {
      R result = run(op, below, static_cast<A>(args)...);
      if (!node) return result;
      if constexpr (std::is_same_v<R, Tensor>) {
        if (result.defined()) {
          node->add_result(result);
          if (node->used().outputs & 1) node->save_output(0, result);
          if (is_differentiable_type(result.dtype())) set_gradient_edge(result, std::move(node), 0);
        }
      } else {
        unsigned i = 0;
        results_of<R>::each(result, [&](Tensor& t) {
          if (t.defined()) {
            std::uint32_t index = node->add_result(t);
            if (i < 32 && node->used().outputs >> i & 1) node->save_output(i, t);
            bool differentiable = std::is_same_v<R, std::vector<Tensor>> || table.is_differentiable(i);
            if (differentiable && is_differentiable_type(t.dtype())) set_gradient_edge(t, node, index);
          } else {
            node->skip_result();
          }
          ++i;
        });
      }
      return result;
    }
  }

  template <class First, class... Rest>
  static First& first(First& x, Rest&...) {
    return x;
  }

  /// The node with edges and everything saved that exists before the operation; null if no target needs a gradient.
  static intrusive_ptr<DerivativeNode> prepare(const DerivativeTable& table, std::string_view op_name,
                                               std::remove_reference_t<A>&... args) {
    std::uint32_t needed = 0;
    unsigned n_edges = 0, i = 0;
    auto count = [&](const auto& x) {
      using X = std::remove_cvref_t<decltype(x)>;
      if constexpr (is_tensor_v<X>)
        ++n_edges;
      else if constexpr (is_tensor_list_v<X>)
        n_edges += static_cast<unsigned>(x.size());
      if (wants_grad(x)) needed |= std::uint32_t{1} << i;
      ++i;
    };
    (count(args), ...);
    if (std::uint32_t left = needed & ~(table.targets | table.ignored)) [[unlikely]]
      report_arguments_without_derivative(op_name, left);
    if (!(needed & table.targets)) return nullptr;
    auto node = DerivativeNode::make(table, needed, n_edges, layout::bytes, layout::trivial ? nullptr : &layout::drop);
    unsigned e = 0, saved = 0;
    i = 0;
    auto keep = [&](const auto& x) {
      using X = std::remove_cvref_t<decltype(x)>;
      std::uint32_t bit = std::uint32_t{1} << i;
      if constexpr (is_tensor_v<X>) {
        const Tensor& t = tensor_of(x);
        if (table.targets & needed & bit) set_empty_edge(node->edges()[e], t);
        ++e;
        if (node->used().inputs & bit) {
          if (!(in_place && i == 0)) node->save_empty(saved, t);
          ++saved;
        }
        if (node->used().geometries & bit) node->save_geometry(i, t);
      } else if constexpr (is_tensor_list_v<X>) {
        auto& lists = node->lists();
        lists.counts.push_back(static_cast<std::uint32_t>(x.size()));
        lists.tensors.emplace_back();
        lists.geometries.emplace_back();
        for (const auto& item : x) {
          const Tensor& t = tensor_of(item);
          if (table.targets & bit && t.defined()) node->edges()[e] = gradient_edge(t);
          ++e;
          if (node->used().inputs & bit) lists.tensors.back().push_back(SavedTensor::input(t, *node));
          if (node->used().geometries & bit) lists.geometries.back().push_back(t.defined() ? Geometry(t) : Geometry());
        }
      } else if (node->used().plain & bit) {
        using O = owned_t<X>;
        new (static_cast<char*>(node->plain()) + layout::offset(i)) O(own(x));
        node->mark_plain(bit);
      }
      ++i;
    };
    (keep(args), ...);
    node->set_sequence_above_edges();
    return node;
  }
};

/// Autograd kernel of out= forms: they record nothing and so refuse what would need it.
template <class Sig>
struct out_autograd_kernel;
template <class R, class... A>
struct out_autograd_kernel<R(A...)> {
  static R call(void* data, KeySet keys, A... args) {
    const auto& op = *static_cast<const KernelData*>(data);
    if (is_grad_enabled() && (wants_grad(args) || ...)) [[unlikely]] {
      std::string_view name = op.slot->name;
      name = name.substr(name.find("::") + 2);
      fail<AutogradError>(
          name.substr(0, name.find('.')),
          "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
    }
    return redispatcher<R(A...)>::template redispatch_to<writing_kernel<R(A...)>, DispatchKey::ADInplaceOrView>(
        *op.slot, keys & key_sets::after_autograd, static_cast<A&&>(args)...);
  }
};

/// ADInplaceOrView kernel of operators that write: counts the writes.
template <class R, class... A>
struct writing_kernel<R(A...)> {
  static R call(void* data, KeySet keys, A... args) { return run(data, keys, static_cast<A&&>(args)...); }
  [[gnu::always_inline]] static R run(void* data, KeySet keys, A&&... args) {
    const auto& op = *static_cast<const KernelData*>(data);
    try {
      return counted(op, keys & key_sets::after_inplace_or_view, static_cast<A&&>(args)...);
    } catch (Error& e) {
      tenon::detail::call_context<R(A...)>::add(e, op.slot->name, args...);
      throw;
    }
  }

 private:
  [[gnu::always_inline]] static R counted(const KernelData& op, KeySet keys, A&&... args) {
    (check<A>(args, op.slot->name), ...);
    auto count = [&] { (bump<A>(args, op), ...); };
    if constexpr (std::is_void_v<R>) {
      redispatcher<R(A...)>::redispatch_here(*op.slot, keys, static_cast<A&&>(args)...);
      count();
    } else {
      R result = redispatcher<R(A...)>::redispatch_here(*op.slot, keys, static_cast<A&&>(args)...);
      count();
      return result;
    }
  }

  template <class T>
  static void check(const std::remove_reference_t<T>& x, std::string_view op) {
    if constexpr (std::is_same_v<T, Tensor&>) check_write(x, op);
  }
  template <class T>
  static void bump(std::remove_reference_t<T>& x, [[maybe_unused]] const KernelData& op) {
    if constexpr (std::is_same_v<T, Tensor&>)
      if (!x->is_inference()) x->storage()->bump_version(op.slot->entry.load(MemoryOrder::Relaxed));
  }
};

/// ADInplaceOrView kernel of views: makes the results differentiable views of the first argument.
template <class R, class First, class... A>
struct view_kernel<R(First, A...)> {
  static R call(void* data, KeySet keys, First self, A... args) {
    return run(data, keys, static_cast<First&&>(self), static_cast<A&&>(args)...);
  }
  [[gnu::always_inline]] static R run(void* data, KeySet keys, First&& self, A&&... args) {
    const auto& op = *static_cast<const KernelData*>(data);
    R result = plain(op, keys & key_sets::after_inplace_or_view, static_cast<First&&>(self), static_cast<A&&>(args)...);
    if constexpr (std::is_same_v<R, Tensor>) {
      if (!result.is_same(self)) make_view(self, result, false);
    } else {
      results_of<R>::each(result, [&](Tensor& t) {
        if (!t.is_same(self)) make_view(self, t, true);
      });
    }
    return result;
  }

 private:
  [[gnu::always_inline]] static R plain(const KernelData& op, KeySet keys, First&& self, A&&... args) {
    try {
      AutoDispatchBelowADInplaceOrView guard;
      return redispatcher<R(First, A...)>::redispatch_here(*op.slot, keys, static_cast<First&&>(self),
                                                           static_cast<A&&>(args)...);
    } catch (Error& e) {
      tenon::detail::call_context<R(First, A...)>::add(e, op.slot->name, self, args...);
      throw;
    }
  }
};

}  // namespace detail
}  // namespace tenon::autograd
