#include <array>

#include <catch.hpp>

#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/parse.hpp>
#include <tenon/schema/print.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {

// A sample of aten's schemas: each kind of type, default, alias annotation and return.
// clang-format off
#define SCHEMAS(X) \
  X("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor") \
  X("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)") \
  X("aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)") \
  X("aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)") \
  X("aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], str padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor") \
  X("aten::einsum.sublist(Tensor a, ...) -> Tensor") \
  X("aten::has_torch_function(...) -> bool") \
  X("aten::owner(RRef(t) self) -> __torch__.torch.classes.dist_rpc.WorkerInfo") \
  X("aten::quantized_lstm.input(Tensor input, Tensor[] hx, __torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first, *, ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, Tensor)") \
  X("aten::items.str(Dict(str, t) self) -> ((str, t)[])") \
  X("aten::dict.Tensor((Tensor, tVal)[] inputs) -> Dict(Tensor, tVal)") \
  X("aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)") \
  X("aten::get.str(Dict(str, t) self, str key) -> t(*)?") \
  X("aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)") \
  X("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]") \
  X("aten::_test_string_default(Tensor dummy, str a=\"\\\"\\'\\\\\", str b=\"\\\"\\'\\\\\") -> Tensor") \
  X("aten::lstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str") \
  X("aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)") \
  X("aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor") \
  X("aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor") \
  X("aten::_empty_affine_quantized(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, float scale=1., int zero_point=0, MemoryFormat? memory_format=0) -> Tensor") \
  X("aten::_cudnn_rnn_backward.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!)[] out3) -> ()") \
  X("aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)") \
  X("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor") \
  X("aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor") \
  X("aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor") \
  X("aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)") \
  X("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)") \
  X("aten::_fused_adamw_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()") \
  X("aten::_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]") \
  X("aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor") \
  X("aten::copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)") \
  X("aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]") \
  X("aten::wait(Future(t) self) -> t") \
  X("aten::Generator(*, Device? device=None, int? seed=None) -> Generator") \
  X("aten::eq.enum(AnyEnumType a, AnyEnumType b) -> bool") \
  X("aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor") \
  X("aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor") \
  X("aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor") \
  X("aten::__getitem__.Dict_str(Dict(str, t) self, str key) -> t(*)") \
  X("aten::sort.any(t[](a!) self, bool reverse=False) -> ()") \
  X("aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor") \
  X("aten::_unwrap_optional(t(a)? optional) -> t(a)")
// clang-format on

/// Folds every descriptor into one number: compilers and the run-time parser must agree on it.
constexpr std::uint64_t digest(const SchemaView& s) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a, 64 bits
  auto add = [&h](std::uint64_t v) {
    for (int i = 0; i < 8; ++i, v >>= 8) h = (h ^ (v & 0xff)) * 1099511628211u;
  };
  const Head& d = *s.head;
  for (std::uint64_t v : {d.name_offset, d.name_length, d.namespace_length, d.overload_length, d.n_args, d.n_returns,
                          d.n_types, d.kwarg_start})
    add(v);
  add(d.is_vararg * 4u + d.is_varret * 2u + d.ok());
  auto argument = [&](const Argument& a) {
    add(a.cpp_code);
    for (std::uint64_t v : {a.name_offset, a.name_length, a.default_offset, a.default_length}) add(v);
    add(static_cast<std::uint64_t>(a.type) << 16 | static_cast<std::uint64_t>(a.default_kind) << 8 | a.kwarg_only * 2u |
        a.write);
  };
  for (unsigned i = 0; i < d.n_args; ++i) argument(s.args[i]);
  for (unsigned i = 0; i < d.n_returns; ++i) argument(s.returns[i]);
  for (unsigned i = 0; i < d.n_types; ++i) {
    const TypeNode& t = s.types[i];
    add(static_cast<std::uint64_t>(t.kind) << 8 | t.has_alias * 2u | t.write);
    add(static_cast<std::uint16_t>(t.child) | static_cast<std::uint64_t>(static_cast<std::uint16_t>(t.next)) << 16 |
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(t.size)) << 32);
    for (std::uint64_t v : {t.text_offset, t.text_length, t.alias_offset, t.alias_length}) add(v);
    add(t.before);
    add(t.after);
  }
  return h;
}

template <std::size_t N>
struct Literal {
  char data[N];
  constexpr Literal(const char (&text)[N]) {
    for (std::size_t i = 0; i < N; ++i) data[i] = text[i];
  }
  constexpr std::string_view view() const { return {data, N - 1}; }
};
template <Literal L>
constexpr std::uint64_t digest_at_compile_time() {
  constexpr Counts room = count(L.view());
  constexpr auto data = parse<room.args, room.returns, room.types>(L.view());
  static_assert(data.head.ok());
  return digest(data.view(L.view()));
}

constexpr std::string_view texts[] = {
#define X(TEXT) TEXT,
    SCHEMAS(X)
#undef X
};
constexpr std::uint64_t digests[] = {
#define X(TEXT) digest_at_compile_time<TEXT>(),
    SCHEMAS(X)
#undef X
};
constexpr std::uint64_t folded() {
  std::uint64_t h = 0;
  for (std::uint64_t d : digests) h = h * 31 + d;
  return h;
}
static_assert(folded() == 6912468050918828074u, "every compiler parses the sample to the same descriptors");

}  // namespace

TEST_CASE("compile time and run time parse aten's schemas to the same descriptors", "[schema][parse]") {
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    auto s = FunctionSchema::parse(texts[i]);
    CAPTURE(texts[i]);
    CHECK(digest(s) == digests[i]);
    CHECK(to_string(s) == texts[i]);
  }
}
