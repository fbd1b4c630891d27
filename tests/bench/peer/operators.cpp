// PyTorch's side of ../operators.cpp: the same rows by the same names. ../run.py builds and runs it; meson does not.
#include <string>
#include <vector>

#include "peer.hpp"

using bench::keep;
using bench::row;

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  bench::with_threads([](const std::string& t) {
    torch::manual_seed(0);
    torch::NoGradGuard no_grad;
    {
      auto x = torch::rand({8, 64, 56, 56}), w = torch::rand({64, 64, 3, 3});
      auto xl = x.contiguous(at::MemoryFormat::ChannelsLast), wl = w.contiguous(at::MemoryFormat::ChannelsLast);
      row("conv/channels_last_8x64x56x56_k3" + t, [&] { keep(at::conv2d(xl, wl, {}, 1, 1)); });
      std::vector<at::Tensor> images;
      for (int64_t i = 0; i < 997; ++i) images.push_back(torch::rand({1, 8, 20 + i % 37, 20 + i / 37}));
      auto few = torch::rand({16, 8, 3, 3});
      std::size_t next = 0;
      row("conv/new_shapes_1x8_k3" + t, [&] { keep(at::conv2d(images[next++ % images.size()], few, {}, 1, 1)); });
    }
    {
      auto x = torch::rand({32, 64, 28, 28}), w = torch::rand({64}), b = torch::rand({64}), m = torch::zeros({64}),
           v = torch::ones({64});
      row("op/batch_norm_32x64x28x28" + t, [&] { keep(at::batch_norm(x, w, b, m, v, true, 0.1, 1e-5, true)); });
      row("op/max_pool2d_32x64x28x28_k2" + t, [&] { keep(at::max_pool2d(x, 2)); });
      row("op/dropout_32x64x28x28" + t, [&] { keep(at::dropout(x, 0.5, true)); });
    }
    {
      auto x = torch::rand({1024, 1024}), o = torch::zeros({1024, 1024});
      auto places = torch::randint(1024, {1024, 1024}, torch::kLong), i = torch::randint(1024, {1 << 16}, torch::kLong),
           j = torch::randint(1024, {1 << 16}, torch::kLong);
      auto values = torch::rand({1 << 16}), mask = x > 0.5;
      row("op/index_put_64k" + t, [&] { keep(o.index_put_({i, j}, values)); });
      row("op/gather_1m" + t, [&] { keep(at::gather(x, 1, places)); });
      row("op/scatter_add_1m" + t, [&] { keep(o.scatter_add_(1, places, x)); });
      row("op/nonzero_1m" + t, [&] { keep(at::nonzero(mask)); });
    }
    {
      auto q = torch::rand({8, 8, 512, 64}), k = torch::rand({8, 8, 512, 64}), v = torch::rand({8, 8, 512, 64});
      row("op/sdpa_8x8x512x64" + t, [&] { keep(at::scaled_dot_product_attention(q, k, v)); });
      row("op/einsum_bhqd,bhkd->bhqk" + t, [&] { keep(at::einsum("bhqd,bhkd->bhqk", {q, k})); });
      auto p = torch::rand({16, 256, 256}).to(torch::kBFloat16), r = torch::rand({16, 256, 256}).to(torch::kBFloat16);
      row("op/bmm_bf16_16x256" + t, [&] { keep(at::bmm(p, r)); });
    }
    {
      auto a = torch::rand({512, 512}), positive = at::mm(a, a.t()) + torch::eye(512);
      row("op/cholesky_512" + t, [&] { keep(at::linalg_cholesky(positive)); });
      for (int64_t n : {1 << 20, 1000000}) {
        auto z = torch::rand({n}, torch::kComplexFloat);
        row("op/fft_" + std::to_string(n) + t, [&] { keep(at::fft_fft(z)); });
      }
    }
  });
}
