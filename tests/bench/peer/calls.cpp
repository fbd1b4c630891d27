// PyTorch's side of ../calls.cpp: the same rows by the same names. ../run.py builds and runs it; meson does not.
#include "peer.hpp"

using bench::keep;
using bench::row;

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  torch::manual_seed(0);
  auto a = torch::rand({8, 8}), b = torch::rand({8, 8}), bias = torch::rand({8});
  auto classes = torch::randint(8, {8}, torch::kLong), places = torch::randint(8, {4}, torch::kLong);
  row("small/select", [&] { keep(a.select(0, 1)); });
  row("small/index_number", [&] { keep(a[1]); });
  row("small/unsqueeze", [&] { keep(a.unsqueeze(0)); });
  row("small/permute", [&] { keep(a.permute({1, 0})); });
  row("small/reshape", [&] { keep(a.reshape({64})); });
  row("small/stack", [&] { keep(at::stack({a, b})); });
  row("small/cat", [&] { keep(at::cat({a, b})); });
  row("small/linear", [&] { keep(at::linear(a, b, bias)); });
  row("small/cross_entropy", [&] { keep(at::cross_entropy_loss(a, classes)); });
  row("small/softmax", [&] { keep(a.softmax(1)); });
  row("small/index_select", [&] { keep(a.index_select(0, places)); });
  row("small/rand", [&] { keep(at::rand({8, 8})); });
  row("small/gt_number", [&] { keep(a > 0); });
  row("small/mul_number", [&] { keep(a * 2); });
  row("small/clone", [&] { keep(a.clone()); });
  row("small/to_double", [&] { keep(a.to(torch::kDouble)); });
  row("small/sum_dim", [&] { keep(a.sum(1)); });
  row("small/mean", [&] { keep(a.mean()); });
}
