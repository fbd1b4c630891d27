// Divergences, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("divergences within a family are those of PyTorch", "[distributions][kl]") {
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.8868528194400548, 0.6942366358974077});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Uniform{f64({0, 0.5}), f64({1, 1})}),
        {0.5108256237659906, kInf});
  close(kl_divergence(Bernoulli{f64({0.2, 0.7})}, Bernoulli{f64({0.4, 0})}), {0.09151622184943572, kInf});
  close(kl_divergence(Categorical{f64({0.2, 0.3, 0.5})}, Categorical{f64({0.4, 0.5, 0.1})}), {0.5128418329752638});
  close(kl_divergence(OneHotCategorical{f64({0.2, 0.3, 0.5})}, OneHotCategorical{f64({0.4, 0.5, 0.1})}),
        {0.5128418329752638});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Exponential{f64({1.5, 2})}),
        {0.9013877113318902, 0.07213177477483113});
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}),
        {0.8913119105978923, 0.0780852891529964});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}),
        {1.836601281110464, 1.3131560929946318});
  close(kl_divergence(Chi2{f64({1.5, 4})}, Chi2{f64({2.5, 3})}), {0.24137765204012746, 0.0906099299139883});
  close(kl_divergence(Dirichlet{f64({0.5, 2, 3.5})}, Dirichlet{f64({1.5, 1, 0.5})}), {3.349999999999999});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Laplace{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.3443143255960184, 0.6425302616033015});
  close(kl_divergence(Poisson{f64({0.5, 4})}, Poisson{f64({1.5, 3})}), {0.4506938556659452, 0.15072828980712316});
  close(kl_divergence(Binomial{f64({5, 7}), f64({0.2, 0.6})}, Binomial{f64({5, 4}), f64({0.3, 0.5})}),
        {0.12866046238992596, kInf});
  close(kl_divergence(Geometric{f64({0.2, 0.7})}, Geometric{f64({0.4, 0.6})}),
        {0.4575811092471783, 0.03085836306220946});
  close(kl_divergence(LogNormal{f64({0.5, -1}), f64({2, 0.3})}, LogNormal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.8868528194400548, 0.6942366358974077});
  close(kl_divergence(HalfNormal{f64({2, 0.3})}, HalfNormal{f64({1, 0.7})}), {0.8068528194400547, 0.4391345950810811});
  close(kl_divergence(Cauchy{f64({0.5, -1}), f64({2, 0.3})}, Cauchy{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.1354046370062032, 0.3974969384589876});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Gumbel{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.6247085764128659, 0.6131869827023007});
  close(kl_divergence(Pareto{f64({0.15, 0.3}), f64({2.5, 1.2})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}),
        {0.719023285928237, kInf});
  close(kl_divergence(MultivariateNormal{.loc = f64({0.5, -1, 2}),
                                         .scale_tril = f64({1.2, 0, 0, 0.5, 0.8, 0, -0.3, 0.2, 1.5}).view({3, 3})},
                      MultivariateNormal{f64({0, 0, 1, 1, 1, 1}).view({2, 3}), eye(3, "dtype"_a = kDouble) * 2}),
        {0.9150776572520086, 1.665077657252008});
}

TEST_CASE("divergences between families are those of PyTorch", "[distributions][kl]") {
  close(kl_divergence(Bernoulli{f64({0.2, 0.7})}, Poisson{f64({1.5, 3})}), {0.9185045548401793, 1.62010709587743});
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, Exponential{f64({1.5, 2})}),
        {0.6598138472266117, 1.0790219244634223});
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}),
        {1.6696323888706173, 4.093885200365414});
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {1.7120746313965916, 2.450490106265087});
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, Uniform{f64({0, 0.5}), f64({1, 1})}),
        {0.7652789553347761, kInf});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}),
        {0.5199071618133568, 5.059982733772619});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Gumbel{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.5752431254652703, 1.26403853038931});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {3.030791352644727, 1.482871342786658});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Exponential{f64({1.5, 2})}),
        {0.7202156938520021, 2.6415958658709977});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Gumbel{f64({0.1, -0.5}), f64({1, 0.7})}),
        {1.8597207055740208, 2.3103596598136815});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {1.789619335164839, 10.206530445220695});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {3.146572200976311, 0.44908744265827716});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {2.6126441720847824, 0.5118647232360125});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Gumbel{f64({0.1, -0.5}), f64({1, 0.7})}),
        {3.240946710630497, 0.9532820989445745});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Laplace{f64({0.1, -0.5}), f64({1, 0.7})}),
        {0.20864001024843337, 0.8527864091750968});
  close(kl_divergence(Pareto{f64({0.15, 0.3}), f64({2.5, 1.2})}, Exponential{f64({1.5, 2})}),
        {1.3829456086518723, 2.4598138472266124});
  close(kl_divergence(Pareto{f64({0.15, 0.3}), f64({2.5, 1.2})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}),
        {1.807990809405485, 3.502476323647361});
  close(kl_divergence(Pareto{f64({0.15, 0.3}), f64({2.5, 1.2})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {2.368599249964709, kInf});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}),
        {0.4050576492574353, 0.6300680971451564});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Exponential{f64({1.5, 2})}),
        {0.8553605156578261, 1.3});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}),
        {0.9123684394389551, 4.498639348112909});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Gumbel{f64({0.1, -0.5}), f64({1, 0.7})}),
        {1.5912458141735741, 2.176894248228488});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Normal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {1.5247641569706631, 2.626159069145613});
  close(kl_divergence(Uniform{f64({0.2, 0.4}), f64({0.8, 0.9})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}),
        {1.6566245777966127, 0.4627324356940201});
}

