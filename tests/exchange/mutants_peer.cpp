// Reads the files of a pack, each after its length in four bytes: mutants_peer FORMAT PACK. A line for each:
// `accepted`, `refused`, or `lacking` where the program has no zlib or libpng for it. What throws another error than
// the library's ends the program.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <tenon/base/error.hpp>
#include <tenon/data/csv.hpp>
#include <tenon/data/idx.hpp>
#include <tenon/data/image.hpp>
#include <tenon/data/npy.hpp>
#include <tenon/data/png.hpp>
#include <tenon/data/torch_file.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/training/checkpoint.hpp>

namespace {
using namespace tenon;

/// Takes what the file says of it; a checkpoint that is refused must not have touched it.
struct Weights {
  NamedTensors loaded{};
  NamedTensors state() const { return loaded; }
  void load_state(const NamedTensors& tensors) { loaded = tensors; }
};

void read_checkpoint(const std::string& bytes, const std::string& path) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  Weights model;
  Generator generator;
  std::int64_t step = -1;
  double loss = -1;
  try {
    training::load_checkpoint(path, {{"model", model}, {"generator", generator}, {"step", step}, {"loss", loss}});
  } catch (const Error&) {
    if (!model.loaded.empty() || step != -1 || loss != -1) {
      std::fprintf(stderr, "a checkpoint that is refused changed what it should load\n");
      std::abort();
    }
    throw;
  }
}

/// Every byte of what is accepted is read.
unsigned sum(const Tensor& t) {
  unsigned total = 0;
  if (!t.is_contiguous()) return total;
  const auto* at = static_cast<const unsigned char*>(t.data_ptr());
  for (std::size_t i = 0; i < t.nbytes(); ++i) total += at[i];
  return total;
}
unsigned sum(const NamedTensors& tensors) {
  unsigned total = 0;
  for (const auto& [name, t] : tensors) total += sum(t);
  return total;
}

void read(std::string_view format, const std::string& bytes, const std::string& path) {
  volatile unsigned total = 0;
  if (format == "safetensors") total = sum(SafetensorsFile::from_bytes(bytes).tensors());
  if (format == "npy") total = sum(data::decode_npy(bytes));
  if (format == "npz") total = sum(data::decode_npz(bytes));
  if (format == "torch") data::named_tensors(data::decode_torch(bytes));
  if (format == "csv") total = sum(data::decode_csv(bytes, "csv", {}, kDouble));
  if (format == "idx") total = sum(data::decode_idx(bytes));
  if (format == "png") total = sum(data::decode_png(bytes));
  if (format == "ppm") total = sum(data::decode_ppm(bytes));
  if (format == "checkpoint") read_checkpoint(bytes, path);
  (void)total;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream file(argv[2], std::ios::binary);
  const std::string pack{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at = 0; at + 4 <= pack.size();) {
    std::uint32_t size;
    std::memcpy(&size, pack.data() + at, 4);
    const std::string bytes = pack.substr(at + 4, size);
    at += 4 + size;
    const char* answer = "accepted";
    try {
      read(argv[1], bytes, std::string(argv[2]) + ".one");
    } catch (const Error& e) {
      std::string why = e.what();
      bool lacks = why.find("needs zlib") != std::string::npos || why.find("needs libpng") != std::string::npos;
      answer = lacks ? "lacking" : "refused";
    }
    std::puts(answer);
    std::fflush(stdout);
  }
}
