// Functionalization of programs that read and write through conjugates and negated views.
#include <tenon/transform/functionalize.hpp>

#include "support.hpp"

using namespace test;
using namespace functionalization;

TEST_CASE("writes through conjugates are those of the program itself", "[transform][lazy]") {
  auto parts = [](const Tensor& t) { return values(ops::view_as_real(t.resolve_conj())); };
  Tensor given = ops::complex(tensor({1.0, 2.0, 3.0}), tensor({4.0, -5.0, 6.0}));
  std::function<Tensor(Tensor)> programs[] = {
      [](Tensor t) { return t.conj().add_(Scalar(Complex<double>(0, 1))); },
      [](Tensor t) {
        Tensor v = t.conj().slice(0, 1);
        v.mul_(t.slice(0, 0, 2));
        return v;
      },
      [](Tensor t) {
        Tensor v = ops::imag(t.conj());
        v.mul_(3);
        return ops::complex(v, v);
      },
      [](Tensor t) {
        Tensor v = ops::_neg_view(t);
        v.select(0, 1).fill_(7);
        return v;
      },
      [](Tensor t) {
        Tensor v = ops::view_as_complex(ops::_neg_view(ops::view_as_real(t))).conj();
        v.add_(2);
        t.mul_(v);
        return v;
      },
      [](Tensor t) { return ops::view_as_complex(ops::view_as_real(t.conj().resolve_conj())); },
  };
  for (Remove remove : {Remove::Mutations, Remove::MutationsAndViews})
    for (auto& program : programs) {
      Tensor eager = given.clone(), t = given.clone();
      Tensor expected = program(eager), got = functionalize(program, remove)(t);
      CHECK(parts(got) == parts(expected));
      CHECK(parts(t) == parts(eager));
    }
}
