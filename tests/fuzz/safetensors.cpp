// Feeds bytes to the reader of safetensors; what it accepts must survive being written and read again.
#include <cstdlib>
#include <cstring>

#include <tenon/io/safetensors.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  NamedTensors tensors;
  Metadata metadata;
  try {
    auto file = SafetensorsFile::from_bytes(std::string(reinterpret_cast<const char*>(data), size));
    metadata = file.metadata();
    tensors = file.tensors();
  } catch (const FileError&) { return 0; } catch (const NotImplementedError&) {
    return 0;
  }
  auto again = SafetensorsFile::from_bytes(to_safetensors(tensors, metadata));
  if (again.metadata() != metadata || again.entries().size() != tensors.size()) std::abort();
  for (const auto& [name, tensor] : tensors) {
    std::string_view bytes = again.bytes(again.entry(name));
    if (bytes.size() != tensor.nbytes() ||
        (!bytes.empty() && std::memcmp(bytes.data(), tensor.data_ptr(), bytes.size()) != 0))
      std::abort();
  }
  return 0;
}
