// Bodies of operators in the registry.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/operator_state.hpp>
#include <tenon/dispatch/report.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {
TENON_COLD_BODY const schema::SchemaView& OperatorHandle::schema() const {
  if (generation_ != 0 && generation_ != entry_->generation()) detail::report_unregistered(*entry_);
  return entry_->schema();
}
TENON_COLD_BODY const schema::SchemaView& OperatorEntry::schema() const {
  if (const auto* schema = schema_.load(MemoryOrder::Acquire)) return *schema;
  if (generation() != 0) detail::report_unregistered(*this);
  fail<InternalError>("Tried to access the schema for ", name(), " which doesn't have a schema registered yet");
}
TENON_COLD_BODY bool OperatorEntry::has_tag(std::string_view tag) const {
  auto known = tag_from_name(tag);
  return known && has_tag(*known);
}
TENON_COLD_BODY const OperatorFacts& OperatorEntry::facts() const { return state().facts; }
TENON_COLD_BODY std::string_view OperatorEntry::fake_kernel_module() const {
  return state().extra ? std::string_view(state().extra->fake_module) : std::string_view();
}
TENON_COLD_BODY std::string OperatorEntry::description() const {
  const auto* schema = schema_.load(MemoryOrder::Acquire);
  return schema ? schema::to_string(*schema) : std::string(name());
}
TENON_COLD_BODY const OperatorEntry::KernelState* OperatorEntry::kernel_at(DispatchKey k) const {
  for (const auto& at : kernels_)
    if (at.key == k) return &at.kernel;
  return nullptr;
}
TENON_COLD_BODY bool OperatorEntry::has_kernel_in(KeySet set) const {
  for (const auto& at : kernels_)
    if (!is_alias_key(at.key) && set.has_all(KeySet(at.key)) && at.key != DispatchKey::Undefined) return true;
  return false;
}

}  // namespace tenon
