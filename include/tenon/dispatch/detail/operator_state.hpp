// What an operator's entry keeps for the registry alone.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tenon/dispatch/operator_entry.hpp>

namespace tenon {
namespace detail {

/// A table with what its records point to.
struct TableOwner {
  std::unique_ptr<unsigned char[]> memory;
  std::size_t bytes = 0;
  std::unique_ptr<BoxedTarget[]> targets;
  std::unique_ptr<std::uint64_t[]> backend_masks;
  std::vector<intrusive_ptr<Kernel::State>> kernels;
  std::unique_ptr<TableOwner> next;  // of those that stay for good
  const DispatchTable* table() const { return reinterpret_cast<const DispatchTable*>(memory.get()); }
};

/// Which calls may be inside of a definition: none, such as left a mark, or any.
enum class Reach : std::uint8_t { Nobody, Marked, Unmarked };

}  // namespace detail

struct OperatorEntry::State {
  // The kernels, of those at hand, that fixed the C++ types: [0] without symbolic integers, [1] with.
  const Kernel::State* typed_by[2] = {};
  const SignatureInfo* fixed_type(bool symbolic) const {
    return typed_by[symbolic] ? typed_by[symbolic]->type : nullptr;
  }
  const SignatureInfo* declared_type = nullptr;  // of the tag that defined it
  std::uint32_t type_version = 1;                // changes with the two above
  OperatorFacts facts;                           // of the definition
  bool copied_schema = false;                    // the schema lies in the registry's memory, not in a declaration's
  std::size_t schema_hash = 0;                   // of the last definition that went
  struct Extra;
  std::unique_ptr<Extra> extra;
  Extra& with_extra() { return extra ? *extra : *(extra = std::make_unique<Extra>()); }
};

/// What only operators have that are called or out of the ordinary.
struct OperatorEntry::State::Extra {
  OperatorHandle handle;  // what boxed kernels in tables are called with
  std::vector<detail::OperatorSlot*> slots;
  // Tables beside the one in use. Kept ones may be read by calls that leave no mark and stay for good; an equal one is
  // used again, and when there are too many, the operator's calls are marked from then on.
  std::vector<detail::TableOwner> kept;
  std::unique_ptr<detail::TableOwner> marked;
  static constexpr std::size_t kKept = 8;
  detail::Reach reach = detail::Reach::Nobody;  // into this definition, by the tables there are
  // Of definitions that went while unmarked calls may be reading them: they stay, and serve their like to come.
  std::vector<const schema::SchemaView*> kept_schemas;
  struct TypedSlot {
    std::string type;
    detail::OperatorSlot slot;
  };
  std::vector<std::unique_ptr<TypedSlot>> typed_slots;
  std::vector<DispatchKey> overwritten_warned;
  std::uint32_t refused_generation = 0;  // the last that a listener refused: no other definition gets its number
  bool inferred = false;                 // the schema, from a kernel's type
  std::string fake_module;
};

struct OperatorEntry::WithState : OperatorEntry {
  using OperatorEntry::OperatorEntry;
  State own;
};
inline OperatorEntry::State& OperatorEntry::state() const {
  return const_cast<WithState*>(static_cast<const WithState*>(this))->own;
}

}  // namespace tenon
