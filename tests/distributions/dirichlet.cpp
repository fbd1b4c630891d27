// Dirichlet and beta distributions, against PyTorch 2.15.
#include <tenon/func/jvp.hpp>

#include "support.hpp"

using namespace test;

TEST_CASE("Dirichlet's figures are those of PyTorch", "[distributions][dirichlet]") {
  Tensor concentration = f64({0.5, 2, 3.5, 1.5, 2.5, 4}).view({2, 3}).requires_grad_();
  Dirichlet d{.concentration = concentration};
  close(d.entropy(), {-2.0582311419371573, -1.3326268224741904});
  slope(d.entropy(), concentration,
        {3.0113699682672666, -0.10096519985776231, -0.28192552314916997, 0.198283972992296, -0.06985156088159916,
         -0.18578379383101407});
  close(d.mean(), {0.08333333333333333, 0.3333333333333333, 0.5833333333333334, 0.1875, 0.3125, 0.5});
  close(d.variance(), {0.010912698412698412, 0.031746031746031744, 0.034722222222222224, 0.016927083333333332,
                       0.023871527777777776, 0.027777777777777776});
  close(d.mode(), {0, 0.2857142857142857, 0.7142857142857143, 0.1, 0.3, 0.6});
  close(d.stddev(), {0.10446386175466811, 0.1781741612749496, 0.18633899812498247, 0.1301041249666333,
                     0.1545041351478263, 0.16666666666666666});
  Tensor value = f64({0.1, 0.6, 0.3, 0.2, 0.2, 0.6}).view({2, 3});
  close(d.log_prob(value), {0.6446881094264634, 1.8181485628335132});
  slope(d.log_prob(value), concentration,
        {1.3670426014591777, 0.7725077095673425, -0.601011776539379, 0.36971359154293326, -0.2969530751237335,
         0.24869818575781877});
  manual_seed(5);
  close(d.sample({2}),
        {0.017435126431943275, 0.39482210980255905, 0.5877427637654977, 0.06294441670748765, 0.19286347382764366,
         0.7441921094648686, 0.17936172390011884, 0.3574449449324084, 0.46319333116747263, 0.036230042744297274,
         0.4632682395847313, 0.5005017176709715},
        1e-7);
}

TEST_CASE("Beta's figures are those of PyTorch", "[distributions][beta]") {
  Tensor concentration1 = leaf({0.5, 3}), concentration0 = leaf({2, 1.2});
  Beta d{.concentration1 = concentration1, .concentration0 = concentration0};
  close(d.entropy(), {-0.7652789553347761, -0.34359767645193884});
  slope(d.entropy(), concentration1, {2.7125799791567493, -0.19880526419474687});
  slope(d.entropy(), concentration0, {-0.39975518896827966, 0.33758742846146805});
  close(d.mean(), {0.2, 0.7142857142857143});
  close(d.variance(), {0.045714285714285714, 0.03924646781789638});
  close(d.mode(), {0, 0.9090909090909091});
  close(d.stddev(), {0.2138089935299395, 0.19810721293758182});
  Tensor value = f64({0.3, 0.75});
  close(d.log_prob(value), {-0.04237061422754529, 0.5881595292764208});
  slope(d.log_prob(value), concentration1, {1.46269386234073, 0.10087248373635116});
  slope(d.log_prob(value), concentration0, {-0.07630263839195639, 0.21408442675889705});
  manual_seed(5);
  close(d.sample({2}), {0.042291862700078196, 0.9524167077382522, 0.06769764114583024, 0.7222430750702619}, 1e-7);
}