TEST_CASE("divergences are infinite where one draws what the other never does", "[distributions][kl]") {
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}), {kInf, kInf});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Exponential{f64({0.5, 3})}, Uniform{f64({0, 0.5}), f64({1, 1})}), {kInf, kInf});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}), {kInf, kInf});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Gamma{f64({0.5, 3}), f64({2.5, 1.2})}, Uniform{f64({0, 0.5}), f64({1, 1})}), {kInf, kInf});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}), {kInf, kInf});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Exponential{f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}), {kInf, kInf});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Gumbel{f64({0.5, -1}), f64({2, 0.3})}, Uniform{f64({0, 0.5}), f64({1, 1})}), {kInf, kInf});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}), {kInf, kInf});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Exponential{f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}), {kInf, kInf});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Laplace{f64({0.5, -1}), f64({2, 0.3})}, Uniform{f64({0, 0.5}), f64({1, 1})}), {kInf, kInf});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}), {kInf, kInf});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Exponential{f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Gamma{f64({1.5, 2}), f64({1.5, 0.2})}), {kInf, kInf});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Pareto{f64({0.1, 0.4}), f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Normal{f64({0.5, -1}), f64({2, 0.3})}, Uniform{f64({0, 0.5}), f64({1, 1})}), {kInf, kInf});
  close(kl_divergence(Pareto{f64({0.15, 0.3}), f64({2.5, 1.2})}, Beta{f64({1.5, 2}), f64({2.5, 0.7})}), {kInf, kInf});
  close(kl_divergence(Pareto{f64({0.15, 0.3}), f64({2.5, 1.2})}, Uniform{f64({0, 0.5}), f64({1, 1})}), {kInf, kInf});
  close(kl_divergence(Poisson{f64({0.5, 4})}, Bernoulli{f64({0.4, 0})}), {kInf, kInf});
  close(kl_divergence(Poisson{f64({0.5, 4})}, Binomial{f64({5, 4}), f64({0.3, 0.5})}), {kInf, kInf});
}

TEST_CASE("divergences have derivatives, broadcast and are 0 for equals", "[distributions][kl]") {
  Tensor a = leaf({0.5, -1}), b = leaf({2, 0.3}), c = leaf({1, 0.7});
  Tensor kl = kl_divergence(Normal{a, b}, Normal{f64({0.1, -0.5}), c});
  slope(kl, a, {0.4, -1.0204081632653061});
  slope(kl, b, {1.5, -2.7210884353741496});
  slope(kl, c, {-3.16, 0.43731778425656});
  Tensor p = leaf({0.2, 0.7});
  slope(kl_divergence(Bernoulli{p}, Bernoulli{f64({0.4, 0.5})}), p, {-0.9808292530117262, 0.8472978603872033});
  CHECK(kl_divergence(Normal{zeros({3, 1}), 1}, Normal{zeros({2}), 1}).sizes() == IntArrayRef({3, 2}));
  CHECK(kl_divergence(Normal{zeros({3, 1}), 1}, Gamma{ones({2}), 1}).sizes() == IntArrayRef({3, 2}));
  close(kl_divergence(Gumbel{a.detach(), b.detach()}, Gumbel{a.detach(), b.detach()}), {0, 0});
}

TEST_CASE("divergences of independent parts are sums", "[distributions][kl]") {
  Normal p{f64({0.5, -1}), f64({2, 0.3})}, q{f64({0.1, -0.5}), f64({1, 0.7})};
  CHECK(allclose(kl_divergence(Independent{p, 1}, Independent{q, 1}), kl_divergence(p, q).sum()));
  CHECK_ERROR(kl_divergence(Independent{p, 1}, Independent{q, 0}), ValueError,
              "kl_divergence(): expected two Independent of as many dimensions, got 1 and 0");
  CHECK_ERROR(kl_divergence(Binomial{2, f64({0.5})}, Binomial{3, f64({0.5})}), NotImplementedError,
              "kl_divergence(): expected Binomial 'q' to count to no more than 'p'");
  CHECK_ERROR(kl_divergence(MultivariateNormal{zeros({2}), eye(2)}, MultivariateNormal{zeros({3}), eye(3)}), ValueError,
              "kl_divergence(): expected normal vectors of one size, got 2 and 3");
}

