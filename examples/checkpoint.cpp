// Checkpointing: a deep network that keeps the borders of its blocks only, and what that saves.
#include <cstdio>

#include <tenon/autograd/graph/checkpoint.hpp>
#include <tenon/autograd/graph/dot.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  manual_seed(1);
  constexpr std::int64_t kWidth = 64, kBatch = 256, kBlocks = 4, kLayers = 6;
  std::vector<std::vector<Tensor>> blocks(kBlocks);
  std::vector<Tensor> parameters;
  for (auto& block : blocks)
    for (std::int64_t i = 0; i < kLayers; ++i) {
      block.push_back((ops::randn({kWidth, kWidth}) * 0.1).requires_grad_());
      parameters.push_back(block.back());
    }
  Tensor x = ops::randn({kBatch, kWidth});
  auto run = [](const Tensor& input, const std::vector<Tensor>& weights) {
    Tensor h = input;
    for (const Tensor& w : weights) h = ops::tanh(ops::mm(h, w));
    return h;
  };

  Tensor plain = x, sparing = x;
  std::vector<Tensor> borders{x};
  for (const auto& block : blocks) {
    plain = run(plain, block);
    sparing = autograd::checkpoint(run, sparing, block);
    borders.push_back(sparing);
  }
  // Parameters exist anyway; a checkpoint keeps its input, which the graph's nodes do not know of.
  std::vector<Tensor> besides = parameters;
  besides.push_back(x);
  std::size_t all = autograd::saved_bytes(plain, besides), few = autograd::saved_bytes(sparing, besides);
  for (std::size_t i = 1; i + 1 < borders.size(); ++i) few += borders[i].storage().nbytes();
  std::printf("the graph keeps %zu KiB, with checkpoints %zu KiB\n", all / 1024, few / 1024);

  auto a = autograd::grad({plain.sum()}, parameters), b = autograd::grad({sparing.sum()}, parameters);
  bool same = true;
  for (std::size_t i = 0; i < a.size(); ++i) same = same && ops::all(ops::eq(a[i], b[i])).item<bool>();
  std::printf("the gradients are %s\n", same ? "the same" : "others");
}
// Prints:
// the graph keeps 1536 KiB, with checkpoints 192 KiB
// the gradients are the same
