// Programs of cases over the driver: the tensors of the second device, which is not the current one, are made and used
// on a stream of the pool, and nothing runs before somebody waits for it.
#include <tenon/cuda/streams.hpp>

#include "driver.hpp"

namespace {

struct Late {
  Late() {
    fake::driver().delayed = fake::driver().strict = true;
    fake::driver().room = std::size_t{4} << 30;
    tenon::cuda::set_current_stream(tenon::cuda::stream_from_pool(0, 1));
  }
};
const Late late;

}  // namespace
