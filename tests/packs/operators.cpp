// A pack of two sources in a static archive: the operators.
#include <tenon/library/library.hpp>
#include <tenon/library/pack.hpp>

TENON_PACK(demo);
TENON_USE_PACK(demo_kernels);

TENON_LIBRARY(_pack, m) { m.def("answer() -> int"); }
