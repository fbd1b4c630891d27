// Softmax and losses: values by their definitions, weights, ignored classes, shapes, errors, gradients.
#include <cmath>

#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
Tensor mixed(IntArrayRef sizes, double step = 0.7) {
  return counted(sizes, kDouble).mul(step).sin().contiguous().set_requires_grad(true);
}
double near(const Tensor& a, const Tensor& b) { return ops::amax(ops::abs(ops::sub(a, b))).item<double>(); }
}  // namespace

TEST_CASE("softmax sums to one along its dimension", "[ops][loss]") {
  Tensor x = mixed({3, 4, 5}).detach();
  for (std::int64_t dim : {0, 1, -1}) {
    Tensor e = ops::exp(x), s = x.softmax(dim);
    CHECK(near(s, ops::div(e, ops::sum(e, dim, true))) < 1e-12);
    CHECK(near(x.log_softmax(dim), ops::log(s)) < 1e-12);
  }
  CHECK(values(tensor(3.0).softmax(0)) == Numbers{1});
  CHECK(x.to(kFloat).softmax(0, "dtype"_a = kDouble).dtype() == kDouble);
  CHECK(values(tensor({1000.0, 1000.0}).softmax(0)) == Numbers{0.5, 0.5});
  CHECK_ERROR(counted({2}, kLong).softmax(0), NotImplementedError,
              "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
}

TEST_CASE("the likelihood loss knows weights and ignored classes", "[ops][loss]") {
  Tensor x = ops::neg(counted({3, 2}, kDouble)), t = tensor({1, 0, 1}), w = tensor({1.0, 3.0}, "dtype"_a = kDouble);
  CHECK(ops::nll_loss(x, t).item<double>() == Approx((1 + 2 + 5) / 3.0));
  CHECK(ops::nll_loss(x, t, w).item<double>() == Approx((3 + 2 + 15) / 7.0));
  CHECK(values(ops::nll_loss(x, t, std::nullopt, 0)) == Numbers{1, 2, 5});
  CHECK(ops::nll_loss(x, t, std::nullopt, 2, 1).item<double>() == 2);
  auto [loss, total] = ops::nll_loss_forward(x, t, w, 1, -100);
  CHECK(total.item<double>() == 7);
  CHECK(std::isnan(ops::nll_loss(ops::empty({0, 2}), ops::empty({0}, "dtype"_a = kLong)).item<double>()));
  CHECK_ERROR(ops::nll_loss(x, tensor({1, 2, 0})), IndexError, "Target 2 is out of bounds.");
  CHECK_ERROR(ops::nll_loss(x, t, tensor({1.0, 3.0})), TypeError,
              "expected weight to have the dtype of self, float64, but got float32");
  CHECK_ERROR(ops::nll_loss(x, t.to(kInt)), TypeError, "expected target dtype to be int64 or uint8, but got int32");
  CHECK_ERROR(ops::nll_loss(x, tensor({1, 0})), ValueError, "size mismatch (got input: [3, 2], target: [2])");
  // One row takes a list of one target.
  CHECK(ops::nll_loss(x[0], t.narrow(0, 0, 1)).item<double>() == ops::nll_loss(x[0], t[0]).item<double>());
  CHECK_ERROR(ops::nll_loss(x[0], t), ValueError, "For 1D input, 1D target must have size 1, but got target size: 3");
}

TEST_CASE("cross entropy takes classes and probabilities of any rank", "[ops][loss]") {
  Tensor x = mixed({4, 3}).detach(), t = tensor({2, 0, 1, 2});
  Tensor by_hand = ops::nll_loss(x.log_softmax(1), t);
  CHECK(near(ops::cross_entropy_loss(x, t), by_hand) < 1e-12);
  Tensor p = ops::one_hot(t, 3).to(kDouble);
  CHECK(near(ops::cross_entropy_loss(x, p), by_hand) < 1e-12);
  Tensor smooth = p.mul(0.9).add(0.1 / 3);
  CHECK(near(ops::cross_entropy_loss(x, t, std::nullopt, 1, -100, 0.1), ops::cross_entropy_loss(x, smooth)) < 1e-12);
  Tensor space = mixed({2, 3, 2}).detach(), places = tensor({{2, 0}, {1, 2}});
  CHECK(list(ops::cross_entropy_loss(space, places, std::nullopt, 0).sizes()) == Ints{2, 2});
  CHECK_ERROR(ops::cross_entropy_loss(x, t, std::nullopt, 1, -100, 1.5), ValueError,
              "label_smoothing must be between 0.0 and 1.0. Got: 1.5");
}

TEST_CASE("squared errors are averaged, summed or kept", "[ops][loss]") {
  Tensor a = tensor({1.0, 2.0, 4.0}), b = tensor({1.0, 0.0, 1.0});
  CHECK(ops::mse_loss(a, b).item<double>() == Approx(13 / 3.0));
  CHECK(ops::mse_loss(a, b, 2).item<double>() == 13);
  CHECK(values(ops::mse_loss(a, b, 0)) == Numbers{0, 4, 9});
}

TEST_CASE("gradients of losses agree with finite differences", "[ops][loss][autograd]") {
  using List = std::vector<Tensor>;
  List x{mixed({4, 3})};
  Tensor t = tensor({2, 0, 1, 2}), w = tensor({1.0, 2.0, 0.5}, "dtype"_a = x[0].dtype());
  for (std::int64_t dim : {0, 1}) {
    autograd::gradcheck([dim](const List& a) { return a[0].softmax(dim); }, x);
    autograd::gradcheck([dim](const List& a) { return a[0].log_softmax(dim); }, x);
  }
  for (std::int64_t reduction : {0, 1, 2}) {
    autograd::gradcheck([&](const List& a) { return ops::cross_entropy_loss(a[0], t, w, reduction, 0); }, x);
    autograd::gradcheck([&](const List& a) { return ops::cross_entropy_loss(a[0], t, w, reduction, -100, 0.2); }, x);
    autograd::gradcheck([&](const List& a) { return ops::mse_loss(a[0], a[1], reduction); },
                        {x[0], mixed({4, 3}, 0.2)});
  }
  // The gradient of a gradient, against differences of the first.
  auto first = [&](const List& a) {
    EnableGradGuard on;
    return autograd::grad(TensorList(ops::cross_entropy_loss(a[0], t)), TensorList(a[0]), {}, std::nullopt, true)[0];
  };
  autograd::gradcheck(first, x);
  auto squares = [&](const List& a) {
    EnableGradGuard on;
    return autograd::grad(TensorList(ops::mse_loss(a[0].mul(a[0]), ops::zeros_like(a[0]))), TensorList(a[0]), {},
                          std::nullopt, true)[0];
  };
  autograd::gradcheck(squares, x);
}

TEST_CASE("16-bit losses are rounded where PyTorch rounds them", "[ops][loss]") {
  Tensor x = tensor({-2.033203125, -3.177734375, 2.2421875, 0.716796875}).to(kHalf);
  CHECK(values(ops::log_softmax(x, 0)) == Numbers{-4.48828125, -5.6328125, -0.212158203125, -1.7373046875});
  Tensor a = tensor({0.611328125, 0.67626953125}).to(kHalf), b = tensor({0.412353515625, 0.0261077880859375}).to(kHalf);
  CHECK(values(ops::mse_loss(a, b, 0)) == Numbers{0.039581298828125, 0.423095703125});
}

TEST_CASE("16-bit losses are summed in PyTorch 2.15's order", "[ops][loss]") {
  Tensor x = ops::full({20, 2}, -0.3).to(kBFloat16), target = ops::zeros({20}, "dtype"_a = kLong),
         weight = tensor({0.7, 1.0}).to(kBFloat16);
  CHECK(ops::nll_loss(x, target, std::nullopt, 2).item<double>() == 6.03125);
  CHECK(ops::nll_loss(x, target, std::nullopt, 1).item<double>() == 0.30078125);
  auto [sum, total] = ops::nll_loss_forward(x, target, weight, 2, -100);
  CHECK(sum.item<double>() == 4.15625);
  CHECK(total.item<double>() == 13.8125);
}

namespace {

Tensor ctc(const Tensor& x, const Tensor& targets, IntArrayRef steps, IntArrayRef lengths, std::int64_t blank = 0,
           std::int64_t reduction = 1, bool zero_infinity = false) {
  return ops::ctc_loss(x, targets, steps, lengths, blank, reduction, zero_infinity);
}
/// The probability of a target as the sum over all alignments: each path of classes, repetitions joined, blanks out.
double all_alignments(const std::vector<double>& probs, std::int64_t steps, std::int64_t classes,
                      const std::vector<std::int64_t>& target) {
  std::int64_t paths = 1;
  for (std::int64_t t = 0; t < steps; ++t) paths *= classes;
  double sum = 0;
  for (std::int64_t path = 0; path < paths; ++path) {
    double p = 1;
    std::vector<std::int64_t> read;
    std::int64_t rest = path, before = -1;
    for (std::int64_t t = 0; t < steps; ++t, rest /= classes) {
      std::int64_t k = rest % classes;
      p *= probs[static_cast<std::size_t>(t * classes + k)];
      if (k != 0 && k != before) read.push_back(k);
      before = k;
    }
    if (read == target) sum += p;
  }
  return sum;
}

}  // namespace

TEST_CASE("ctc_loss sums over all alignments", "[ops][loss]") {
  manual_seed(4);
  Tensor logits = ops::randn({5, 2, 3}, "dtype"_a = kDouble), log_probs = logits.log_softmax(2);
  Tensor targets = tensor({1, 1, 2, 2, 1}), lengths = tensor({3, 2}), steps = tensor({5, 4});
  Tensor loss = ops::ctc_loss(log_probs, targets, steps, lengths, 0, 0);
  Numbers got = values(loss), first = values(log_probs.select(1, 0).exp()),
          second = values(log_probs.select(1, 1).exp());
  CHECK(std::exp(-got[0]) == Approx(all_alignments(first, 5, 3, {1, 1, 2})));
  CHECK(std::exp(-got[1]) == Approx(all_alignments(second, 4, 3, {2, 1})));
  CHECK(ctc(log_probs, targets, {5, 4}, {3, 2}).item<double>() == Approx((got[0] / 3 + got[1] / 2) / 2));
  CHECK(ctc(log_probs, targets, {5, 4}, {3, 2}, 0, 2).item<double>() == Approx(got[0] + got[1]));
  // One label more than steps, counting the blank between equal ones: no alignment.
  Tensor short_of = tensor({1, 1}).unsqueeze(0), one = log_probs.narrow(0, 0, 2).narrow(1, 0, 1);
  CHECK(std::isinf(ctc(one, short_of, {2}, {2}).item<double>()));
  CHECK(ctc(one, short_of, {2}, {2}, 0, 1, true).item<double>() == 0);
}

TEST_CASE("the gradient of ctc_loss is the one behind a log_softmax", "[ops][loss]") {
  manual_seed(5);
  Tensor logits = ops::randn({4, 2, 3}, "dtype"_a = kDouble);
  logits.requires_grad_();
  auto loss = [](const Tensor& x) { return Tensor(ctc(x.log_softmax(2), tensor({1, 2, 1}), {4, 3}, {2, 1}, 0, 2)); };
  loss(logits).backward();
  Numbers got = values(logits.grad());
  NoGradGuard no_grad;
  for (std::int64_t i = 0; i < logits.numel(); ++i) {
    Tensor step = ops::zeros({24}, "dtype"_a = kDouble);
    step.select(0, i).fill_(1e-5);
    step = step.view({4, 2, 3});
    double slope = (loss(logits + step) - loss(logits - step)).item<double>() / 2e-5;
    CHECK(got[static_cast<std::size_t>(i)] == Approx(slope).margin(1e-6));
  }
}

TEST_CASE("ctc_loss says what does not fit", "[ops][loss]") {
  Tensor x = ops::zeros({4, 2, 3}), t = ops::ones({2, 2}, "dtype"_a = kLong);
  CHECK_ERROR(ctc(x, t, {4, 5}, {2, 2}), ValueError,
              "Expected input_lengths to have value at most 4, but got value 5 (while checking arguments for "
              "ctc_loss_allocate_outputs)");
  CHECK_ERROR(ctc(x, t, {4, 4}, {2, 2}, 3), ValueError, "blank must be in label range");
  CHECK_ERROR(ctc(x, t, {4}, {2, 2}), ValueError, "input_lengths must be of size batch_size");
  CHECK_ERROR_CONTAINS(ctc(x, t, {4, 4}, {2, 3}), ValueError, "size at least 3 at dimension 1");
  CHECK_ERROR_CONTAINS(ctc(x, t * 5, {4, 4}, {2, 2}), IndexError, "label 5 of example 0 is out of range");
  CHECK_ERROR(ops::ctc_loss(x, t, tensor({4.0, 4.0}), tensor({2, 2})), TypeError, "input_lengths must be integral");
}

namespace {
const Tensor& scores() {
  static Tensor x = tensor({{0.3, -1.2, 2.0}, {0.9, 0.1, -0.4}}).to(kDouble).requires_grad_();
  return x;
}
/// The value of a loss and its gradient by `x`.
void is(const Tensor& loss, const Tensor& x, double value, const Numbers& gradient) {
  CHECK(loss.item<double>() == Approx(value));
  Tensor g = autograd::grad(TensorList(loss), TensorList(x))[0];
  for (std::size_t i = 0; i < gradient.size(); ++i) CHECK(values(g)[i] == Approx(gradient[i]).margin(1e-11));
}
}  // namespace

// Values and gradients of PyTorch 2.15.
TEST_CASE("losses by element have PyTorch's values and gradients", "[ops][loss]") {
  const Tensor& x = scores();
  Tensor y = tensor({{0.1, 0.5, -1.0}, {1.0, -0.3, 0.2}}).to(kDouble), w = tensor({0.5, 1.0, 2.0}).to(kDouble),
         q = tensor({{0.2, 0.9, 1.0}, {0.0, 0.5, 0.7}}).to(kDouble),
         signs = tensor({{1.0, -1.0, -1.0}, {-1.0, 1.0, 1.0}}).to(kDouble), p = x.sigmoid().detach().requires_grad_();
  is(ops::smooth_l1_loss(x, y, 1, 0.7), x, 0.7345238095238096,
     {0.047619047619, -0.166666666667, 0.166666666667, -0.02380952381, 0.095238095238, -0.142857142857});
  is(ops::huber_loss(x, y, 1, 0.7), x, 0.5141666666666667,
     {0.033333333333, -0.116666666667, 0.116666666667, -0.016666666667, 0.066666666667, -0.1});
  is(ops::soft_margin_loss(x, signs), x, 0.9571885850091905,
     {-0.070926247198, 0.03857920275, 0.146799512996, 0.118491583771, -0.07917013542, -0.099781276685});
  is(ops::binary_cross_entropy(p, q, w), p, 0.8158867023162933,
     {0.127643616827, -0.626330968212, -0.378445094412, 0.288300259263, 0.016694458337, -0.414393758179});
  is(ops::binary_cross_entropy_with_logits(x, q, w, w), x, 1.0666133045200354,
     {0.034749855428, -0.11142079725, -0.079468614681, 0.059245791885, 0.004163197913, -0.23925634073});
  is(ops::kl_div(x, q), x, -0.2938263496026582,
     {-0.033333333333, -0.15, -0.166666666667, 0, -0.083333333333, -0.116666666667});
  is(ops::kl_div(x, y, 2, "log_target"_a = true), x, 2.1864962025300807,
     {-1.105170918076, -1.6487212707, -0.367879441171, -2.718281828459, -0.740818220682, -1.22140275816});
  is(ops::poisson_nll_loss(x, q + 1, true, true, 1e-8, 1), x, 2.113578692171149,
     {0.024976467929, -0.266467631348, 0.898176016488, 0.243267185193, -0.065804846987, -0.171613325661});
  is(ops::hinge_embedding_loss(x, signs), x, 0.38333333333333336,
     {0.166666666667, -0.166666666667, 0, -0.166666666667, 0.166666666667, 0.166666666667});
  is(ops::margin_ranking_loss(x, y, signs, 0.3), x, 0.75,
     {-0.166666666667, 0, 0.166666666667, 0.166666666667, 0, -0.166666666667});
  CHECK(ops::l1_loss(x, y, 2).item<double>() == Approx(6.0));
  CHECK_ERROR(ops::smooth_l1_loss(x, y, 1, -1), ValueError,
              "smooth_l1_loss does not support negative values for beta.");
  CHECK_ERROR(ops::huber_loss(x, y, 1, 0), ValueError, "huber_loss does not support non-positive values for delta.");
  CHECK_ERROR(ops::binary_cross_entropy(x, q), ValueError, "all elements of input should be between 0 and 1");
  CHECK_ERROR(ops::binary_cross_entropy(ops::ones({1}), ops::ones({1}), ops::ones({5})), ValueError,
              "output with shape [1] doesn't match the broadcast shape [5]");
  CHECK_ERROR(ops::binary_cross_entropy(p, x.detach()), ValueError, "all elements of target should be between 0 and 1");
  CHECK_ERROR(ops::binary_cross_entropy_with_logits(ops::ones({1}), ops::ones({1}), std::nullopt, ops::ones({5})),
              ValueError, "output with shape [1] doesn't match the broadcast shape [5]");
  CHECK_ERROR(ops::kl_div(x, q.to(kLong)), TypeError,
              "kl_div: Integral inputs and targets are not supported, got float64 and int64");
  CHECK_ERROR(ops::binary_cross_entropy(p, q.to(kFloat)), TypeError,
              "binary_cross_entropy: the target has dtype float32, the input float64; cast one of them");
  CHECK_ERROR(
      ops::binary_cross_entropy(p, q, w.to(kComplexDouble)), TypeError,
      "binary_cross_entropy: the weight has dtype complex128, which can't be cast to that of the input, float64");
  CHECK_ERROR(ops::binary_cross_entropy_backward(tensor(1.0).to(kFloat), p, q), TypeError,
              "binary_cross_entropy_backward: the gradient has dtype float32, the input float64; cast one of them");
  CHECK(ops::binary_cross_entropy(p.to(kHalf), q.to(kHalf), w).dtype() == kHalf);
  // An exponential that Half does not hold is infinite.
  Numbers far = values(ops::soft_margin_loss(tensor({-12.0, 1.0}).to(kHalf), ops::ones({2}, "dtype"_a = kHalf), 0));
  CHECK((std::isinf(far[0]) && far[1] == 0.313232421875));
}
TEST_CASE("losses by row have PyTorch's values and gradients", "[ops][loss]") {
  const Tensor& x = scores();
  Tensor y = tensor({{0.1, 0.5, -1.0}, {1.0, -0.3, 0.2}}).to(kDouble), w = tensor({0.5, 1.0, 2.0}).to(kDouble),
         q = tensor({{0.2, 0.9, 1.0}, {0.0, 0.5, 0.7}}).to(kDouble), classes = tensor({2, 0});
  is(ops::cosine_embedding_loss(x, y, tensor({1.0, -1.0}).to(kDouble), 0.1), x, 1.3121625642244212,
     {-0.045350807037, 0.010926667254, 0.013358621408, 0.130419925881, -0.180842499456, 0.248234208368});
  is(ops::triplet_margin_loss(x, y, q, 1.5, 2, 1e-6, true), x, 1.8825825836413888,
     {0.028952221655, -0.246092508846, 0.434281298183, -0.068679634047, 0.274721970202, -0.412081238296});
  is(ops::multi_margin_loss(x, classes, 2, 1.1, w), x, 0.0075, {0, 0, 0, -0.05, 0.05, 0});
  is(ops::multilabel_margin_loss(x, tensor({{2, 0, -1}, {1, -1, 0}})), x, 0.3833333333333333,
     {0, 0, 0, 0.166666666667, -0.333333333333, 0.166666666667});
  // What cannot be compared counts as nothing.
  Tensor holes = tensor({{1.0, std::nan(""), 0.3}, {std::nan(""), 1.0, 2.0}});
  CHECK(near(ops::multi_margin_loss(holes, tensor({0, 0}), 1, 1, std::nullopt, 0), tensor({0.1, 0.0})) < 1e-6);
  CHECK(near(ops::multilabel_margin_loss(holes, tensor({{0, 1, -1}, {0, 2, -1}}), 0), tensor({0.1, 0.0})) < 1e-6);
  CHECK_ERROR(ops::multi_margin_loss(x, classes, 3), ValueError, "only p == 1 and p == 2 supported");
  CHECK_ERROR(ops::nll_loss2d(x, classes), ValueError,
              "only batches of spatial targets supported (3D tensors) but got targets of dimension: 1");
}
TEST_CASE("the likelihood of images is that of their pixels", "[ops][loss]") {
  Tensor x = mixed({2, 3, 2, 4}), w = tensor({1.0, 2.0, 0.5}).to(kDouble),
         t = ops::remainder(ops::arange(16).view({2, 2, 4}), 3);
  for (std::int64_t reduction : {0, 1, 2}) {
    CHECK(near(ops::nll_loss2d(x, t, w, reduction, 1), ops::nll_loss_nd(x, t, w, reduction, 1)) < 1e-12);
    autograd::gradcheck([&](const std::vector<Tensor>& a) { return ops::nll_loss2d(a[0], t, w, reduction, 1); }, {x});
  }
}

TEST_CASE("losses by margins have their gradients as operators too", "[ops][loss]") {
  const Tensor& x = scores();
  Tensor w = tensor({0.5, 1.0, 2.0}).to(kDouble), classes = tensor({2, 0}), labels = tensor({{2, 0, -1}, {1, -1, 0}});
  auto slope = [&](const Tensor& loss, const Tensor& grad) {
    return autograd::grad(TensorList(loss), TensorList(x), TensorList(grad))[0];
  };
  auto [loss, is_target] = ops::multilabel_margin_loss_forward(x, labels, 1);
  CHECK(loss.item<double>() == Approx(0.3833333333333333));
  CHECK(is_target.dtype() == kDouble);
  CHECK(values(is_target) == Numbers{1, 0, 1, 0, 1, 0});
  for (std::int64_t reduction : {0, 1, 2}) {
    Tensor grad = reduction == 0 ? tensor({0.7, -1.5}).to(kDouble) : tensor(0.7).to(kDouble);
    for (std::int64_t p : {1, 2})
      CHECK(near(ops::multi_margin_loss_backward(grad, x, classes, p, 1.1, w, reduction),
                 slope(ops::multi_margin_loss(x, classes, p, 1.1, w, reduction), grad)) < 1e-12);
    CHECK(near(ops::multilabel_margin_loss_backward(grad, x, labels, reduction, is_target),
               slope(ops::multilabel_margin_loss(x, labels, reduction), grad)) < 1e-12);
  }
  Tensor row = x.detach().select(0, 1);  // one row of scores has no batch
  CHECK(list(ops::multi_margin_loss_backward(tensor(1.0).to(kDouble), row, tensor(0), 1, 1).sizes()) == Ints{3});
  CHECK_ERROR(ops::multi_margin_loss_backward(w, x, classes, 1, 1, std::nullopt, 0), ValueError,
              "inconsistent gradient size, expected 2 but got [3]");
  CHECK_ERROR(ops::multilabel_margin_loss_backward(w, x, labels, 1, is_target), ValueError,
              "inconsistent gradient size, expected one element but got [3]");
}

TEST_CASE("losses of Huber and of soft margins have the dtype of the input, whatever the target's", "[ops][loss]") {
  Tensor x = tensor({0.5f, -1.25f, 3.0f}), y = tensor({1.0f, 0.0f, -0.5f}).to(kDouble);
  Tensor each = ops::huber_loss(x, y, 0);
  CHECK(each.dtype() == kFloat);
  CHECK(values(each) == Numbers{0.125, 0.75, 3.0});
  CHECK(ops::huber_loss(x.to(kBFloat16), y).item<double>() == 1.2890625);
  Tensor margin = ops::soft_margin_loss(x.to(kHalf), y);
  CHECK(margin.dtype() == kHalf);
  CHECK(margin.item<double>() == 0.9560546875);
  CHECK_ERROR(ops::huber_loss(tensor({1, 2, 3}).to(kLong), y), TypeError,
              "result type float64 can't be cast to the desired output type int64");
}

// Values of PyTorch 2.15.
TEST_CASE("the cross entropy of logits has the target's dtype, and each step is rounded to it", "[ops][loss]") {
  Tensor x = tensor({0.3, -2.0, 1.0}).to(kDouble), y = tensor({0.2, 1.0, 0.5}).to(kDouble),
         w = tensor({0.37, 2.0, 1.1}).to(kDouble);
  auto loss = [&](ScalarType of, ScalarType target, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& pos_weight) {
    Tensor each = ops::binary_cross_entropy_with_logits(x.to(of), y.to(target), weight, pos_weight, 0);
    CHECK(each.dtype() == target);
    return values(each);
  };
  CHECK(loss(kFloat, kBFloat16, {}, {}) == Numbers{0.79296875, 2.125, 0.8125});
  CHECK(loss(kFloat, kBFloat16, w, w) == Numbers{0.26953125, 8.5, 0.91015625});
  CHECK(loss(kBFloat16, kFloat, w, w) == Numbers{0.2682500183582306, 8.5, 0.9109375476837158});
  CHECK(loss(kDouble, kHalf, {}, w) == Numbers{0.724609375, 4.25390625, 0.8291015625});
  CHECK(loss(kFloat, kFloat, w, w).size() == 3);  // a weight does not widen it either
  Tensor a = x.clone().requires_grad_(), b = y.to(kBFloat16).requires_grad_();
  ops::binary_cross_entropy_with_logits(a, b, "reduction"_a = 2).backward();
  CHECK(a.grad().dtype() == kDouble);
  CHECK(values(b.grad()) == Numbers{-0.30078125, 2, -1});
  CHECK_ERROR(ops::binary_cross_entropy_with_logits(x, y.to(kLong)), TypeError,
              "result type float64 can't be cast to the desired output type int64");
  CHECK_ERROR(ops::binary_cross_entropy_with_logits(x, y, w.to(kComplexDouble)), TypeError,
              "result type complex128 can't be cast to the desired output type float64");
}

TEST_CASE("a loss by soft margins has a gradient by its targets, and takes no complex ones", "[ops][loss]") {
  Tensor x = tensor({0.3, -2.0, 1.0}).to(kDouble), y = tensor({1.0, -1.0, 1.0}).to(kDouble).requires_grad_();
  // -x / (1 + exp(x y)) of each third.
  is(ops::soft_margin_loss(x, y), y, 0.33151498100990745,
     {-0.042555748318834095, 0.0794686146814117, -0.08964714045666504});
  CHECK_ERROR(ops::soft_margin_loss(x, ops::ones({3}, kComplexDouble)), TypeError,
              "result type complex128 can't be cast to the desired output type float64");
}

TEST_CASE("losses by margins of no rows are a mean or a sum of nothing", "[ops][loss]") {
  Tensor x = ops::zeros({0, 3}, kDouble).requires_grad_(), labels = ops::zeros({0, 3}, kLong),
         w = ops::ones({3}, kDouble), classes = ops::zeros({0}, kLong);
  for (bool of_one : {false, true}) {
    auto loss = [&](std::int64_t reduction) {
      return of_one ? ops::multi_margin_loss(x, classes, 1, 1, w, reduction)
                    : ops::multilabel_margin_loss(x, labels, reduction);
    };
    CHECK(list(loss(0).sizes()) == Ints{0});
    CHECK(std::isnan(loss(1).item<double>()));
    CHECK(loss(2).item<double>() == 0);
    for (std::int64_t reduction : {1, 2})
      CHECK(list(autograd::grad(TensorList(loss(reduction)), TensorList(x))[0].sizes()) == Ints{0, 3});
  }
}

TEST_CASE("the gradient of softmax on the CPU has the dtype of its argument, whatever the input's was", "[ops][loss]") {
  Tensor y = tensor({{0.25, 0.75}}).to(kDouble), g = tensor({{1.0, 0.0}}).to(kDouble);
  for (ScalarType input : {kDouble, kFloat, kHalf}) {
    Tensor x = ops::_softmax_backward_data(g, y, 1, input), z = ops::_log_softmax_backward_data(g, y.log(), 1, input);
    CHECK(x.dtype() == kDouble);
    CHECK(values(x) == Numbers{0.1875, -0.1875});
    CHECK(z.dtype() == kDouble);
    CHECK(values(z)[0] == Approx(0.75));
  }
  Tensor widened = ops::_softmax_backward_data(g.to(kFloat), y.to(kFloat), 1, kHalf);
  CHECK(widened.dtype() == kHalf);
}
