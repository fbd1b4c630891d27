// Meta tensors of symbolic sizes.
#include <tenon/tenon.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {

std::string text(SymIntArrayRef list) { return concat(list); }
std::string shape(const Tensor& t) { return text(t.sym_sizes()); }
std::vector<std::string> guards(const intrusive_ptr<SymEnv>& env) {
  std::vector<std::string> out;
  for (const auto& g : env->guards()) out.push_back(g.text);
  return out;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a symbolic tensor answers as SymInts", "[tensor][symbolic]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4);
  Tensor x = ops::empty({n, 16}, "device"_a = kMeta);
  CHECK(x.is_symbolic());
  CHECK(x.dim() == 2);
  CHECK(x.is_contiguous());
  CHECK(x.dtype() == kFloat);
  CHECK(shape(x) == "[s0, 16]");
  CHECK(text(x.sym_strides()) == "[16, 1]");
  CHECK(to_string(x.sym_size(0)) == "s0");
  CHECK(to_string(x.sym_size(-1)) == "16");
  CHECK(to_string(x.sym_numel()) == "16*s0");
  CHECK(to_string(x.sym_nbytes()) == "64*s0");
  CHECK(to_string(x.sym_storage_offset()) == "0");
  CHECK(x.storage().nbytes() == 0);
  CHECK(guards(env) == Texts{"s0 > 0"});
  CHECK(text(ops::empty({2, n, n + 1}, "device"_a = kMeta).sym_strides()) == "[s0 + s0*s0, s0 + 1, 1]");
  CHECK(text(ops::empty({2, 3, n, 5}, "device"_a = kMeta, "memory_format"_a = MemoryFormat::ChannelsLast)
                 .sym_strides()) == "[15*s0, 1, 15, 3]");
  CHECK(guards(env) == Texts{"s0 > 0"});
}

TEST_CASE("the sym accessors serve plain tensors too", "[tensor][symbolic]") {
  Tensor x = ops::empty({2, 3});
  CHECK_FALSE(x.is_symbolic());
  CHECK(text(x.sym_sizes()) == "[2, 3]");
  CHECK(text(x.sym_strides()) == "[3, 1]");
  CHECK(x.sym_size(1) == 3);
  CHECK(x.sym_numel() == 6);
  CHECK(x.t().select(0, 1).sym_storage_offset() == 1);
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4);
  CHECK_FALSE(ops::empty({n - n + 2, 3}, "device"_a = kMeta).is_symbolic());
}

TEST_CASE("plain accessors of a symbolic tensor throw and name the call and its symbolic form", "[tensor][symbolic]") {
  auto env = make_intrusive<SymEnv>();
  Tensor x = ops::empty({env->symbol(4), 16}, "device"_a = kMeta);
  CHECK_ERROR(x.sizes(), TypeError,
              "sizes(): expected a tensor of plain sizes, strides and offset, got one of sizes [s0, 16], strides "
              "[16, 1]; use sym_sizes()");
  CHECK_ERROR_CONTAINS(x.size(0), TypeError, "use sym_sizes()");
  CHECK_ERROR_CONTAINS(x.strides(), TypeError, "use sym_strides()");
  CHECK_ERROR_CONTAINS(x.numel(), TypeError, "use sym_numel()");
  CHECK_ERROR_CONTAINS(x.nbytes(), TypeError, "use sym_numel()");
  CHECK_ERROR_CONTAINS(x.storage_offset(), TypeError, "use sym_storage_offset()");
  CHECK_ERROR_CONTAINS(x.data_ptr(), TypeError, "which has no data");
  CHECK_ERROR_CONTAINS(x.data_ptr<float>(), TypeError, "data_ptr()");
  CHECK_ERROR_CONTAINS(x.item(), TypeError, "numel()");
}

TEST_CASE("only Meta tensors are symbolic", "[tensor][symbolic]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4);
  CHECK_ERROR_CONTAINS(ops::empty({n, 2}), TypeError, "argument 1 is symbolic");
  CHECK_ERROR_CONTAINS(make_tensor_symbolic({n, 2}, {}, kFloat, kCPU), ValueError,
                       "only tensors on device meta may be symbolic");
  CHECK_ERROR_CONTAINS(ops::empty({n - 9, 2}, "device"_a = kMeta), ValueError, "negative dimension s0 - 9");
  CHECK(guards(env) == Texts{"s0 - 9 <= 0", "s0 - 9 < 0"});
}

TEST_CASE("a symbolic tensor can be made plain and symbolic again", "[tensor][symbolic]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4);
  Tensor x = ops::empty({n, 16}, "device"_a = kMeta);
  x->set_sym_geometry({2, 3}, {3, 1}, 5, true);
  CHECK(x.sizes() == IntArrayRef({2, 3}));
  CHECK(x.storage_offset() == 5);
  CHECK(x.keys() == dense_keys(DeviceType::Meta));
  x->set_sym_geometry(SymDimVector{2, n, 3, 1, 1, 1}, SymDimVector{n * 3, 3, 1, 1, 1, 1}, n, true);
  CHECK(shape(x) == "[2, s0, 3, 1, 1, 1]");
  CHECK(to_string(x.sym_storage_offset()) == "s0");
  x->set_sym_geometry(x.sym_sizes().slice(1, 2), x.sym_strides().slice(1, 2), 0, true);
  CHECK(shape(x) == "[s0, 3]");
}
