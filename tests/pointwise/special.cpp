// Special functions against values of mpmath 1.3 with 60 digits, and where they have none.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../ops/support.hpp"

using namespace test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
Tensor doubles(const std::vector<double>& data) {
  Tensor t = ops::empty({static_cast<std::int64_t>(data.size())}, "dtype"_a = kDouble);
  std::copy(data.begin(), data.end(), static_cast<double*>(t.data_ptr()));
  return t;
}
Tensor called(const std::string& name, std::initializer_list<Tensor> arguments) {
  Stack stack(arguments.begin(), arguments.end());
  Registry::get().find_schema("aten::" + name).call_boxed(stack);
  return stack[0].to_tensor();
}
/// The largest error of values, relative to them; of those between `least` and its inverse.
double error(const Tensor& got, const std::vector<double>& expected, double least = 1e-306) {
  double worst = 0;
  Numbers found = values(got);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (std::abs(expected[i]) > least && std::abs(expected[i]) < 1 / least)
      worst = std::max(worst, std::abs(found[i] - expected[i]) / std::abs(expected[i]));
  return worst;
}

}  // namespace

TEST_CASE("special functions have the digits of their type", "[pointwise][special]") {
  struct Row {
    const char* name;
    std::vector<double> x, value;
  };
  const Row rows[] = {
      {"special_bessel_j0",
       {-7.5, 0.5, 5.5, 30.0},
       {0.2663396578803784, 0.9384698072408129, -0.0068438694178191968, -0.086367983581040211}},
      {"special_bessel_j1",
       {-7.5, 0.5, 5.5, 30.0},
       {-0.13524842757970551, 0.24226845767487389, -0.34143821542904335, -0.11875106261662294}},
      {"special_bessel_y0",
       {1e-05, 0.5, 5.5, 30.0},
       {-7.4031602837019701, -0.44451873350670656, -0.33948059288191104, -0.11729573168666403}},
      {"special_bessel_y1",
       {1e-05, 0.5, 5.5, 30.0},
       {-63661.97727536548, -1.4714723926702431, -0.023758238956389618, 0.084425570661747235}},
      {"i0",
       {-3.0, 0.01, 24.9, 25.1, 600.0},
       {4.8807925858650241, 1.0000250001562504, 5235629675.8044222, 6369018573.8035025, 6.1463054039368448e258}},
      {"special_i0e",
       {-3.0, 0.01, 25.1, 1000000.0},
       {0.2430003541618254, 0.9900745851497075, 0.080035197254296236, 0.00039894233026924578}},
      {"special_i1",
       {-3.0, 0.01, 24.9, 25.1, 600.0},
       {-3.9533702174026094, 0.0050000625002604173, 5129395695.9257421, 6240828249.8739803, 6.1411813450668919e258}},
      {"special_i1e",
       {-3.0, 0.01, 25.1, 1000000.0},
       {-0.19682671329730085, 0.0049503110471182757, 0.078424315178368414, 0.00039894213079803078}},
      {"special_modified_bessel_k0",
       {1e-09, 1.99, 2.01, 25.1, 600.0},
       {20.839197352604824, 0.1153017675517768, 0.11250436099872805, 3.1283127143211171e-12, 1.3558285309948524e-262}},
      {"special_modified_bessel_k1",
       {1e-09, 1.99, 2.01, 25.1, 600.0},
       {999999999.99999993, 0.14171756162240131, 0.13804087731920771, 3.190032318604266e-12, 1.3569579181128061e-262}},
      {"special_scaled_modified_bessel_k0",
       {1e-09, 1.99, 2.01, 25.1, 1000000.0},
       {20.839197373444021, 0.84349397337899282, 0.83965574909086785, 0.24894399546328753, 0.0012533139806513212}},
      {"special_scaled_modified_bessel_k1",
       {1e-09, 1.99, 2.01, 25.1, 1000000.0},
       {1000000000.9999999, 1.0367396067608633, 1.0302428743356034, 0.25385550089505651, 0.0012533146073081549}},
      {"special_airy_ai",
       {-20.0, -9.01, -8.99, -1.5, 0.0, 0.99, 1.01, 12.0, 100.0},
       {-0.17640612707798469, -0.012368582865178804, -0.031878943000053318, 0.46425657774886941, 0.35502805388781724,
        0.13689065924593273, 0.13370770246895857, 1.3931846888753608e-13, 2.6344821520881845e-291}},
      {"special_spherical_bessel_j0", {0.0, 1e-09, 2.0, -40.0}, {1.0, 1.0, 0.45464871341284085, 0.01862782901198372}},
      {"special_erfcx",
       {-20.0, 0.5, 5.99, 6.01, 1000000000.0},
       {1.0442939379528288e174, 0.61569034419292587, 0.092927413163163408, 0.092626205328484125,
        5.6418958354775629e-10}},
      {"special_log_ndtr",
       {-1000.0, -2.0, -0.5, 5.0},
       {-500007.82669481218, -3.7831843336820319, -1.1759117615936186, -2.8665161296376359e-7}},
      {"special_ndtri",
       {1e-300, 1e-05, 0.3, 0.75},
       {-37.047096299361199, -4.2648907939228246, -0.52440051270804082, 0.67448975019608174}},
      {"special_entr", {1e-09, 0.5, 20.0}, {2.0723265836946412e-8, 0.34657359027997265, -59.91464547107982}},
  };
  for (const Row& r : rows) {
    CAPTURE(r.name);
    CHECK(error(called(r.name, {doubles(r.x)}), r.value) < 1e-13);
    Tensor single = doubles(r.x).to(kFloat);
    // The argument of float is another number: the double's function of that is expected.
    CHECK(error(called(r.name, {single}), values(called(r.name, {single.to(kDouble)})), 1e-30) < 1e-7);
  }
}

