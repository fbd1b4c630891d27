// Copies of what is saved, made before it is written.
#pragma once
#include <algorithm>
#include <any>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/autograd/graph/allow_mutation.hpp>
#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::autograd {

namespace detail {

/// What the nodes of a scope's graph hold, by the memory that it is in.
class SavedBeforeWrites final : public CallObserver {
 public:
  struct Kept {
    Tensor tensor;  // undefined when the scope has ended
    std::uint32_t version;
  };

  std::shared_ptr<Kept> keep(const Tensor& t) {
    auto kept = std::make_shared<Kept>(Kept{make_alias(t), 0});
    const void* memory = memory_of(t);
    if (!memory) return kept;
    kept->version = t.version();
    // What a call that has begun writes, its node may save before that or after.
    for (const auto& written : writing_)
      if (std::find(written.begin(), written.end(), memory) != written.end()) {
        copy(kept);
        return kept;
      }
    auto& known = by_memory_[memory];
    std::erase_if(known, [](const auto& other) { return other.expired(); });
    for (const auto& weak : known)
      if (auto other = weak.lock(); other && is_same_view(*other, *kept)) return other;
    known.push_back(kept);
    return kept;
  }
  /// The scope has ended.
  void clear() {
    auto end = [](const std::vector<std::weak_ptr<Kept>>& list) {
      for (const auto& weak : list)
        if (auto kept = weak.lock()) kept->tensor = Tensor();
    };
    for (const auto& [memory, known] : by_memory_) end(known);
    end(copies_);
    by_memory_.clear();
  }

  bool observes(const OperatorHandle& op) const override {
    if (!op.has_schema()) return false;
    const auto& schema = op.schema();
    for (std::size_t i = 0; i < schema.n_args(); ++i)
      if (schema.arg(i).write) return true;
    return false;
  }
  void begin(const ObservedCall& call) override {
    const auto& schema = call.op.schema();
    std::vector<const void*> written;
    for (std::size_t i = 0; i < schema.n_args() && i < call.inputs->size(); ++i)
      if (schema.arg(i).write)
        tenon::detail::each_tensor((*call.inputs)[i], [&](const Tensor& t) {
          if (const void* memory = memory_of(t)) written.push_back(memory);
        });
    for (const void* memory : written) copy_what_is_saved_in(memory);
    writing_.push_back(std::move(written));
  }
  void end(const ObservedCall&) noexcept override { writing_.pop_back(); }

 private:
  static bool is_same_view(const Kept& a, const Kept& b) {
    const Tensor &x = a.tensor, &y = b.tensor;
    return a.version == b.version && x.dtype() == y.dtype() && x.sizes() == y.sizes() && x.strides() == y.strides() &&
           x.storage_offset() == y.storage_offset() && x.is_conj() == y.is_conj() && x.is_neg() == y.is_neg();
  }
  static const void* memory_of(const Tensor& t) { return t->storage().get(); }
  void copy(const std::shared_ptr<Kept>& kept) {
    NoGradGuard no_grad;
    NoSavedHooks no_hooks;
    kept->tensor = ops::clone(kept->tensor);
    copies_.push_back(kept);
  }
  void copy_what_is_saved_in(const void* memory) {
    auto at = by_memory_.find(memory);
    if (at == by_memory_.end()) return;
    auto known = std::move(at->second);
    by_memory_.erase(at);
    for (const auto& weak : known)
      if (auto kept = weak.lock()) copy(kept);
  }

  std::unordered_map<const void*, std::vector<std::weak_ptr<Kept>>> by_memory_;
  std::vector<std::weak_ptr<Kept>> copies_;
  std::vector<std::vector<const void*>> writing_;  // of calls that have begun, one within another
};

/// Known by its type to a scope within.
struct MutationHooks final : SavedHookPair {};

}  // namespace detail

TENON_COLD_BODY AllowMutationOnSavedTensors::AllowMutationOnSavedTensors()
    : saved_(std::make_shared<detail::SavedBeforeWrites>()) {
  for (const detail::SavedHookScope* scope = detail::saved_hooks; scope; scope = scope->outer)
    if (dynamic_cast<const detail::MutationHooks*>(scope->pair.get()))
      fail<AutogradError>("allow_mutation_on_saved_tensors contexts cannot be nested");
  auto hooks = make_intrusive<detail::MutationHooks>();
  hooks->pack = [saved = saved_](const Tensor& t) { return std::any(saved->keep(t)); };
  hooks->unpack = [](const std::any& value) {
    const auto& kept = *std::any_cast<std::shared_ptr<detail::SavedBeforeWrites::Kept>>(&value);
    if (!kept->tensor.defined())
      fail<AutogradError>(
          "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was originally recorded.");
    return kept->tensor;
  };
  hooks_.emplace(std::move(hooks));
  observed_.emplace(*saved_, true);
}
TENON_COLD_BODY AllowMutationOnSavedTensors::~AllowMutationOnSavedTensors() {
  observed_.reset();
  hooks_.reset();
  saved_->clear();
}

}  // namespace tenon::autograd