TEST_CASE("divergences of shades between no and yes are those of PyTorch", "[distributions][kl]") {
  ContinuousBernoulli p{f64({0.2, 0.7})}, q{f64({0.4, 0.7})};
  close(kl_divergence(p, ContinuousBernoulli{f64({0.4, 0.4995})}), {0.037848834177652724, 0.02952592394313197});
  close(kl_divergence(Beta{f64({0.5, 3}), f64({2, 1.2})}, q), {0.6504801440061794, 0.19176997247798488});
  close(kl_divergence(Uniform{f64({0.2, 0}), f64({0.8, 0.9})}, q), {0.5176663448698431, kInf});
  close(kl_divergence(p, Exponential{f64({1.5, 2})}), {0.252970625361917, 0.47579401938452615});
  close(kl_divergence(p, Normal{f64({0.1, -0.5}), f64({1, 0.7})}), {1.074777972400158, 1.8414957601359876});
  close(kl_divergence(p, Uniform{f64({-1, 0.5}), f64({2, 1})}), {1.1750267414714688, kInf});
  close(kl_divergence(p, Pareto{0.1, f64({1.5, 2})}), {kInf, kInf});
  close(kl_divergence(Exponential{f64({0.5, 3})}, q), {kInf, kInf});
  close(kl_divergence(Gamma{f64({0.5, 3}), 1}, q), {kInf, kInf});
  close(kl_divergence(Gumbel{f64({0.5, -1}), 1}, q), {kInf, kInf});
  close(kl_divergence(Laplace{f64({0.5, -1}), 1}, q), {kInf, kInf});
  close(kl_divergence(Normal{f64({0.5, -1}), 1}, q), {kInf, kInf});
  close(kl_divergence(Pareto{f64({0.5, 3}), 1}, q), {kInf, kInf});
}

TEST_CASE("divergences of tied normal vectors and of scatter matrices are those of PyTorch", "[distributions][kl]") {
  Tensor mu = f64({0.5, -1, 2}), triangle = f64({1.2, 0, 0, 0.5, 0.8, 0, -0.3, 0.2, 1.5}).view({3, 3});
  Tensor factor = f64({1.2, 0.3, 0.5, -0.8, -0.3, 0.2}).view({3, 2});
  MultivariateNormal full{.loc = mu, .scale_tril = triangle};
  LowRankMultivariateNormal tied{f64({0, 1, 0.5}), factor, f64({0.7, 1.5, 0.4})};
  LowRankMultivariateNormal two{f64({0.5, -1, 2, 1, 1, 1}).view({2, 3}), 2 * factor, f64({1, 0.5, 2})};
  close(kl_divergence(tied, full), {6.274030736338901});
  close(kl_divergence(full, tied), {4.516019408432162});
  close(kl_divergence(tied, two), {1.5209475141516022, 0.8280258274046131});
  close(kl_divergence(two, tied), {4.588605108800738, 2.314143103712189});
  close(kl_divergence(two, full), {3.239344019504191, 6.222929330075179});
  close(kl_divergence(full, two), {0.924087076421233, 1.4615870764212326});
  close(kl_divergence(tied, tied), {0});
  Wishart p{.df = 4.5, .scale_tril = triangle}, q{6, 2 * eye(3, "dtype"_a = kDouble) + 0.3};
  close(kl_divergence(p, q), {3.698777659399967});
  close(kl_divergence(q, p), {7.555329373460254});
  CHECK_ERROR(kl_divergence(tied, LowRankMultivariateNormal{zeros({2}), ones({2, 1}), ones({2})}), ValueError,
              "kl_divergence(): expected normal vectors of one size, got 3 and 2");
}

TEST_CASE("divergences under one map are those of what is mapped", "[distributions][kl]") {
  close(kl_divergence(InverseGamma{f64({0.5, 3}), f64({2.5, 1.2})}, InverseGamma{f64({1.5, 2}), f64({1.5, 0.2})}),
        {1.836601281110464, 1.3131560929946318});
  close(kl_divergence(HalfCauchy{f64({2, 0.3})}, HalfCauchy{f64({1, 0.7})}), {0.11778303565638382, 0.1743533871447778});
  close(kl_divergence(LogisticNormal{f64({0.5, -1}), f64({2, 0.3})}, LogisticNormal{f64({0.1, -0.5}), f64({1, 0.7})}),
        {1.5810894553374624});
  Normal p{f64({0.5, -1}), f64({2, 0.3})}, q{f64({0.1, -0.5}), f64({1, 0.7})};
  ComposeTransform map{TanhTransform{}, AffineTransform{1, f64({2, 3})}};
  CHECK(allclose(kl_divergence(TransformedDistribution{p, map}, TransformedDistribution{q, map}), kl_divergence(p, q)));
  CHECK(allclose(kl_divergence(TransformedDistribution{p, PowerTransform{2}},
                               TransformedDistribution{q, PowerTransform{f64({2, 2})}}),
                 kl_divergence(p, q)));
  CHECK_ERROR(kl_divergence(TransformedDistribution{p, AffineTransform{1, 2}},
                            TransformedDistribution{q, AffineTransform{1, 3}}),
              NotImplementedError, "kl_divergence(): expected two TransformedDistribution of the same map");
}
