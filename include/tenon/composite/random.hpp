// Random tensors: rand, randn, randint and their forms.
#pragma once
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::composite {

#define TENON_INTERNAL_OPTIONS                                                                 \
  std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device, \
      std::optional<bool> pin_memory
#define TENON_INTERNAL_GIVEN (TensorOptions{dtype, layout, device, pin_memory})
using MaybeGenerator = const std::optional<Generator>&;
using MaybeFormat = std::optional<MemoryFormat>;

inline Tensor like(const Tensor& self, const TensorOptions& o, MaybeFormat format) {
  return ops::empty_like(self, "dtype"_a = o.dtype, "layout"_a = o.layout, "device"_a = o.device,
                         "pin_memory"_a = o.pin_memory, "memory_format"_a = format);
}
/// Runs what an operator with a tensor argument does inside: not recorded or counted again.
template <class F>
Tensor below(F f) {
  AutoDispatchBelowADInplaceOrView guard;
  return f();
}
inline Tensor uniform_into(Tensor t, MaybeGenerator generator) {
  return ops::uniform_(t, 0.0, 1.0, "generator"_a = generator);
}
inline Tensor normal_into(Tensor t, MaybeGenerator generator) {
  return ops::normal_(t, 0.0, 1.0, "generator"_a = generator);
}
/// Symbolic bounds become numbers by a guard.
inline Tensor random_into(Tensor t, const SymInt& low, const SymInt& high, MaybeGenerator generator) {
  return ops::random_(t, low.guard_int(__FILE__, __LINE__), std::optional(high.guard_int(__FILE__, __LINE__)),
                      "generator"_a = generator);
}

inline Tensor rand(SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  return uniform_into(empty(size, TENON_INTERNAL_GIVEN), std::nullopt);
}
inline Tensor rand_generator(SymIntArrayRef size, MaybeGenerator generator, TENON_INTERNAL_OPTIONS) {
  return uniform_into(empty(size, TENON_INTERNAL_GIVEN), generator);
}
inline Tensor rand_like(const Tensor& self, TENON_INTERNAL_OPTIONS, MaybeFormat format) {
  return below([&] { return uniform_into(like(self, TENON_INTERNAL_GIVEN, format), std::nullopt); });
}
inline Tensor rand_like_generator(const Tensor& self, MaybeGenerator generator, TENON_INTERNAL_OPTIONS,
                                  MaybeFormat format) {
  return below([&] { return uniform_into(like(self, TENON_INTERNAL_GIVEN, format), generator); });
}
inline Tensor randn(SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  return normal_into(empty(size, TENON_INTERNAL_GIVEN), std::nullopt);
}
inline Tensor randn_generator(SymIntArrayRef size, MaybeGenerator generator, TENON_INTERNAL_OPTIONS) {
  return normal_into(empty(size, TENON_INTERNAL_GIVEN), generator);
}
inline Tensor randn_like(const Tensor& self, TENON_INTERNAL_OPTIONS, MaybeFormat format) {
  return below([&] { return normal_into(like(self, TENON_INTERNAL_GIVEN, format), std::nullopt); });
}
inline Tensor randn_like_generator(const Tensor& self, MaybeGenerator generator, TENON_INTERNAL_OPTIONS,
                                   MaybeFormat format) {
  return below([&] { return normal_into(like(self, TENON_INTERNAL_GIVEN, format), generator); });
}
inline Tensor randint(SymInt high, SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  return random_into(empty(size, TENON_INTERNAL_GIVEN), 0, high, std::nullopt);
}
inline Tensor randint_low(SymInt low, SymInt high, SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  return random_into(empty(size, TENON_INTERNAL_GIVEN), low, high, std::nullopt);
}
inline Tensor randint_generator(SymInt high, SymIntArrayRef size, MaybeGenerator generator, TENON_INTERNAL_OPTIONS) {
  return random_into(empty(size, TENON_INTERNAL_GIVEN), 0, high, generator);
}
inline Tensor randint_low_generator(SymInt low, SymInt high, SymIntArrayRef size, MaybeGenerator generator,
                                    TENON_INTERNAL_OPTIONS) {
  return random_into(empty(size, TENON_INTERNAL_GIVEN), low, high, generator);
}
inline Tensor randint_like(const Tensor& self, SymInt high, TENON_INTERNAL_OPTIONS, MaybeFormat format) {
  return below([&] { return random_into(like(self, TENON_INTERNAL_GIVEN, format), 0, high, std::nullopt); });
}
inline Tensor randint_like_low(const Tensor& self, SymInt low, SymInt high, TENON_INTERNAL_OPTIONS,
                               MaybeFormat format) {
  return below([&] { return random_into(like(self, TENON_INTERNAL_GIVEN, format), low, high, std::nullopt); });
}

inline Tensor randint_like_generator(const Tensor& self, SymInt high, MaybeGenerator generator, TENON_INTERNAL_OPTIONS,
                                     MaybeFormat format) {
  return below([&] { return random_into(like(self, TENON_INTERNAL_GIVEN, format), 0, high, generator); });
}
inline Tensor randint_like_low_generator(const Tensor& self, SymInt low, SymInt high, MaybeGenerator generator,
                                         TENON_INTERNAL_OPTIONS, MaybeFormat format) {
  return below([&] { return random_into(like(self, TENON_INTERNAL_GIVEN, format), low, high, generator); });
}
/// A bound that is a tensor of one element; that of a Meta tensor is not known, and nothing is drawn there.
inline SymInt bound_of(const Tensor& high) {
  if (high.is_meta()) return 1;
  TENON_CHECK(high.numel() == 1 && high.device().is_cpu(), ValueError, "high must be a scalar tensor and on CPU");
  return high.item().to<std::int64_t>();
}
inline Tensor randint_like_Tensor(const Tensor& self, const Tensor& high, TENON_INTERNAL_OPTIONS, MaybeFormat format) {
  return ops::randint_like(self, bound_of(high), dtype, layout, device, pin_memory, format);
}
inline Tensor randint_like_Tensor_generator(const Tensor& self, const Tensor& high, MaybeGenerator generator,
                                            TENON_INTERNAL_OPTIONS, MaybeFormat format) {
  return ops::randint_like_generator(self, bound_of(high), generator, dtype, layout, device, pin_memory, format);
}

#undef TENON_INTERNAL_OPTIONS
#undef TENON_INTERNAL_GIVEN

// Out forms: the tensor that is given takes the shape, and the numbers are drawn where they stay.
inline Tensor& shaped(Tensor& out, SymIntArrayRef size) {
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, size);
  return out;
}
inline Tensor& rand_out_generator(SymIntArrayRef size, MaybeGenerator generator, Tensor& out) {
  return ops::uniform_(shaped(out, size), 0.0, 1.0, "generator"_a = generator);
}
inline Tensor& rand_out(SymIntArrayRef size, Tensor& out) { return rand_out_generator(size, std::nullopt, out); }
inline Tensor& randn_out_generator(SymIntArrayRef size, MaybeGenerator generator, Tensor& out) {
  return ops::normal_(shaped(out, size), 0.0, 1.0, "generator"_a = generator);
}
inline Tensor& randn_out(SymIntArrayRef size, Tensor& out) { return randn_out_generator(size, std::nullopt, out); }
inline Tensor& randint_out_low_generator(SymInt low, SymInt high, SymIntArrayRef size, MaybeGenerator generator,
                                         Tensor& out) {
  random_into(shaped(out, size), low, high, generator);
  return out;
}
inline Tensor& randint_out_low(SymInt low, SymInt high, SymIntArrayRef size, Tensor& out) {
  return randint_out_low_generator(std::move(low), std::move(high), size, std::nullopt, out);
}
inline Tensor& randint_out_generator(SymInt high, SymIntArrayRef size, MaybeGenerator generator, Tensor& out) {
  return randint_out_low_generator(0, std::move(high), size, generator, out);
}
inline Tensor& randint_out(SymInt high, SymIntArrayRef size, Tensor& out) {
  return randint_out_low_generator(0, std::move(high), size, std::nullopt, out);
}

