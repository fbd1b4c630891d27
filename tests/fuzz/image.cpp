// Feeds bytes to the readers of pictures; a PPM that is accepted must come back.
#include <cstdlib>
#include <cstring>

#include <tenon/data/image.hpp>
#include <tenon/data/png.hpp>
#include <tenon/tensor/methods.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    data::decode_png(bytes);
  } catch (const FileError&) {
  } catch (const NotImplementedError&) {}
  try {
    Tensor t = data::decode_ppm(bytes);
    if (t.dtype() != kByte) return 0;
    Tensor again = data::decode_ppm(data::encode_ppm(t));
    if (again.sizes() != t.sizes() || std::memcmp(again.data_ptr(), t.data_ptr(), t.nbytes()) != 0) std::abort();
  } catch (const FileError&) {}
  return 0;
}
