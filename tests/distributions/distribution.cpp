// What distributions have in common: seeds, and types of one's own.
#include "support.hpp"

using namespace test;

namespace {

/// The triangular distribution on [0, 2], a type that the library does not have.
struct Triangular {
  std::vector<std::int64_t> batch = {};
  DimVector batch_shape() const { return IntArrayRef(batch); }
  DimVector event_shape() const { return {}; }
  Tensor sample(IntArrayRef shape = {}, const std::optional<Generator>& generator = std::nullopt) const {
    Uniform part{zeros(distributions::detail::joined(shape, batch_shape())), 1};
    return part.sample({}, generator) + part.sample({}, generator);
  }
  Tensor log_prob(const Tensor& value) const { return (1 - (value - 1).abs()).log(); }
  Triangular expand(IntArrayRef shape) const { return {{shape.begin(), shape.end()}}; }
};
static_assert(distribution<Triangular> && !reparameterized<Triangular>);
static_assert(!distribution<Tensor>);

}  // namespace

TEST_CASE("one seed gives PyTorch's draws in float32", "[distributions]") {
  manual_seed(0);
  close(Normal{0, 1}.sample({4}), {1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991},
        1e-5);
  manual_seed(0);
  close(Uniform{-1, 2}.sample({4}), {0.4887697696685791, 1.3046653270721436, -0.7345677018165588, -0.6039085388183594},
        1e-5);
  manual_seed(0);
  close(Exponential{2}.sample({4}), {1.754163146018982, 0.6151923537254333, 0.3075220584869385, 1.267559289932251},
        1e-5);
  manual_seed(0);
  close(Laplace{0, 1}.sample({4}), {-0.007514926604926586, 0.7688271999359131, -1.7318599224090576, -1.33157479763031},
        1e-5);
  manual_seed(0);
  close(Cauchy{0, 1}.sample({4}), {10.597729682922363, 0.7647672891616821, -0.12829934060573578, 3.9330732822418213},
        1e-5);
  manual_seed(0);
  close(Gumbel{0, 1}.sample({4}), {0.35572922229766846, 1.3330305814743042, -0.8858347535133362, -0.7054327130317688},
        1e-5);
  manual_seed(0);
  close(Gamma{2, 1}.sample({4}), {4.5526227951049805, 1.3158268928527832, 0.6220217347145081, 0.434625506401062}, 1e-5);
  manual_seed(0);
  close(Beta{2, 3}.sample({4}), {0.6726440787315369, 0.3900393545627594, 0.30394837260246277, 0.13848064839839935},
        1e-5);
  manual_seed(0);
  close(StudentT{3}.sample({4}), {3.2198715209960938, -0.7764477729797363, -3.599905014038086, 0.7867686152458191},
        1e-5);
  manual_seed(0);
  close(Bernoulli{0.3}.sample({4}), {0, 0, 1, 1}, 1e-5);
  manual_seed(0);
  close(Poisson{4}.sample({4}), {7, 3, 5, 4}, 1e-5);
  manual_seed(0);
  close(Binomial{10, 0.3}.sample({4}), {6, 3, 3, 2}, 1e-5);
  manual_seed(0);
  close(Geometric{0.3}.sample({4}), {1, 0, 6, 5}, 1e-5);
  manual_seed(0);
  close(Categorical{tensor({0.2, 0.3, 0.5})}.sample({4}), {2, 2, 1, 2}, 1e-5);
  manual_seed(0);
  close(LogNormal{0, 1}.sample({4}), {4.669239044189453, 0.7457022666931152, 0.11317846179008484, 1.7654953002929688},
        1e-5);
  manual_seed(0);
  close(HalfNormal{2}.sample({4}), {3.0819921493530273, 0.586857795715332, 4.357578754425049, 1.1368625164031982},
        1e-5);
  manual_seed(0);
  close(Chi2{3}.sample({4}), {7.496334075927734, 1.7551220655441284, 0.6871431469917297, 0.4284523129463196}, 1e-5);
  manual_seed(0);
  close(Weibull{1, 2}.sample({4}), {1.873052716255188, 1.1092270612716675, 0.7842474579811096, 1.59220552444458}, 1e-5);
  manual_seed(0);
  close(Pareto{1, 2}.sample({4}), {5.778609752655029, 1.8500124216079712, 1.3600507974624634, 3.5521721839904785},
        1e-5);
  manual_seed(0);
  close(VonMises{0, 2}.sample({4}), {-0.4312363862991333, 0.9584389328956604, -0.64002925157547, 0.56636643409729},
        1e-5);
  manual_seed(0);
  close(NegativeBinomial{3, 0.4}.sample({4}), {3, 1, 1, 0}, 1e-5);
}

TEST_CASE("a distribution of one's own goes into those that are made of others", "[distributions]") {
  Independent d{Triangular{{3}}, 1};
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  CHECK(d.sample({4}).sizes() == IntArrayRef({4, 3}));
  close(d.log_prob(f64({1, 0.5, 1.5})), {-1.3862943611198906});
  CHECK(IntArrayRef(d.expand({2}).batch_shape()) == IntArrayRef({2}));
  TransformedDistribution wide{Triangular{}, AffineTransform{.loc = 0, .scale = 10}};
  close(wide.log_prob(f64({5})), {-2.995732273553991});
}