/// Out forms of what is made like a tensor: of the dtype and the device of `out`.
inline Tensor made_like(const Tensor& self, const Tensor& out, MaybeFormat format) {
  return like(self, {out.dtype(), {}, out.device(), {}}, format);
}
inline Tensor& rand_like_out_generator(const Tensor& self, MaybeGenerator generator, MaybeFormat format, Tensor& out) {
  return copy_to_out(below([&] { return uniform_into(made_like(self, out, format), generator); }), out);
}
inline Tensor& rand_like_out(const Tensor& self, MaybeFormat format, Tensor& out) {
  return rand_like_out_generator(self, std::nullopt, format, out);
}
inline Tensor& randn_like_out_generator(const Tensor& self, MaybeGenerator generator, MaybeFormat format, Tensor& out) {
  return copy_to_out(below([&] { return normal_into(made_like(self, out, format), generator); }), out);
}
inline Tensor& randn_like_out(const Tensor& self, MaybeFormat format, Tensor& out) {
  return randn_like_out_generator(self, std::nullopt, format, out);
}
inline Tensor& randint_like_out_low_generator(const Tensor& self, SymInt low, SymInt high, MaybeGenerator generator,
                                              MaybeFormat format, Tensor& out) {
  return copy_to_out(below([&] { return random_into(made_like(self, out, format), low, high, generator); }), out);
}
inline Tensor& randint_like_out_low(const Tensor& self, SymInt low, SymInt high, MaybeFormat format, Tensor& out) {
  return randint_like_out_low_generator(self, std::move(low), std::move(high), std::nullopt, format, out);
}
inline Tensor& randint_like_out_generator(const Tensor& self, SymInt high, MaybeGenerator generator, MaybeFormat format,
                                          Tensor& out) {
  return randint_like_out_low_generator(self, 0, std::move(high), generator, format, out);
}
inline Tensor& randint_like_out(const Tensor& self, SymInt high, MaybeFormat format, Tensor& out) {
  return randint_like_out_low_generator(self, 0, std::move(high), std::nullopt, format, out);
}
inline Tensor& randint_like_Tensor_out(const Tensor& self, const Tensor& high, MaybeFormat format, Tensor& out) {
  return ops::randint_like_base_out(self, bound_of(high), format, out);
}
inline Tensor& randint_like_Tensor_out_generator(const Tensor& self, const Tensor& high, MaybeGenerator generator,
                                                 MaybeFormat format, Tensor& out) {
  return ops::randint_like_generator_out(self, bound_of(high), generator, format, out);
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  auto define = [&]<class... Op>(Op... op) { (define_forms(m, op), ...); };
  define(ops::rand_base, ops::rand_generator, ops::rand_like_base, ops::rand_like_generator);
  define(ops::randn_base, ops::randn_generator, ops::randn_like_base, ops::randn_like_generator);
  define(ops::randint_base, ops::randint_low, ops::randint_generator, ops::randint_low_generator);
  define(ops::randint_like_base, ops::randint_like_low_dtype, ops::randint_like_generator,
         ops::randint_like_low_generator_dtype, ops::randint_like_Tensor, ops::randint_like_Tensor_generator);
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) {
  using namespace tenon;
  composite::select_back_end<ops::rand_base, ops::rand_generator>(m);
  composite::select_back_end<ops::randn_base, ops::randn_generator>(m);
  composite::select_back_end<ops::randint_base, ops::randint_low>(m);
  composite::select_back_end<ops::randint_generator, ops::randint_low_generator>(m);
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::rand_base, &k::rand>()
      .impl<ops::rand_generator, &k::rand_generator>()
      .impl<ops::rand_like_base, &k::rand_like>()
      .impl<ops::rand_like_generator, &k::rand_like_generator>();
  m.impl<ops::randn_base, &k::randn>()
      .impl<ops::randn_generator, &k::randn_generator>()
      .impl<ops::randn_like_base, &k::randn_like>()
      .impl<ops::randn_like_generator, &k::randn_like_generator>();
  m.impl<ops::randint_base, &k::randint>()
      .impl<ops::randint_low, &k::randint_low>()
      .impl<ops::randint_generator, &k::randint_generator>()
      .impl<ops::randint_low_generator, &k::randint_low_generator>();
  m.impl<ops::randint_like_base, &k::randint_like>()
      .impl<ops::randint_like_low_dtype, &k::randint_like_low>()
      .impl<ops::randint_like_generator, &k::randint_like_generator>()
      .impl<ops::randint_like_low_generator_dtype, &k::randint_like_low_generator>();
  m.impl<ops::rand_base_out, &k::rand_out>()
      .impl<ops::rand_generator_out, &k::rand_out_generator>()
      .impl<ops::rand_like_base_out, &k::rand_like_out>()
      .impl<ops::rand_like_generator_out, &k::rand_like_out_generator>();
  m.impl<ops::randn_base_out, &k::randn_out>()
      .impl<ops::randn_generator_out, &k::randn_out_generator>()
      .impl<ops::randn_like_base_out, &k::randn_like_out>()
      .impl<ops::randn_like_generator_out, &k::randn_like_out_generator>();
  m.impl<ops::randint_base_out, &k::randint_out>()
      .impl<ops::randint_low_out, &k::randint_out_low>()
      .impl<ops::randint_generator_out, &k::randint_out_generator>()
      .impl<ops::randint_low_generator_out, &k::randint_out_low_generator>();
  m.impl<ops::randint_like_base_out, &k::randint_like_out>()
      .impl<ops::randint_like_low_dtype_out, &k::randint_like_out_low>()
      .impl<ops::randint_like_generator_out, &k::randint_like_out_generator>()
      .impl<ops::randint_like_low_generator_dtype_out, &k::randint_like_out_low_generator>();
}
TENON_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::randint_like_Tensor, &k::randint_like_Tensor>()
      .impl<ops::randint_like_Tensor_generator, &k::randint_like_Tensor_generator>()
      .impl<ops::randint_like_Tensor_out, &k::randint_like_Tensor_out>()
      .impl<ops::randint_like_Tensor_generator_out, &k::randint_like_Tensor_out_generator>();
}
