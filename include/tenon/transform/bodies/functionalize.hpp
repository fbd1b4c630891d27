// The inputs of a functionalized function: wrapped before it runs, written to after it.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/transform/detail/functionalize_fallback.hpp>
#include <tenon/transform/functionalize.hpp>

namespace tenon::functionalization::detail {

TENON_COLD_BODY void install_fallback() {
  constexpr DispatchKey key = DispatchKey::Functionalize;
  static Registration fallback, constants;
  Registry& registry = Registry::get();
  if (registry.tables().fallback_at(key)) return;
  fallback = registry.add_fallback(key, Kernel(&functionalize_fallback), Place(__FILE__, __LINE__));
  constants = registry.implement("aten::lift_fresh", key, Kernel(&lift_fresh), Place(__FILE__, __LINE__));
}

/// A copy with all of its memory, so that views by strides are the same.
inline Tensor clone_laid_out(const Tensor& t) {
  if (is_whole_memory(t)) return ops::clone(t);
  return ops::as_strided(ops::clone(memory_of(t)), t.sizes(), t.strides(), t.storage_offset());
}

TENON_COLD_BODY Session::Session(Remove remove)
    : before_(removing), remove_(remove), nested_(is_included(DispatchKey::Functionalize)) {}

TENON_COLD_BODY Session::~Session() { removing = before_; }

TENON_COLD_BODY const Session::Input* Session::find(const Tensor& given) const {
  for (const Input& i : inputs_)
    if (i.given.is_same(given)) return &i;
  return nullptr;
}

TENON_COLD_BODY void Session::add(const Tensor& input) {
  if (!input.defined() || find(input)) return;
  if (is_functional_tensor(input)) nested_ = true;
  inputs_.push_back({input, Tensor(), input, false});
}

TENON_COLD_BODY void Session::begin() {
  if (!nested_) {
    install_fallback();
    for (Input& i : inputs_) {
      if (i.functional.defined()) continue;
      std::vector<Input*> sharing;
      bool one_dtype = true, gradients = false;
      for (Input& other : inputs_)
        if (other.given->storage() == i.given->storage() && !other.given.is_symbolic()) {
          sharing.push_back(&other);
          one_dtype = one_dtype && other.given.dtype() == i.given.dtype();
          gradients = gradients || other.given.requires_grad();
        }
      if (sharing.size() > 1 && one_dtype && !gradients) {
        // Views of one memory: all of it is the base.
        Tensor memory = memory_of(i.given), base = to_functional_tensor(memory);
        for (Input* one : sharing) {
          one->base = memory;
          one->functional =
              ops::as_strided(base, one->given.sizes(), one->given.strides(), one->given.storage_offset());
        }
        continue;
      }
      // A tensor that the caller may go on to differentiate through is not what is written to at the end: its value
      // before that may be saved for a gradient.
      i.copied = is_grad_enabled() && i.given.requires_grad() && !i.given.is_leaf();
      i.functional = to_functional_tensor(i.copied ? clone_laid_out(i.given) : i.given);
      if (sharing.size() > 1)
        functional_impl(i.functional)
            .aliases()
            ->freeze(
                one_dtype
                    ? "expected an argument of the functionalized function that shares memory with no other, got one of several that require grad; pass one of them, and make the others from it in the function"
                    : "expected an argument of the functionalized function that shares memory with no other, got one of several of different dtypes; pass one of them, and make the others from it in the function");
    }
    set_included(DispatchKey::Functionalize, true);
  }
  removing = remove_;
}

TENON_COLD_BODY Tensor Session::wrapped(const Tensor& input) const {
  if (nested_ || !input.defined()) return input;
  return find(input)->functional;
}

TENON_COLD_BODY void Session::end() {
  if (nested_) return;
  set_included(DispatchKey::Functionalize, false);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Input& i = inputs_[k];
    if (!is_functional_tensor(i.functional)) continue;
    FunctionalTensorImpl& f = functional_impl(i.functional);
    bool first = true;  // of those that share the base
    for (std::size_t j = 0; j < k; ++j) first = first && !inputs_[j].base.is_same(i.base);
    if (first && f.aliases()->generation() != 0) {
      const Tensor& value = f.views().empty() ? f.value() : f.aliases()->base();
      if (value.sizes() != i.base.sizes()) ops::resize_(i.base, value.sizes());
      if (f.aliases()->wrote_by_strides() && !is_whole_memory(i.base))
        ops::copy_(memory_of(i.base), memory_of(f.aliases()->base()));
      else
        ops::copy_(i.base, value);
    }
  }
}

TENON_COLD_BODY void Session::finish() {
  for (const Input& i : inputs_) {
    if (nested_ || !is_functional_tensor(i.functional)) continue;
    const FunctionalTensorImpl& f = functional_impl(i.functional);
    if (f.sizes() != i.given.sizes() || f.strides() != i.given.strides() ||
        f.storage_offset() != i.given.storage_offset())
      ops::as_strided_(i.given, f.sizes(), f.strides(), f.storage_offset());
  }
}

TENON_COLD_BODY Tensor Session::plain(const Tensor& result) const {
  if (nested_ || !is_functional_tensor(result)) return result;
  for (const Input& i : inputs_)
    if (i.functional.is_same(result)) return i.given;
  FunctionalTensorImpl& f = functional_impl(result);
  if (remove_ == Remove::Mutations)
    for (const Input& i : inputs_)
      if (is_functional_tensor(i.functional) && functional_impl(i.functional).aliases() == f.aliases() &&
          (i.copied || f.aliases()->generation() != 0)) {
        // The memory of the input holds what was written by now; the result is a view of that.
        Tensor t = i.base;
        for (const ViewMeta& view : f.views()) t = view.forward(t);
        return t;
      }
  return f.aliased_value();
}

}  // namespace tenon::functionalization::detail
