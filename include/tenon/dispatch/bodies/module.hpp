// Bodies of what is known of loaded objects.
#pragma once
#include <link.h>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/module.hpp>

namespace tenon {
namespace detail {

TENON_COLD_BODY ModuleRange ModuleRange::of(const void* address) {
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

}  // namespace detail
}  // namespace tenon
