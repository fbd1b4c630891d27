// The exponential of matrices: shapes, dtypes and errors, for every back end.
#pragma once
#include <tenon/ops/matrix.hpp>
#include <tenon/structured/matrices.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace exponentials {

struct matrix_exp_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self) const {
    check_square<Int>("linalg.matrix_exp", self);
    TENON_CHECK(self.is_floating_point() || self.is_complex(), NotImplementedError,
                "linalg.matrix_exp: Expected a floating point or complex tensor as input. Got ",
                enumerator_name(self.dtype()));
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};

}  // namespace exponentials

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(linalg_matrix_exp_base, composite::exponentials::matrix_exp_meta);

}  // namespace tenon::ops
