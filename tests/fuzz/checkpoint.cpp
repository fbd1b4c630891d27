// Feeds bytes to load_checkpoint(): what it refuses has changed no part, what it accepts survives being saved and
// loaded.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <tenon/nn/linear.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/optim/adam.hpp>
#include <tenon/optim/lr_schedules.hpp>
#include <tenon/training/checkpoint.hpp>

namespace {
using namespace tenon;

/// A file of the memory, which the reader maps like any other.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("checkpoint", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }
  void put(const std::uint8_t* data, std::size_t size) const {
    if (::write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }

 private:
  int file_;
};

struct Run {
  nn::Linear model{2, 1};
  optim::Adam adam{nn::parameters(model), {.lr = 0.5}};
  optim::StepLR schedule{adam, {.step_size = 3}};
  Generator generator{7};
  std::int64_t step = 3;
  int epoch = 1;
  double loss = 0.25;
  bool done = false;

  std::vector<training::CheckpointPart> parts() {
    return {{"model", model}, {"adam", adam},   {"schedule", schedule}, {"generator", generator},
            {"step", step},   {"epoch", epoch}, {"loss", loss},         {"done", done}};
  }
  /// All parts as the bytes of a file.
  std::string bytes() {
    NamedTensors all;
    for (const training::CheckpointPart& part : parts())
      for (const auto& [name, t] : part.state()) all.emplace_back(part.name() + "." + name, t.detach());
    return to_safetensors(all);
  }
};
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MemoryFile file;
  file.put(data, size);
  Run run;
  const std::string before = run.bytes();
  Metadata metadata;
  try {
    metadata = training::load_checkpoint(file.path(), run.parts());
  } catch (const Error&) {
    if (run.bytes() != before) std::abort();
    return 0;
  }
  static const std::string copy =
      std::filesystem::temp_directory_path() / ("tenon_fuzz_checkpoint." + std::to_string(::getpid()));
  training::save_checkpoint(copy, run.parts(), metadata);
  Run again;
  Metadata same = training::load_checkpoint(copy, again.parts());
  std::filesystem::remove(copy);
  if (same != metadata || again.bytes() != run.bytes()) std::abort();
  return 0;
}