TEST_CASE("special functions of two arguments have the digits of their type", "[pointwise][special]") {
  struct Row {
    const char* name;
    std::vector<double> x, y, value;
  };
  const Row rows[] = {
      {"igamma",
       {0.01, 0.5, 5.0, 5.0, 200.0, 5000.0, 1000000.0},
       {0.2, 3.0, 4.0, 9.0, 180.0, 4990.0, 1001000.0},
       {0.98778440945675419, 0.98569412156457036, 0.37116306482012648, 0.9450363585048951, 0.074858034984159582,
        0.44559408878966122, 0.84134478636834029}},
      {"igammac",
       {0.01, 0.5, 5.0, 5.0, 200.0, 5000.0, 1000000.0},
       {0.2, 3.0, 4.0, 9.0, 180.0, 4990.0, 1001000.0},
       {0.012215590543245809, 0.01430587843542964, 0.62883693517987352, 0.054963641495104904, 0.92514196501584042,
        0.55440591121033878, 0.15865521363165971}},
      {"special_zeta",
       {1.5, 2.0, 7.3, 30.0},
       {0.25, 1.0, 4.5, 12.0},
       {10.213055360466601, 1.6449340668482264, 2.286961130542776e-5, 4.6418371139547266e-33}},
      {"special_xlog1py", {2.0, -3.0}, {1e-10, 0.5}, {1.9999999999000001e-10, -1.2163953243244931}},
      {"special_chebyshev_polynomial_t", {0.3, 0.3, 1.5}, {5.0, 17.0, 6.0}, {0.99888, -0.89274902343647241, 161.0}},
      {"special_chebyshev_polynomial_u", {0.3, 0.3, 1.5}, {5.0, 17.0, 6.0}, {1.01376, -0.75105624983076879, 377.0}},
      {"special_chebyshev_polynomial_v",
       {0.3, 0.3, 1.5},
       {5.0, 17.0, 6.0},
       {0.96415999999999995, -1.2233654951831142, 233.0}},
      {"special_chebyshev_polynomial_w",
       {0.3, 0.3, 1.5},
       {5.0, 17.0, 6.0},
       {1.0633600000000001, -0.27874700447842338, 521.0}},
      {"special_shifted_chebyshev_polynomial_t",
       {0.3, 0.3, 1.5},
       {5.0, 17.0, 6.0},
       {-0.88383999999999994, -0.65380412062695455, 1351.0}},
      {"special_shifted_chebyshev_polynomial_u",
       {0.3, 0.3, 1.5},
       {5.0, 17.0, 6.0},
       {-0.67967999999999988, -0.9840392956595407, 2911.0}},
      {"special_shifted_chebyshev_polynomial_v",
       {0.3, 0.3, 1.5},
       {5.0, 17.0, 6.0},
       {-0.16927999999999976, -1.809627233241006, 2131.0}},
      {"special_shifted_chebyshev_polynomial_w",
       {0.3, 0.3, 1.5},
       {5.0, 17.0, 6.0},
       {-1.19008, -0.15845135807807538, 3691.0}},
      {"special_hermite_polynomial_h", {0.3, -1.2}, {5.0, 10.0}, {31.757759999999999, -42007.465141862388}},
      {"special_hermite_polynomial_he", {0.3, -1.2}, {5.0, 10.0}, {4.2324299999999999, 1021.0298932224001}},
      {"special_laguerre_polynomial_l", {0.3, 2.5}, {5.0, 10.0}, {-0.093332749999999973, -0.8802526766660983}},
      {"special_legendre_polynomial_p", {0.3, -0.9}, {5.0, 10.0}, {0.34538625, -0.26314561785585953}},
  };
  for (const Row& r : rows) {
    CAPTURE(r.name);
    CHECK(error(called(r.name, {doubles(r.x), doubles(r.y)}), r.value) < 1e-12);
  }
}

