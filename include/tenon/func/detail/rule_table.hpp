// Rules of operators by name, for batches and for tangents.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/base/atomic.hpp>
#include <tenon/schema/function_schema.hpp>

namespace tenon::func::detail {

/// Rules by full name (`aten::sum.dim_IntList`) or by name without overload. Any thread may add and find.
template <class Rule>
class RuleTable {
 public:
  static RuleTable& get() {
    static RuleTable table;
    return table;
  }
  /// Returns true, for a variable to be initialised with.
  bool add(std::string_view name, Rule rule) {
    std::lock_guard lock(mutex_);
    by_name_.insert_or_assign(std::string(name), rule);
    version_.store(version_.load() + 1, MemoryOrder::Release);
    return true;
  }
  /// The same rule for several of the library's operators, their names without `aten::` between spaces.
  void add_all(Rule rule, std::string_view names) {
    while (!names.empty()) {
      std::size_t end = std::min(names.find(' '), names.size());
      if (end > 0) add(std::string("aten::").append(names.substr(0, end)), rule);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }
  /// Null if there is none.
  Rule find(const schema::SchemaView& s) {
    std::lock_guard lock(mutex_);
    auto found = by_name_.find(s.operator_name());
    if (found == by_name_.end()) found = by_name_.find(s.name());
    return found == by_name_.end() ? nullptr : found->second;
  }
  /// Another number after every addition.
  std::uint32_t version() const { return version_.load(MemoryOrder::Acquire); }

 private:
  std::mutex mutex_;
  Atomic<std::uint32_t> version_{0};
  std::map<std::string, Rule, std::less<>> by_name_;
};

}  // namespace tenon::func::detail