TEST_CASE("Dirichlet's shapes, modes and checks", "[distributions][dirichlet]") {
  Dirichlet d{ones({4, 3})};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({4}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  CHECK(d.expand({2, 4}).rsample({5}).sizes() == IntArrayRef({5, 2, 4, 3}));
  close(Dirichlet{f64({0.5, 0.9, 0.1})}.mode(), {0, 1, 0});
  CHECK_ERROR(Dirichlet{1}, ValueError, "Dirichlet: expected parameter 'concentration' to have at least 1 dimension");
  CHECK_ERROR(Dirichlet{f64({1, 0})}, ValueError,
              "Dirichlet: expected parameter 'concentration' to be positive, got 0 in shape [2]");
  CHECK_ERROR(Dirichlet{ones({2})}.log_prob(tensor({0.5, 0.6})), ValueError,
              "Dirichlet.log_prob(): expected a value that is nonnegative with sum 1, got a tensor of shape [2] that "
              "is not");
  CHECK_ERROR((Beta{1, -1}), ValueError,
              "Beta: expected parameter 'concentration0' to be positive, got -1 in shape []");
}

TEST_CASE("draws with derivatives and these are those of PyTorch, draw by draw", "[distributions][dirichlet]") {
  Tensor concentration = f64({0.5, 2, 3.5, 1.5, 2.5, 4}).view({2, 3}).requires_grad_();
  manual_seed(5);
  Tensor drawn = Dirichlet{concentration}.rsample();
  close(drawn,
        {0.017435126431943275, 0.39482210980255905, 0.5877427637654977, 0.06294441670748765, 0.19286347382764366,
         0.7441921094648686},
        1e-7);
  slope(drawn * f64({1, -2, 3, 0.5, 2, -1}).view({2, 3}), concentration,
        {0.0008115965117509061, -0.6241584700777497, 0.3728595645367202, 0.06502383072144155, 0.2505662486805604,
         -0.11142316945890234},
        1e-6);
  Tensor concentration1 = leaf({0.5, 3}), concentration0 = leaf({2, 1.2});
  manual_seed(11);
  Tensor beta = Beta{concentration1, concentration0}.rsample({2}) * f64({1, 2});
  slope(beta, concentration1, {0.8138572861233188, 0.3036396239908441}, 1e-6);
  slope(beta, concentration0, {-0.3812158772731894, -0.8357759960468027}, 1e-6);
  // Along a direction: what the gradients of weights say of it.
  Tensor along = f64({1, 2, -1, 0.5, 3, 1}).view({2, 3}), alpha = concentration.detach();
  manual_seed(5);
  Tensor change = func::jvp([](const Tensor& a) { return Dirichlet{a}.rsample(); }, alpha, along).second;
  close((change * f64({1, -2, 3, 0.5, 2, -1}).view({2, 3})).sum(), {-0.947577416236969}, 1e-6);
  Tensor weights = ones({2, 3}).requires_grad_();
  drawn = Dirichlet{concentration}.rsample();
  Tensor grad = autograd::grad({(drawn * weights).sum()}, {concentration}, {}, true, true)[0];
  CHECK_ERROR(grad.sum().backward(), AutogradError,
              "trying to differentiate twice a function that was marked with once_differentiable; in the backward pass "
              "of Error, arguments [2, 3], results [2, 3]");
}

TEST_CASE("draws with derivatives have the mean's derivatives on average", "[distributions][dirichlet]") {
  Tensor alpha = leaf({2, 3, 5});
  Tensor drawn = Dirichlet{alpha}.rsample({40000}, Generator(3));
  close(drawn.sum(-1).mean(), {1});
  close(drawn.mean(0), {0.2, 0.3, 0.5}, 5e-3);
  slope(drawn.select(1, 0).mean(), alpha, {0.08, -0.02, -0.02}, 2e-3);  // of alpha0 / sum(alpha)
  Tensor a = leaf({2}), b = leaf({6});
  slope(Beta{a, b}.rsample({40000}, Generator(3)).mean(), a, {6. / 64}, 2e-3);
  Tensor tiny = Dirichlet{full({3}, 1e-3)}.rsample({100}, Generator(3));
  CHECK((tiny == tiny).all().item<bool>());
}
