// PyTorch's side of the rows of ../pointwise.cpp on views, by the same names.
#include <string>
#include <vector>

#include "peer.hpp"

using bench::row;

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  bench::with_threads([](const std::string& suffix) {
    torch::NoGradGuard no_grad;
    auto inside = [](at::Tensor t) {
      for (int64_t d = 0; d < t.dim(); ++d) t = t.narrow(d, 1, t.size(d) - 2);
      return t;
    };
    for (std::vector<int64_t> grid : {std::vector<int64_t>{512, 512}, {64, 64, 64}, {10, 32, 32, 32}}) {
      at::Tensor x = inside(torch::zeros(grid)), y = inside(torch::ones(grid));
      std::string name = std::to_string(grid.size()) + "d" + suffix;
      row("cache/inside_add_/" + name, [&] { x.add_(y); });
      row("cache/inside_mul_number_/" + name, [&] { x.mul_(0.5); });
    }
  });
}
