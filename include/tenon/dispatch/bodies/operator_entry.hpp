// Bodies of operators in the registry.
#pragma once
#include <algorithm>
#include <charconv>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/bodies/operator_state.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {
namespace detail {}  // namespace detail

TENON_BODY OperatorEntry::OperatorEntry(std::string full_name)
    : name_(std::move(full_name)), handle_(this), state_(new State) {
  slot_.name = name_;
  state_->slots.push_back(&slot_);
}
TENON_BODY OperatorEntry::~OperatorEntry() { delete state_; }

TENON_BODY const schema::SchemaView& OperatorEntry::schema() const {
  if (!has_schema())
    fail<InternalError>("Tried to access the schema for ", name_, " which doesn't have a schema registered yet");
  return schema_;
}
TENON_BODY bool OperatorEntry::has_tag(std::string_view tag) const {
  return std::find(tags_.begin(), tags_.end(), tag) != tags_.end();
}
TENON_BODY std::string OperatorEntry::description() const { return has_schema() ? schema::to_string(schema_) : name_; }
TENON_BODY const OperatorEntry::KernelState* OperatorEntry::kernel_at(DispatchKey k) const {
  for (const auto& list : kernels_)
    if (list.key == k) return &list.kernels.front();
  return nullptr;
}
TENON_BODY bool OperatorEntry::has_kernel_in(KeySet set) const {
  for (const auto& list : kernels_)
    if (!is_alias_key(list.key) && set.has_all(KeySet(list.key)) && list.key != DispatchKey::Undefined) return true;
  return false;
}

}  // namespace tenon
