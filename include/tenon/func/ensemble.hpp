// Many modules as one whose tensors are stacked, and modules that a batch of examples can run through.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/module.hpp>
#include <tenon/nn/normalization.hpp>

namespace tenon::func {

namespace detail {
/// Which of the stacked tensors is another's too.
using StackedLeaves = std::vector<std::pair<Tensor, Tensor>>;
Tensor stacked_leaf(const std::string& name, const std::vector<Tensor>& of, StackedLeaves& known);
void check_models(std::size_t count, bool some_train, bool some_do_not);
[[noreturn]] void held_by_pointer(const std::string& name);

template <class T>
inline constexpr bool is_batch_norm = false;
template <std::size_t Rank>
inline constexpr bool is_batch_norm<nn::BatchNorm<Rank>> = true;
}  // namespace detail

/// A module like each of `models` whose tensors are theirs, stacked: vmap() over it runs all models at once,
/// `vmap([](const Net& m, const Tensor& x) { return m(x); }, {.in_dims = {0, std::nullopt}})(stacked, x)`.
/// Shapes: (number of models, size of the tensor). Parameters are new leaves, which an optimiser may take; tensors that
/// a model shares stay shared. All that is no tensor is the first model's.
/// Errors: ValueError for no model, for models of which only some are in training mode or whose tensors differ in
/// shape or in `requires_grad`, and for a module that is held by a pointer, which copies share.
/// Source: torch.func.stack_module_state of PyTorch 2.15.
template <class Net>
Net stack_module_state(const std::vector<Net>& models) {
  bool train = false, eval = false;
  for (const Net& model : models)
    nn::for_each_module(model, [&](const std::string&, const auto& m) {
      if constexpr (requires { static_cast<bool>(m.training); }) (m.training ? train : eval) = true;
    });
  detail::check_models(models.size(), train, eval);
  std::vector<std::vector<Tensor>> tensors;
  std::vector<const Tensor*> places;
  auto collect = [&](const std::string&, const Tensor& t) {
    std::size_t at = places.size();
    places.push_back(&t);
    if (tensors.size() <= at) tensors.emplace_back();
    tensors[at].push_back(t);
  };
  for (auto model = models.rbegin(); model != models.rend(); ++model) {
    places.clear();
    nn::detail::walk(*model, {}, collect);
  }
  Net out = models.front();
  std::size_t next = 0;
  detail::StackedLeaves known;
  auto replace = [&](const std::string& name, Tensor& t) {
    std::size_t at = next++;
    if (&t == places[at]) detail::held_by_pointer(name);
    t = detail::stacked_leaf(name, {tensors[at].rbegin(), tensors[at].rend()}, known);
  };
  nn::detail::walk(out, {}, replace);
  return out;
}

/// Takes the running statistics from every batch norm in a module, and gives the module back: each then normalises by
/// its batch, in training or not, and writes nothing that examples of a vmap() would share.
/// Source: torch.func.replace_all_batch_norm_modules_ of PyTorch 2.15.
template <class Net>
Net& replace_all_batch_norm_modules_(Net& root) {
  nn::for_each_module(root, []<class T>(const std::string&, T& m) {
    if constexpr (detail::is_batch_norm<T>) {
      m.running_mean = m.running_var = m.num_batches_tracked = nn::Buffer();
      m.track_running_stats = false;
    }
  });
  return root;
}

}  // namespace tenon::func
