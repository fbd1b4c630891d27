// Shared objects that come and go: what they registered must be gone before their code is.
#pragma once
#include <link.h>

#include <cstddef>
#include <cstdint>

#include <tenon/base/shared_object.hpp>

namespace tenon::detail {

/// The addresses of one loaded object, `[begin, end)`.
struct ModuleRange {
  std::uintptr_t begin = 0, end = 0;
  bool main_program = false;
  bool contains(const void* p) const { return reinterpret_cast<std::uintptr_t>(p) - begin < end - begin; }
  friend bool operator==(const ModuleRange&, const ModuleRange&) = default;

  /// The object that holds an address; an empty range if none does.
  static ModuleRange of(const void* address) {
    struct Search {
      ModuleRange found;
      const void* address;
      bool first;
    } search{{}, address, true};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
          auto& s = *static_cast<Search*>(data);
          ModuleRange range;
          range.begin = ~std::uintptr_t{0};
          range.main_program = s.first;
          s.first = false;
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            if (part.p_type != PT_LOAD) continue;
            std::uintptr_t at = info->dlpi_addr + part.p_vaddr;
            range.begin = at < range.begin ? at : range.begin;
            range.end = at + part.p_memsz > range.end ? at + part.p_memsz : range.end;
          }
          if (!range.contains(s.address)) return 0;
          s.found = range;
          return 1;
        },
        &search);
    return search.found;
  }
};

}  // namespace tenon::detail
