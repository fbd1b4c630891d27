// Feeds bytes to the reader of torch.save()'s files; every element of what it accepts must be there.
#include <cstdlib>
#include <cstring>
#include <string>

#include <tenon/data/torch_file.hpp>
#include <tenon/tensor/methods.hpp>

namespace {
/// The numbers of a tensor, by its strides; dimensions of which one place stands many times are read once.
unsigned read_all(const tenon::Tensor& t) {
  unsigned sum = 0;
  auto walk = [&](auto& self, std::size_t d, const unsigned char* at) -> void {
    if (d == static_cast<std::size_t>(t.dim())) {
      for (std::size_t i = 0; i < tenon::item_size(t.dtype()); ++i) sum += at[i];
      return;
    }
    std::int64_t n = t.strides()[d] == 0 ? 1 : t.sizes()[d], step = t.strides()[d];
    // The first and the last of many are as far out as any.
    for (std::int64_t i = 0; i<n; i = n> 4 && i == 1 ? n - 1 : i + 1)
      self(self, d + 1,
           at + static_cast<std::ptrdiff_t>(i * step) * static_cast<std::ptrdiff_t>(tenon::item_size(t.dtype())));
  };
  if (t.numel() > 0 && t.dim() < 8) walk(walk, 0, static_cast<const unsigned char*>(t.data_ptr()));
  return sum;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  try {
    volatile unsigned sum = 0;
    Value value = data::decode_torch(std::string(reinterpret_cast<const char*>(data), size));
    for (const auto& [name, t] : data::named_tensors(value)) sum = sum + read_all(t);
  } catch (const FileError&) {
  } catch (const NotImplementedError&) {
  } catch (const ValueError&) {}
  return 0;
}
