// Calls through the hooks, and look-ups by name.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/any_module.hpp>

namespace tenon::nn {

TENON_BODY std::vector<Tensor> AnyModule::results(std::vector<Tensor> inputs) const {
  TENON_CHECK(module_, TypeError, "AnyModule: called without a module");
  detail::HookedCall call = hooks_.before(inputs);
  std::vector<Tensor> outputs;
  bool taken = table_->call(module_, inputs, outputs);
  TENON_CHECK(taken && !outputs.empty(), TypeError, "AnyModule: ", table_->describe(module_).name, " does not take ",
              inputs.size(), " tensors, or returns none");
  hooks_.after(call, inputs, outputs);
  return outputs;
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
