// Writing into what the graph has saved.
#pragma once
#include <memory>
#include <optional>

#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/dispatch/observer.hpp>

namespace tenon::autograd {

namespace detail {
class SavedBeforeWrites;
}

/// In its scope, on its thread, what the graph saves may be written: the operator that would write it has a copy made
/// first, and gradients are those of the values that were saved. The backward pass runs within the scope too.
/// Errors: AutogradError within another such scope, and from a backward pass through its graph when it has ended.
/// Cost: boxes the arguments of every call; a copy of each tensor that is written while it is saved.
/// Source: torch.autograd.graph.allow_mutation_on_saved_tensors of PyTorch 2.15.
class AllowMutationOnSavedTensors {
 public:
  AllowMutationOnSavedTensors();
  AllowMutationOnSavedTensors(const AllowMutationOnSavedTensors&) = delete;
  AllowMutationOnSavedTensors& operator=(const AllowMutationOnSavedTensors&) = delete;
  ~AllowMutationOnSavedTensors();

 private:
  std::shared_ptr<detail::SavedBeforeWrites> saved_;
  std::optional<SavedTensorHooks> hooks_;
  std::optional<CallObserverGuard> observed_;
};

}  // namespace tenon::autograd
