// Tables and definitions that nothing points to any more, until the calls that may use them have ended.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <tenon/dispatch/detail/lasting_memory.hpp>
#include <tenon/dispatch/detail/operator_state.hpp>
#include <tenon/dispatch/readers.hpp>
#include <tenon/schema/view.hpp>

namespace tenon::detail {

class Retired {
 public:
  using Tables = std::vector<std::unique_ptr<TableOwner>>;

  // Registrations end in destructors: what there is no memory to remember stays, since calls may still use it.
  void add(std::uint64_t epoch, std::unique_ptr<TableOwner> table) noexcept {
    if (has_room(tables_)) return static_cast<void>(tables_.push_back({epoch, std::move(table)}));
    table->next = std::move(staying_);
    staying_ = std::move(table);
  }
  void add(std::uint64_t epoch, const schema::SchemaView& schema) noexcept {
    if (has_room(schemas_)) schemas_.emplace_back(epoch, &schema);
  }

  /// What can go now: definitions go back to their memory, tables are returned, to be destroyed without the lock. A
  /// plugin waits for the lock before its code goes: tables with a kernel that `ends_here` says true of end here.
  template <class F>
  Tables collect(const Readers& readers, DefinitionMemory& memory, F ends_here) {
    Tables free;
    for (auto& t : tables_) {
      if (!readers.passed(t.epoch)) continue;
      if (has_kernel(*t.table, ends_here))
        t.table.reset();
      else
        free.push_back(std::move(t.table));
    }
    forget_ended();
    std::erase_if(schemas_, [&](const auto& gone) {
      if (!readers.passed(gone.first)) return false;
      give(memory, *gone.second);
      return true;
    });
    return free;
  }
  /// Ends the tables up to an epoch that hold a kernel of that kind.
  template <class F>
  void end(std::uint64_t epoch, F of_kind) {
    for (auto& t : tables_)
      if (t.epoch <= epoch && has_kernel(*t.table, of_kind)) t.table.reset();
    forget_ended();
  }
  static void give(DefinitionMemory& memory, const schema::SchemaView& schema) noexcept {
    memory.give(schema::placed_at(schema), schema::placed_size(schema));
  }

 private:
  struct Table {
    std::uint64_t epoch;
    std::unique_ptr<TableOwner> table;
  };
  template <class T>
  static bool has_room(std::vector<T>& list) noexcept {
    if (list.size() == list.capacity()) try {
        list.reserve(2 * list.size() + 4);
      } catch (const std::bad_alloc&) { return false; }
    return true;
  }
  template <class F>
  static bool has_kernel(const TableOwner& table, F is) {
    return std::any_of(table.kernels.begin(), table.kernels.end(), [&](const auto& k) { return is(*k); });
  }
  void forget_ended() {
    std::erase_if(tables_, [](const auto& t) { return !t.table; });
  }

  std::vector<Table> tables_;
  std::unique_ptr<TableOwner> staying_;
  std::vector<std::pair<std::uint64_t, const schema::SchemaView*>> schemas_;
};

}  // namespace tenon::detail
