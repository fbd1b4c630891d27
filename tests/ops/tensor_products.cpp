// Products of many indices, chains, outer and cross products.
#include "support.hpp"

#include <array>

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {

Tensor matrix(std::int64_t rows, std::int64_t columns, double first) {
  return ops::remainder(ops::arange(rows * columns, "dtype"_a = kDouble) * 0.618 + first, 1.0).view({rows, columns});
}
std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) { return std::string(e.summary()); }
  return "no error";
}
double distance(const Tensor& a, const Tensor& b) { return ops::amax(ops::abs(a - b)).item().to_double(); }

}  // namespace

TEST_CASE("einsum sums over the indices that its result lacks", "[ops][tensor_products]") {
  Tensor a = matrix(2, 3, 0.1), b = matrix(3, 4, 0.2), c = matrix(4, 2, 0.3);
  auto einsum = [](std::string_view e, std::vector<Tensor> t) { return ops::einsum(e, TensorList(t)); };
  CHECK(distance(einsum("ij,jk", {a, b}), ops::mm(a, b)) < 1e-15);
  CHECK(distance(ops::einsum("ij,jk->ik", {a, b}), ops::mm(a, b)) < 1e-15);
  CHECK(distance(einsum("ij,jk,kl->il", {a, b, c}), ops::mm(ops::mm(a, b), c)) < 1e-15);
  CHECK(distance(einsum("ji", {a}), ops::t(a)) == 0);
  CHECK(distance(einsum("ij->", {a}), ops::sum(a)) < 1e-15);
  CHECK(distance(einsum("ii->i", {ops::mm(a, ops::mm(b, c))}), ops::diagonal(ops::mm(a, ops::mm(b, c)))) == 0);
  CHECK(distance(einsum("...j,...j->...", {a, a}), ops::sum(a * a, 1)) < 1e-15);
  CHECK(distance(einsum("ij , kj -> ik", {a, ops::t(b)}), ops::mm(a, b)) < 1e-15);
  Tensor wide = ops::unsqueeze(a, 0);
  CHECK(einsum("i...,...k->i...k", {wide, b.view({1, 3, 4})}).sizes() ==
        IntArrayRef(std::vector<std::int64_t>{1, 2, 3, 4}));
}
TEST_CASE("einsum says what is wrong with an equation", "[ops][tensor_products]") {
  Tensor a = matrix(3, 3, 0.1);
  auto says = [&](std::string_view e, std::size_t n) {
    std::vector<Tensor> operands(n, a);
    return refusal([&] { ops::einsum(e, TensorList(operands)); });
  };
  CHECK(says("ij,jk", 1) == "einsum(): fewer operands were provided than specified in the equation");
  CHECK(says("ij", 2) == "einsum(): more operands were provided than specified in the equation");
  CHECK(says("i1", 1) ==
        "einsum(): invalid subscript given at index 1 in the equation string, subscripts must be in [a-zA-Z]");
  CHECK(says("ij->ijk", 1) == "einsum(): output subscript k does not appear in the equation for any input operand");
  CHECK(says("ij->ii", 1) == "einsum(): output subscript i appears more than once in the output");
  CHECK(says("i..j", 1) == "einsum(): found '.' for operand 0 that is not part of any ellipsis");
  CHECK(says("ij,jk->i.k", 2) == "einsum(): found '.' for output that is not part of any ellipsis (...)");
  std::int64_t path[] = {0, 1, 5, 0};
  std::vector<Tensor> three(3, a);
  CHECK(refusal([&] { ops::einsum("ij,jk,kl", TensorList(three), "path"_a = IntArrayRef(path, 4)); }) ==
        "einsum(): invalid contraction (0, 5) operand index is out of bounds");
}
TEST_CASE("a path changes the order of an einsum, not its result", "[ops][tensor_products]") {
  std::vector<Tensor> t{matrix(2, 3, 0.1), matrix(3, 4, 0.2), matrix(4, 5, 0.4)};
  std::int64_t path[] = {1, 2, 0, 1};
  Tensor a = ops::einsum("ij,jk,kl->li", TensorList(t)),
         b = ops::einsum("ij,jk,kl->li", TensorList(t), "path"_a = IntArrayRef(path, 4));
  CHECK(distance(a, b) < 1e-15);
}
TEST_CASE("a sum of threefold products has the dtype of the first", "[ops][tensor_products]") {
  Tensor a = tensor({{1, 2}}).to(kShort), b = tensor({{3, 4}}).to(kShort), c = tensor({{5, 6}}).to(kShort);
  IntArrayRef none;
  Tensor y = ops::_trilinear(a, b, c, none, none, none, IntArrayRef(std::int64_t{1}));
  CHECK(y.dtype() == kShort);
  CHECK(y.item<int>() == 63);
}
TEST_CASE("a chain of products is cut where that is cheapest", "[ops][tensor_products]") {
  std::vector<Tensor> t{matrix(2, 7, 0.1), matrix(7, 3, 0.2), matrix(3, 5, 0.4), matrix(5, 1, 0.7)};
  Tensor expected = ops::mm(t[0], ops::mm(t[1], ops::mm(t[2], t[3])));
  CHECK(distance(ops::linalg_multi_dot(TensorList(t)), expected) < 1e-14);
  CHECK(distance(ops::chain_matmul(TensorList(t)), expected) < 1e-14);
  t.front() = t.front().select(0, 0);
  CHECK(distance(ops::linalg_multi_dot(TensorList(t)), expected.select(0, 0)) < 1e-14);
  t[1] = t[1].t();
  CHECK(refusal([&] { ops::linalg_multi_dot(TensorList(t)); }).find("cannot be multiplied") != std::string::npos);
}
TEST_CASE("gradients of products of many operands agree with finite differences", "[ops][tensor_products][autograd]") {
  Tensor a = matrix(3, 3, 0.1), b = matrix(3, 3, 0.5), v = matrix(1, 3, 0.2).view({3});
  using List = std::vector<Tensor>;
  auto leaves = [](const List& of) {
    List out;
    for (const Tensor& t : of) out.push_back(t.clone().requires_grad_());
    return out;
  };
  autograd::gradcheck([](const List& x) { return ops::linalg_cross(x[0], x[1]); }, leaves({a, b}));
  autograd::gradcheck([](const List& x) { return ops::addr(x[0], x[1], x[2], "beta"_a = 2, "alpha"_a = 3); },
                      leaves({a, v, v}));
  autograd::gradcheck([](const List& x) { return ops::addbmm(x[0], x[1], x[2], "beta"_a = 2, "alpha"_a = 3); },
                      leaves({a, b.view({1, 3, 3}), a.view({1, 3, 3})}));
  autograd::gradcheck([](const List& x) { return ops::einsum("ij,jk,k->i", TensorList(x)); }, leaves({a, b, v}));
}
TEST_CASE("products of 16-bit floats are summed in float and rounded once", "[ops][tensor_products]") {
  // Whole numbers, so that every order of the sum gives the same float.
  auto whole = [](std::int64_t rows, std::int64_t columns, std::int64_t first) {
    return (ops::remainder(ops::arange(rows * columns) * 7 + first, 13) - 6).view({rows, columns});
  };
  for (ScalarType dtype : {kBFloat16, kHalf})
    for (auto [m, n, k] :
         {std::array<std::int64_t, 3>{4, 8, 8}, {5, 33, 9}, {15, 31, 481}, {113, 70, 33}, {9, 520, 961}})
      for (int layout = 0; layout < 16; ++layout) {
        auto lay = [&](const Tensor& t, bool turned, bool stepped) {
          if (stepped) return ops::stack({t, t}, 2).to(dtype).select(2, 1);
          return turned ? t.t().to(dtype).contiguous().t() : t.to(dtype);
        };
        Tensor a = whole(m, k, 1), b = whole(k, n, 2), c = whole(m, n, 3).to(dtype);
        Tensor x = lay(a, layout & 1, layout & 4), y = lay(b, layout & 2, layout & 8);
        Tensor product = ops::mm(a.to(kFloat), b.to(kFloat));
        CAPTURE(dtype, m, n, k, layout);
        CHECK(ops::equal(ops::mm(x, y), product.to(dtype)));
        CHECK(ops::equal(ops::addmm(c, x, y, "beta"_a = 3, "alpha"_a = 2), (product * 2 + c.to(kFloat) * 3).to(dtype)));
        Tensor turned = ops::empty({n, m}, "dtype"_a = dtype).t();
        ops::mm(x, y, "out"_a = turned);
        CHECK(ops::equal(turned, product.to(dtype)));
      }
}
TEST_CASE("contracted dimensions of size one keep the dtype of small integers", "[ops][tensor_products]") {
  Tensor a = ops::full({2, 3}, 2, "dtype"_a = kByte), b = ops::full({1, 4}, 3, "dtype"_a = kByte);
  Tensor y = ops::tensordot(a, b, IntArrayRef(std::int64_t{1}), IntArrayRef(std::int64_t{0}));
  CHECK(y.dtype() == kByte);
  CHECK(y.select(0, 1).select(0, 3).item<int>() == 18);
  std::vector<Tensor> t{ops::full({1, 2, 3}, 2, "dtype"_a = kInt), ops::full({1, 3}, 3, "dtype"_a = kInt)};
  Tensor z = ops::einsum("ijk,ik->j", TensorList(t));
  CHECK(z.dtype() == kInt);
  CHECK(z.select(0, 0).item<int>() == 18);
}

TEST_CASE("addr counts a number that it adds to as a matrix where dtypes are joined", "[ops][tensor_products]") {
  Tensor u = tensor({1.0f, 2.0f}), v = tensor({3.0f, 4.0f}), sum = ops::addr(tensor(1.0, kDouble), u, v);
  CHECK(sum.dtype() == kDouble);
  CHECK(values(sum) == Numbers{4, 5, 7, 9});
  CHECK(ops::addr(tensor(1, kLong), u.to(kInt), v.to(kInt)).dtype() == kLong);
  CHECK(values(ops::addr(tensor(1.5f), u.to(kLong), v.to(kLong))) == Numbers{4.5, 5.5, 7.5, 9.5});
}
