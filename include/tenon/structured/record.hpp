// What a structured operator is at run time: a record of its two functions, and the entry of each form of a signature.
#pragma once
#include <string_view>
#include <tuple>

#include <tenon/boxing/signature.hpp>
#include <tenon/dispatch/call_context.hpp>
#include <tenon/structured/outputs.hpp>
#include <tenon/boxing/each_tensor.hpp>

namespace tenon::detail {

/// What the kernels of one structured operator know at run time; constant data.
struct StructuredRecord {
  AnyFunction meta;  ///< of type void(const StructuredRecord&, Outputs&, A...)
  AnyFunction impl;  ///< of type void(const StructuredRecord&, A..., const Outputs&); null for the Meta back end
  const void* more;  ///< what meta and impl share, of a type that they know: a table of inner loops for example
  /// The full names of the functional, in-place and out form; null where the library's own meta functions are.
  const std::string_view* names = nullptr;
};

/// Calls a function of type `Fn` that a record keeps without its type.
template <class Fn, class... A>
void call_as(AnyFunction f, A&&... args) {
  reinterpret_cast<Fn>(f)(static_cast<A&&>(args)...);
}
/// A function as a record keeps it.
template <class R, class... A>
AnyFunction without_type(R (*f)(A...)) {
  return reinterpret_cast<AnyFunction>(f);
}

/// Copies proxies back into the caller's tensors; by the operator copy_, which any device may define. The write is
/// already counted and recorded by the operator that made the proxies.
void copy_back(Outputs& outputs, unsigned count);

template <class R>
inline constexpr unsigned result_count_v = 1;
template <class... R>
inline constexpr unsigned result_count_v<std::tuple<R...>> = sizeof...(R);

template <class R>
R take_results(Outputs& o) {
  if constexpr (std::is_same_v<R, Tensor>)
    return o.take(0);
  else
    return [&]<std::size_t... At>(std::index_sequence<At...>) { return R{o.take(At)...}; }
  (std::make_index_sequence<result_count_v<R>>{});
}

/// The three entries of a signature; the operator arrives as data.
template <class Sig>
struct structured_entries;
template <class R, class... A>
struct structured_entries<R(A...)> {
  using meta_fn = void (*)(const StructuredRecord&, Outputs&, A...);
  using impl_fn = void (*)(const StructuredRecord&, A..., const Outputs&);
  static constexpr unsigned n = result_count_v<R>;

  static R functional(void* data, KeySet, A... args) {
    const auto& r = *static_cast<const StructuredRecord*>(data);
    try {
      Outputs o(StructuredForm::Functional, r.impl == nullptr);
      call_as<meta_fn>(r.meta, r, o, args...);
      if (r.impl) call_as<impl_fn>(r.impl, r, args..., o);
      return take_results<R>(o);
    } catch (Error& e) {
      if (r.names) call_context<R(A...)>::add(e, r.names[0], args...);
      throw;
    }
  }
  static void run_given(const StructuredRecord& r, Outputs& o, A... args) {
    call_as<meta_fn>(r.meta, r, o, args...);
    if (!r.impl) return;
    call_as<impl_fn>(r.impl, r, args..., o);
    if (o.has_proxies()) copy_back(o, n);
  }
};
template <class Sig, class OutSig>
struct structured_out;
template <class R, class... A, class OutR, class... B>
struct structured_out<R(A...), OutR(B...)> {
  static OutR call(void* data, KeySet, B... all) {
    return split(data, std::forward_as_tuple(all...), std::index_sequence_for<A...>{},
                 std::make_index_sequence<sizeof...(B) - sizeof...(A)>{});
  }

 private:
  template <class T, std::size_t... At, std::size_t... J>
  static OutR split(void* data, T all, std::index_sequence<At...>, std::index_sequence<J...>) {
    Outputs o(StructuredForm::Out, static_cast<const StructuredRecord*>(data)->impl == nullptr);
    (o.give(J, std::get<sizeof...(At) + J>(all)), ...);
    auto read = [&](const Tensor& t) { o.read(t); };
    (each_tensor(std::get<At>(all), read), ...);
    structured_entries<R(A...)>::run_given(*static_cast<const StructuredRecord*>(data), o,
                                           static_cast<A>(std::get<At>(all))...);
    if constexpr (sizeof...(J) == 1)
      return std::get<sizeof...(At)>(all);
    else
      return OutR{std::get<sizeof...(At) + J>(all)...};
  }
};
template <class Sig>
struct structured_inplace;
template <class... B>
struct structured_inplace<Tensor(const Tensor&, B...)> {
  static Tensor& call(void* data, KeySet, Tensor& self, B... rest) {
    Outputs o(StructuredForm::InPlace, static_cast<const StructuredRecord*>(data)->impl == nullptr);
    o.give(0, self);
    structured_entries<Tensor(const Tensor&, B...)>::run_given(*static_cast<const StructuredRecord*>(data), o, self,
                                                               rest...);
    return self;
  }
};

}  // namespace tenon::detail
