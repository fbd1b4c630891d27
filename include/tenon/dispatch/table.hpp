// The dispatch table of one operator: a byte per key that indexes a few kernel records.
#pragma once
#include <cstdint>

#include <tenon/boxing/kernel.hpp>

namespace tenon::detail {

/// Immutable once published, so that a call sees the old table or the new one, never a mix.
struct DispatchTable {
  std::uint64_t mask = ~std::uint64_t{0};  ///< without the keys whose kernel is a fallthrough
  std::int32_t n_args = -1;                ///< of the definition; -1 without one, and then no call may use the table
  std::uint32_t generation = 0;            ///< of the definition
  /// Calls take the slow way: the table is not built yet, has no definition, is traced, has a mask per backend or may
  /// be freed.
  bool special = true;
  bool traced = false;
  std::uint8_t n_records = 1;
  std::uint8_t slot[kTableSize] = {};            ///< 0: no kernel
  std::uint32_t type_version = 0;                ///< which C++ types the records have; never 0 once built
  const std::uint64_t* backend_masks = nullptr;  ///< kBackends of them if they differ
  const SignatureInfo* signature = nullptr;      ///< the operator's C++ type, if a unit has told it
  KernelRecord records[1] = {};                  ///< n_records of them; the first stays empty

  [[gnu::always_inline]] const KernelRecord& at(KeySet keys) const { return records[slot[keys.table_index()]]; }
  /// The same where the set is most often that of the bits `Usual`, with or without the `Lower` ones: then there is no
  /// search for its highest key.
  template <std::uint64_t Usual, std::uint64_t Lower = 0>
  [[gnu::always_inline]] const KernelRecord& at(KeySet keys) const {
    constexpr unsigned index = KeySet(Usual).table_index();
    if ((keys.bits() | Lower) == (Usual | Lower)) [[likely]]
      return records[slot[index]];
    return at(keys);
  }
  std::uint64_t mask_for(KeySet keys) const { return backend_masks ? backend_masks[keys.backend_index()] : mask; }
};
inline constinit const DispatchTable unbuilt_table{};

}  // namespace tenon::detail
