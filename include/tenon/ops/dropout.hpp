// Elements and channels left out at random.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace dropout_family {

TENON_OPERATORS(dropout, (base, "aten::dropout(Tensor input, float p, bool train) -> Tensor", no_out,
                          Tag::maybe_aliasing_or_mutating, Tag::nondeterministic_seeded,
                          inplace_tags({Tag::nondeterministic_seeded})));
TENON_OPERATORS(feature_dropout, (base, "aten::feature_dropout(Tensor input, float p, bool train) -> Tensor", no_out,
                                  Tag::maybe_aliasing_or_mutating, Tag::nondeterministic_seeded,
                                  inplace_tags({Tag::nondeterministic_seeded})));
TENON_OPERATORS(alpha_dropout, (base, "aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor", no_out,
                                Tag::maybe_aliasing_or_mutating, Tag::nondeterministic_seeded,
                                inplace_tags({Tag::nondeterministic_seeded})));
TENON_OPERATORS(feature_alpha_dropout,
                (base, "aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", no_out,
                 Tag::maybe_aliasing_or_mutating, Tag::nondeterministic_seeded,
                 inplace_tags({Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(native_dropout,
                    (base, "aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", Tag::core,
                     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(native_dropout_backward,
                    (base, "aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
                     Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_masked_scale, (base, "aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor",
                                    out_tags({Tag::generated})));

TENON_OPERATORS(
    rrelu,
    (base,
     "aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor",
     no_out, no_device_check, Tag::nondeterministic_seeded, Tag::pointwise,
     inplace_tags({Tag::nondeterministic_seeded})));
TENON_OPERATORS(
    rrelu_with_noise,
    (base,
     "aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    rrelu_with_noise_functional,
    (base,
     "aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, Tensor noise_out)",
     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATORS_OUT(
    rrelu_with_noise_backward,
    (base,
     "aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace dropout_family
}  // namespace tenon::ops
