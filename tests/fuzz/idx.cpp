// Feeds bytes to the reader of IDX files, gzipped ones too.
#include <tenon/data/idx.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  try {
    data::decode_idx(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const FileError&) {
  } catch (const NotImplementedError&) {}
  return 0;
}
