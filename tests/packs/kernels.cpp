// The kernels of the pack.
#include <tenon/library/library.hpp>
#include <tenon/library/pack.hpp>

TENON_PACK(demo_kernels);

TENON_LIBRARY_IMPL(_pack, CompositeExplicitAutograd, m) {
  m.impl("answer", []() -> std::int64_t { return 42; });
}
