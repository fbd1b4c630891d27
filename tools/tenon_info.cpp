// tenon-info: what the installed library is, for reports of defects.
#include <cstdio>

#include <tenon/config.hpp>
#include <tenon/dispatch/registry.hpp>

int main() {
  std::fputs(tenon::config().c_str(), stdout);
  std::size_t count = 0;
  for (const tenon::OperatorHandle& op : tenon::Registry::get().operators()) count += op.has_schema();
  std::printf("operators: %zu\n", count);
}
