// Operators of networks, indexing, linear algebra and spectra on tensors of a usual size.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

BENCH_PART(operators) {
  bench::with_threads([](const std::string& t) {
    manual_seed(0);
    NoGradGuard no_grad;
    {
      Tensor x = ops::rand({8, 64, 56, 56}), w = ops::rand({64, 64, 3, 3});
      row("conv/conv2d_32x64x56x56_k3" + t, [&] { keep(ops::conv2d(x, w, "stride"_a = 1, "padding"_a = 1)); });
      Tensor xl = x.contiguous(MemoryFormat::ChannelsLast), wl = w.contiguous(MemoryFormat::ChannelsLast);
      row("conv/channels_last_8x64x56x56_k3" + t, [&] { keep(ops::conv2d(xl, wl, "stride"_a = 1, "padding"_a = 1)); });
      std::vector<Tensor> images;
      for (std::int64_t i = 0; i < 997; ++i) images.push_back(ops::rand({1, 8, 20 + i % 37, 20 + i / 37}));
      Tensor few = ops::rand({16, 8, 3, 3});
      std::size_t next = 0;
      row("conv/new_shapes_1x8_k3" + t,
          [&] { keep(ops::conv2d(images[next++ % images.size()], few, "stride"_a = 1, "padding"_a = 1)); });
    }
    {
      Tensor x = ops::rand({32, 64, 28, 28}), w = ops::rand({64}), b = ops::rand({64}), m = ops::zeros({64}),
             v = ops::ones({64});
      row("op/batch_norm_32x64x28x28" + t, [&] { keep(ops::batch_norm(x, w, b, m, v, true, 0.1, 1e-5, true)); });
      row("op/max_pool2d_32x64x28x28_k2" + t, [&] { keep(ops::max_pool2d(x, 2)); });
      row("op/dropout_32x64x28x28" + t, [&] { keep(ops::dropout(x, 0.5, true)); });
    }
    {
      Tensor x = ops::rand({1024, 1024}), o = ops::zeros({1024, 1024});
      Tensor places = ops::randint(1024, {1024, 1024}), i = ops::randint(1024, {1 << 16}),
             j = ops::randint(1024, {1 << 16});
      Tensor values = ops::rand({1 << 16}), mask = ops::gt(x, 0.5);
      row("op/index_put_64k" + t, [&] { keep(o.index_put_({i, j}, values)); });
      row("op/gather_1m" + t, [&] { keep(ops::gather(x, 1, places)); });
      row("op/scatter_add_1m" + t, [&] { keep(o.scatter_add_(1, places, x)); });
      row("op/nonzero_1m" + t, [&] { keep(ops::nonzero(mask)); });
    }
    {
      Tensor q = ops::rand({8, 8, 512, 64}), k = ops::rand({8, 8, 512, 64}), v = ops::rand({8, 8, 512, 64});
      row("op/sdpa_8x8x512x64" + t, [&] { keep(ops::scaled_dot_product_attention(q, k, v)); });
      row("op/einsum_bhqd,bhkd->bhqk" + t, [&] { keep(ops::einsum("bhqd,bhkd->bhqk", std::vector<Tensor>{q, k})); });
      Tensor p = ops::rand({16, 256, 256}).to(kBFloat16), r = ops::rand({16, 256, 256}).to(kBFloat16);
      row("op/bmm_bf16_16x256" + t, [&] { keep(ops::bmm(p, r)); });
    }
    {
      Tensor a = ops::rand({512, 512}), positive = ops::mm(a, a.t()) + ops::eye(512);
      row("op/cholesky_512" + t, [&] { keep(ops::linalg_cholesky(positive)); });
      for (std::int64_t n : {1 << 20, 1000000}) {
        Tensor z = ops::rand({n}, "dtype"_a = kComplexFloat);
        row("op/fft_" + std::to_string(n) + t, [&] { keep(ops::fft_fft(z)); });
      }
    }
  });
}
