// Calls through the hooks, and look-ups by name.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/any_module.hpp>

namespace tenon::nn {

namespace detail {
/// "2 tensors", or "3 arguments of these types, 1 of them tensors".
inline std::string described_arguments(const ModuleCall& call) {
  std::size_t tensors = 0;
  for (const CallValue& v : call.arguments()) tensors += v.as<Tensor>() != nullptr;
  return tensors == call.size() ? concat(tensors, " tensors")
                                : concat(call.size(), " arguments of these types, ", tensors, " of them tensors");
}
}  // namespace detail

TENON_BODY void AnyModule::invoke(std::vector<detail::CallValue> arguments, const detail::TakeResult& take) const {
  TENON_CHECK(module_, TypeError, "AnyModule: called without a module");
  ModuleCall call(module_, *table_->type, std::move(arguments));
  detail::HookedCall backward = hooks_.before(call);
  auto take_hooked = [&](const detail::CallValue& result) {
    call.set_result(result);
    hooks_.after(backward, call);
    take(result);
  };
  bool taken = table_->call(module_, call.arguments(), take_hooked);
  TENON_CHECK(taken, TypeError, "AnyModule: ", table_->describe(module_).name, " does not take ",
              detail::described_arguments(call), ", or returns nothing");
}
TENON_BODY std::vector<Tensor> AnyModule::results_of(std::vector<detail::CallValue> arguments) const {
  std::vector<Tensor> outputs;
  invoke(std::move(arguments), [&](const detail::CallValue& result) { result.collect(result.at, outputs); });
  TENON_CHECK(!outputs.empty(), TypeError, "AnyModule: ", table_->describe(module_).name, " returns no tensors");
  return outputs;
}
TENON_BODY std::vector<Tensor> AnyModule::results(std::vector<Tensor> inputs) const {
  std::vector<detail::CallValue> arguments;
  for (Tensor& t : inputs) arguments.emplace_back(t);
  return results_of(std::move(arguments));
}

TENON_BODY AnyModule& ModuleDict::operator[](std::string_view name) {
  for (auto& [known, module] : items_)
    if (known == name) return module;
  TENON_CHECK(!name.empty() && name.find('.') == name.npos, ValueError,
              "module name can't be empty or contain \".\", got: ", name);
  items_.emplace_back(std::string(name), AnyModule());
  return items_.back().second;
}
TENON_BODY AnyModule& ModuleDict::at(std::string_view name) {
  for (auto& [known, module] : items_)
    if (known == name) return module;
  fail<IndexError>("ModuleDict: there is no module named '", name, "'");
}
TENON_BODY bool ModuleDict::contains(std::string_view name) const {
  for (const auto& [known, module] : items_)
    if (known == name) return true;
  return false;
}
TENON_BODY bool ModuleDict::erase(std::string_view name) {
  return std::erase_if(items_, [&](const value_type& item) { return item.first == name; }) > 0;
}

}  // namespace tenon::nn