TEST_CASE("where special functions have no value they answer as PyTorch", "[pointwise][special]") {
  Tensor x = doubles({0.0, -1.0, kInfinity, -kInfinity, kNone});
  auto are = [&](const char* name, const Numbers& expected) {
    CAPTURE(name);
    Numbers got = values(called(name, {x}));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i, got[i]);
      CHECK((std::isnan(expected[i]) ? std::isnan(got[i]) : got[i] == Approx(expected[i])));
    }
  };
  are("special_bessel_j0", {1, 0.76519768655796655, kNone, kNone, kNone});
  are("special_bessel_y0", {-kInfinity, kNone, kNone, kNone, kNone});
  are("special_bessel_y1", {-kInfinity, kNone, kNone, kNone, kNone});
  are("i0", {1, 1.2660658777520084, kNone, kNone, kNone});
  are("special_i1e", {0, -0.20791041534970844, 0, 0, kNone});
  are("special_modified_bessel_k0", {kInfinity, kNone, 0, kNone, kNone});
  are("special_scaled_modified_bessel_k1", {kInfinity, kNone, 0, kNone, kNone});
  are("special_airy_ai", {0.35502805388781724, 0.53556088329235176, kNone, kNone, kNone});
  are("special_spherical_bessel_j0", {1, 0.84147098480789651, 0, 0, kNone});
  are("special_entr", {0, -kInfinity, -kInfinity, -kInfinity, kNone});
  are("special_erfcx", {1, 5.0089800807622834, 0, kInfinity, kNone});
  are("special_ndtri", {-kInfinity, kNone, kNone, kNone, kNone});
  are("special_log_ndtr", {-0.69314718055994531, -1.8410216450092635, 0, -kInfinity, kNone});
}

TEST_CASE("the second derivative of log_ndtr is a number on both sides", "[pointwise][special]") {
  // -d (x + d), d the density over the distribution, by mpmath.
  const std::vector<double> first{50.01998403190564, 2.3732155328228409, 0.79788456080286536, 1.1e-314, 0},
      second{-0.9996009568131961, -0.88572089958591874, -0.63661977236758134, -4.2e-313, 0};
  Tensor x = doubles({-50, -2, 0, 38, 1000}).set_requires_grad(true);
  Tensor slope = autograd::grad({ops::sum(ops::special_log_ndtr(x))}, {x}, {}, true, true)[0];
  Tensor bend = autograd::grad({ops::sum(slope)}, {x})[0];
  CHECK(error(slope.detach(), first) < 1e-13);
  CHECK(error(bend, second) < 1e-11);
  for (double v : values(bend)) CHECK_FALSE(std::isnan(v));
}

TEST_CASE("incomplete gamma functions and zeta at the ends of their domains", "[pointwise][special]") {
  Tensor a = doubles({0.0, 0.0, 2.0, kInfinity, kInfinity, 2.0, -1.0}),
         x = doubles({0.0, 1.0, 0.0, 1.0, kInfinity, kInfinity, 1.0});
  Numbers p = values(ops::igamma(a, x)), q = values(ops::igammac(a, x));
  const double lower[] = {kNone, 1, 0, 0, kNone, 1, kNone}, upper[] = {kNone, 0, 1, 1, kNone, 0, kNone};
  for (std::size_t i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK((std::isnan(lower[i]) ? std::isnan(p[i]) : p[i] == lower[i]));
    CHECK((std::isnan(upper[i]) ? std::isnan(q[i]) : q[i] == upper[i]));
  }
  Numbers z = values(ops::special_zeta(doubles({1.0, 0.5, 2.0, 2.0, 2.5}), doubles({1.0, 1.0, 0.0, -1.5, -1.5})));
  CHECK(z[0] == kInfinity);
  CHECK(std::isnan(z[1]));
  CHECK(z[2] == kInfinity);
  CHECK(z[3] == Approx(9.3792466449891237));
  CHECK(std::isnan(z[4]));
  CHECK(values(ops::mvlgamma(doubles({3.0, 0.5}), 2))[0] == Approx(1.5501949939575505));
  CHECK(values(ops::mvlgamma(doubles({3.0, 0.5}), 2))[1] == kInfinity);
  CHECK_ERROR(ops::mvlgamma(doubles({3.0}), 0), ValueError, "p has to be greater than or equal to 1");
}

