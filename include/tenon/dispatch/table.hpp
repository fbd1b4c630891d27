// The dispatch table of one operator: a byte per key that indexes a few kernel records.
#pragma once
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

#include <tenon/boxing/kernel.hpp>

namespace tenon::detail {

/// Immutable once published, so that a call sees the old table or the new one, never a mix.
struct DispatchTable {
  std::uint64_t mask = ~std::uint64_t{0};  ///< without the keys whose kernel is a fallthrough
  /// The call takes the slow way: the table is not built yet, calls are traced, or each backend has its own mask.
  bool special = true;
  std::uint8_t n_records = 1;
  std::uint8_t slot[kTableSize] = {};      ///< 0: no kernel
  KernelRecord records[1] = {};            ///< n_records of them; the first stays empty

  [[gnu::always_inline]] const KernelRecord& at(KeySet keys) const { return records[slot[keys.table_index()]]; }
};
inline constinit const DispatchTable unbuilt_table{};

}  // namespace tenon::detail
