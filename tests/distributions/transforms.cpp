// Invertible maps, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

namespace {

template <transform T>
void check(const T& t, const Tensor& x, const Tensor& y, const Tensor& size) {
  CHECK(allclose(t(x), y, 1e-9, 1e-9));
  CHECK(allclose(t.inverse(y), x, 1e-9, 1e-9));
  CHECK(allclose(t.log_abs_det_jacobian(x, y), size, 1e-9, 1e-9));
  CHECK(t.log_abs_det_jacobian(x, y).sizes() == size.sizes());
  CHECK(t.codomain().check(y).all().template item<bool>());
}

}  // namespace

TEST_CASE("maps, their inverses and their derivatives are PyTorch's", "[distributions][transforms]") {
  check(ExpTransform{}, f64({-1.3, 0.2, 2.1}), f64({0.2725317930340126, 1.2214027581601699, 8.166169912567652}),
        f64({-1.3, 0.2, 2.1}));
  check(SigmoidTransform{}, f64({-1.3, 0.2, 2.1}), f64({0.2141650169574414, 0.549833997312478, 0.8909031788043871}),
        f64({-1.7820169076659844, -1.3962777387631835, -2.33103904635951}));
  check(SoftplusTransform{}, f64({-1.3, 0.2, 2.1}), f64({0.2410084538329922, 0.7981388693815918, 2.215519523179755}),
        f64({-1.5410084538329922, -0.5981388693815918, -0.11551952317975496}));
  check(TanhTransform{}, f64({-1.3, 0.2, 2.1}), f64({-0.8617231593133063, 0.197375320224904, 0.9704519366134539}),
        f64({-1.3569950228154495, -0.03973614368001466, -2.8434741482239456}));
  check(AffineTransform{.loc = 1, .scale = -2}, f64({-1.3, 0.2, 2.1}), f64({3.6, 0.6, -3.2}),
        f64({0.6931471805599453, 0.6931471805599453, 0.6931471805599453}));
  check(PowerTransform{f64({1.5})}, f64({0.3, 1.2, 4}), f64({0.1643167672515498, 1.3145341380123985, 8}),
        f64({-0.19652129405480367, 0.4966258865051416, 1.0986122886681098}));
  check(InverseTransform{ExpTransform{}}, f64({0.3, 1.2, 4}),
        f64({-1.2039728043259361, 0.1823215567939546, 1.3862943611198906}),
        f64({1.2039728043259361, -0.1823215567939546, -1.3862943611198906}));
  check(StickBreakingTransform{}, f64({-1.3, 0.2, 2.1}),
        f64({0.08327857764869698, 0.3475771760883071, 0.5070524181939299, 0.06209182806906595}),
        tensor(-7.000614266725433, kDouble));
  check(ComposeTransform{AffineTransform{.loc = 1, .scale = f64({0.5, 2, -1})}, SigmoidTransform{}},
        f64({-1.3, 0.2, 2.1}), f64({0.5866175789173301, 0.8021838885585817, 0.24973989440488234}),
        f64({-2.1099114913974995, -1.1476876392769566, -1.6746706502308615}));
  check(ComposeTransform{AffineTransform{.loc = 1, .scale = f64({0.5, 2, -1})}, StickBreakingTransform{}},
        f64({-1.3, 0.2, 2.1}),
        f64({0.32112375133188353, 0.4546470729562285, 0.055998970664780705, 0.16823020504710726}),
        tensor(-6.5890064756277456, kDouble));
}

TEST_CASE("parameters of a map widen shapes", "[distributions][transforms]") {
  AffineTransform t{.loc = zeros({4, 1}), .scale = 1};
  CHECK(IntArrayRef(t.forward_shape({3})) == IntArrayRef({4, 3}));
  CHECK(IntArrayRef(StickBreakingTransform{}.forward_shape({2, 3})) == IntArrayRef({2, 4}));
  CHECK(IntArrayRef(ComposeTransform{t, StickBreakingTransform{}}.inverse_shape({2})) == IntArrayRef({4, 1}));
  CHECK_ERROR(t.forward_shape({3, 1}), ValueError, "transform: expected shapes that broadcast, got [3, 1] and [4, 1]");
}

TEST_CASE("maps without a derivative, and the one that does nothing", "[distributions][transforms]") {
  static_assert(mapping<AbsTransform> && !transform<AbsTransform>);
  static_assert(mapping<SoftmaxTransform> && !transform<SoftmaxTransform>);
  static_assert(transform<ComposeTransform<ExpTransform>> && !transform<ComposeTransform<ExpTransform, AbsTransform>>);
  Tensor x = f64({-1.3, 0.2, 2.1}), p = f64({0.028212095848069465, 0.12643784161362287, 0.8453500625383077});
  close(SoftmaxTransform{}(x), {0.028212095848069465, 0.12643784161362287, 0.8453500625383077});
  CHECK(allclose(SoftmaxTransform{}(SoftmaxTransform{}.inverse(p)), p));
  CHECK(SoftmaxTransform{}.codomain().check(p).item<bool>());
  close(AbsTransform{}(x), {1.3, 0.2, 2.1});
  close(AbsTransform{}.inverse(p), {0.028212095848069465, 0.12643784161362287, 0.8453500625383077});
  check(identity_transform, x, x, zeros_like(x));
  TransformedDistribution folded{Normal{tensor(0.0, kDouble), 2}, AbsTransform{}};
  manual_seed(3);
  Tensor drawn = folded.sample({4});
  manual_seed(3);
  CHECK(equal(drawn, HalfNormal{tensor(2.0, kDouble)}.sample({4})));
}

TEST_CASE("maps are equal by what they are made with", "[distributions][transforms]") {
  CHECK(AffineTransform{1, 2} == AffineTransform{1, f64({2, 2})});
  CHECK(!(AffineTransform{1, f64({2, 3})} == AffineTransform{1, 2}));
  CHECK(!(PowerTransform{f64({2})} == PowerTransform{f64({2, 2})}));
  CHECK(InverseTransform{PowerTransform{2}} == InverseTransform{PowerTransform{2}});
  CHECK(!(ComposeTransform{ExpTransform{}, PowerTransform{2}} == ComposeTransform{ExpTransform{}, PowerTransform{3}}));
}