TEST_CASE("a degree is cut to an integer, and polynomials take numbers for either argument", "[pointwise][special]") {
  CHECK(values(ops::special_chebyshev_polynomial_t(2, doubles({0.0, 1.0, -1.0, 2.7, -0.5}))) == Numbers{1, 2, 0, 7, 1});
  CHECK(values(ops::special_legendre_polynomial_p(doubles({1.0, -1.0, 0.5}), 3)) == Numbers{1, -1, -0.4375});
  CHECK(ops::special_hermite_polynomial_h(tensor({1, 2}), 2).dtype() == kFloat);
  // Ends of the interval.
  CHECK(values(ops::special_chebyshev_polynomial_u(doubles({1.0, -1.0}), 3)) == Numbers{4, -4});
  CHECK(values(ops::special_shifted_chebyshev_polynomial_v(doubles({1.0, 0.0}), 20)) == Numbers{1, 41});
  CHECK(values(ops::special_shifted_chebyshev_polynomial_w(doubles({1.0, 0.0}), 20)) == Numbers{41, 1});
  CHECK_ERROR_CONTAINS(ops::special_airy_ai(tensor({1.0}).to(kHalf)), NotImplementedError, "Half");
  CHECK(!ops::special_airy_ai(tensor({1.0}).requires_grad_()).requires_grad());
}

TEST_CASE("a derivative that there is none of is refused where it is asked for alone", "[pointwise][special]") {
  Tensor a = doubles({1, 2}).requires_grad_(), x = doubles({0.5, 3}).requires_grad_();
  Numbers slope = values(autograd::grad({ops::igamma(a, x).sum()}, {x})[0]);
  CHECK(slope[0] == Approx(std::exp(-0.5)));  // x^(a - 1) e^-x / gamma(a)
  CHECK(slope[1] == Approx(3 * std::exp(-3.0)));
  slope = values(autograd::grad({ops::igammac(a, x).sum()}, {x})[0]);
  CHECK(slope[0] == Approx(-std::exp(-0.5)));
  Tensor y = ops::igammac(a, x).sum();
  y.backward({}, true, false, std::vector<Tensor>{x});
  CHECK(values(x.grad()) == slope);
  CHECK_FALSE(a.grad().defined());
  CHECK_ERROR_CONTAINS(autograd::grad({ops::igamma(a, x).sum()}, {a}), NotImplementedError,
                       "the derivative for 'igamma: input' is not implemented.");
  CHECK_ERROR_CONTAINS(y.backward(), NotImplementedError, "the derivative for 'igammac: input' is not implemented.");
  Tensor square = a * a;  // what leads to the argument asks for it, too
  CHECK_ERROR_CONTAINS(autograd::grad({ops::igamma(square, x).sum()}, {a}), NotImplementedError, "igamma: input");
  CHECK(autograd::grad({ops::igamma(square, x).sum()}, {x})[0].defined());
}

TEST_CASE("functions of torch.special under a second name", "[pointwise][special]") {
  Tensor x = doubles({0.25, 0.75}), y = doubles({2.0, 3.0});
  CHECK(values(ops::special_psi(y)) == values(ops::digamma(y)));
  CHECK(values(ops::special_expit(x)) == values(ops::sigmoid(x)));
  CHECK(values(ops::special_gammaln(y)) == values(ops::lgamma(y)));
  CHECK(values(ops::special_gammainc(y, x)) == values(ops::igamma(y, x)));
  CHECK(values(ops::special_multigammaln(y, 2)) == values(ops::mvlgamma(y, 2)));
  CHECK(values(ops::special_xlogy(2, y)) == values(ops::xlogy(2, y)));
  CHECK(values(ops::special_round(x * 10, "decimals"_a = 0)) == Numbers{2, 8});
  CHECK(values(ops::special_log_softmax(x, 0)) == values(ops::log_softmax(x, 0)));
  CHECK(values(ops::special_ndtr(doubles({0.0})))[0] == 0.5);
}
