// expect-error: a key set and PyTorch's numbers of keys have room for 16 back ends, and all are taken
#include <tenon/keys/dispatch_key.hpp>

#ifdef FIXED
static_assert(tenon::detail::check_backends<16>::count == tenon::kBackends);
#else
static_assert(tenon::detail::check_backends<17>::count == tenon::kBackends);
#endif
