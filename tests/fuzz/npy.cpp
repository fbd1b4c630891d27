// Feeds bytes to the readers of npy and npz; what they accept must survive being written and read again.
#include <cstdlib>
#include <cstring>

#include <tenon/data/npy.hpp>
#include <tenon/tensor/methods.hpp>

namespace {
void check_same(const tenon::Tensor& a, const tenon::Tensor& b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) std::abort();
  if (a.numel() > 0 && std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) != 0) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    Tensor t = data::decode_npy(bytes);
    if (t.is_contiguous()) check_same(t, data::decode_npy(data::encode_npy(t)));
  } catch (const FileError&) {
  } catch (const NotImplementedError&) {}
  NamedTensors all;
  try {
    all = data::decode_npz(bytes);
  } catch (const FileError&) {
  } catch (const NotImplementedError&) {}
  // What is in Fortran's order would be turned by operators, which have no kernels here.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].second.is_contiguous()) return 0;
    for (std::size_t j = 0; j < i; ++j)
      if (all[i].first == all[j].first) return 0;
  }
  NamedTensors again = data::decode_npz(data::encode_npz(all));
  if (again.size() != all.size()) std::abort();
  for (std::size_t i = 0; i < all.size(); ++i) check_same(all[i].second, again[i].second);
  return 0;
}
