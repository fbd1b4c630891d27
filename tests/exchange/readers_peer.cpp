// Files for other programs' readers: readers_peer traces FOLDER CALLS | logs FOLDER | npz IN OUT | torch IN OUT | save
// IN OUT.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <tenon/tenon.hpp>

#include <tenon/data/npy.hpp>
#include <tenon/data/torch_file.hpp>
#include <tenon/data/torch_save.hpp>
#include <tenon/profiler.hpp>
#include <tenon/training/summary_writer.hpp>

namespace readers {
using namespace tenon;

TENON_OPERATORS_PLAIN(noop, "readers::noop(Tensor a, Tensor b) -> Tensor");
Tensor noop_kernel(const Tensor& a, const Tensor&) { return a; }
TENON_LIBRARY(readers, m) { m.def<noop_base>(); }
TENON_LIBRARY_IMPL(readers, CompositeImplicitAutograd, m) { m.impl<noop_base, &noop_kernel>(); }

/// Nanoseconds of a call.
double time_of(long calls, const Tensor& a) {
  auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) noop(a, a);
  std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(calls);
}

int traces(const std::string& folder, long calls) {
  Tensor a = tensor({1.0, 2.0});
  NoGradGuard no_grad;
  double off = 1e9, on = 1e9;
  time_of(calls / 10, a);
  // Batches shorter than the time for which other programs leave a processor alone.
  for (int i = 0; i < 200; ++i) {
    off = std::min(off, time_of(2000, a));
    profiler::Profiler profiler;
    time_of(1000, a);
    on = std::min(on, time_of(2000, a));
  }
  profiler::Profiler profiler;
  {
    profiler::Range range("all calls");
    time_of(calls, a);
  }
  std::string trace = profiler::perfetto_trace(profiler.profile());
  std::ofstream(folder + "/calls.perfetto-trace", std::ios::binary) << trace;
  std::printf("off %.2f on %.2f bytes %.2f\n", off, on, static_cast<double>(trace.size()) / static_cast<double>(calls));

  profiler::Profiler step({.shapes = true, .memory = true, .flops = true});
  Tensor w = ops::ones({3, 4}).requires_grad_();
  {
    AutoGradMode with_grad(true);
    profiler::Range range("step \"one\" \\ \t é");
    ops::linear(ops::ones({2, 4}), w).sum().backward();
  }
  profiler::Profile profile = step.profile();
  std::ofstream(folder + "/step.json") << profiler::chrome_trace(profile);
  std::ofstream(folder + "/step.perfetto-trace", std::ios::binary) << profiler::perfetto_trace(profile);
  std::ofstream(folder + "/step.svg") << profiler::flame_graph(profile);
  return 0;
}

int logs(const std::string& folder) {
  training::TensorBoardWriter writer(folder);
  for (int step = 0; step < 1000; ++step) writer.add_scalar("train/loss", 1.0 / (step + 1), step);
  writer.add_histogram("weights", tensor({-1.0, 0.0, 0.5, 0.5, 3.0}), 4);
  writer.add_image("digit", ops::ones({3, 2, 5}), 300);
  writer.add_text("note", "plain words", 7);
  nn::Sequential net{nn::Linear{3, 2}, nn::Tanh{}};
  writer.add_graph(net(ops::ones({4, 3})).sum(), nn::named_parameters(net));
  writer.add_scalar("timed", 0.5, 1, 1234.5);
  writer.add_scalars("run/loss", {{"train", 0.5}, {"test", 0.75}}, 3);
  writer.add_histogram("bins", tensor({-1.0, 0.0, 0.5, 0.5, 2.0, 3.0}), 4, 4);
  writer.add_images("batch", ops::ones({3, 1, 2, 5}), 1);
  writer.add_pr_curve("curve", tensor({0, 1, 1, 0, 1}), tensor({0.1, 0.4, 0.35, 0.8, 1.0}), 6, 5);
  writer.add_hparams({{"lr", 0.1}, {"size", 32}, {"optimizer", "adam"}, {"nesterov", true}}, {{"accuracy", 0.75}},
                     "one", 2);
  writer.add_audio("sound", tensor({0.0, 0.5, -1.0}), 8, 8000);
  writer.add_mesh("shape", ops::ones({1, 4, 3}), ops::full({1, 4, 3}, 255), ops::ones({1, 2, 3}, "dtype"_a = kLong),
                  R"({"camera": {"cls": "PerspectiveCamera"}})", 9);
  writer.add_embedding(tensor({{0.5, 1.0}, {2.0, -3.25}, {0.0, 0.1}}),
                       {.metadata = {{"cat", "1"}, {"dog", "2"}, {"owl \"", "3"}},
                        .label_img = ops::ones({3, 3, 2, 5}),
                        .step = 12,
                        .tag = "words/all",
                        .metadata_header = {"name", "size"}});
  writer.add_custom_scalars({{"losses", {{"both", {"train/loss", "timed"}}, {"band", {"a", "b", "c"}, true}}}});
  writer.flush();
  return 0;
}

/// Writes what was read, and the bits of the first of its views beside it.
int save(const std::string& in, const std::string& out) {
  Value all = data::load_torch(in);
  for (const auto& [key, value] : std::vector(all.to_dict()))
    if (key.to_string_view() == "views")
      all.to_dict().emplace_back(Value("bits"), Value(value.to_list().at(0).to_tensor().view(kInt)));
  data::save_torch(out, all);
  return 0;
}
}  // namespace readers

int main(int argc, char** argv) {
  using namespace tenon;
  std::string_view what = argc == 4 || argc == 3 ? argv[1] : "";
  try {
    if (what == "traces") return readers::traces(argv[2], std::atol(argv[3]));
    if (what == "logs") return readers::logs(argv[2]);
    if (what == "npz") return data::save_npz(argv[3], data::load_npz(argv[2])), 0;
    if (what == "torch") return save_safetensors(argv[3], data::named_tensors(data::load_torch(argv[2]))), 0;
    if (what == "save") return readers::save(argv[2], argv[3]);
  } catch (const Error& e) { std::fprintf(stderr, "%s\n", e.what()); }
  return 1;
}
