// Random numbers that are a function of a key: a tensor of seed and place, which no call changes.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace philox_family {

TENON_OPERATORS_PLAIN(_philox_key_split, "aten::_philox_key_split(Tensor key, int num_splits) -> Tensor");
TENON_OPERATORS_PLAIN(_philox_key_fold_in, "aten::_philox_key_fold_in(Tensor key, int data) -> Tensor",
                      (Tensor, "aten::_philox_key_fold_in.Tensor(Tensor key, Tensor data) -> Tensor"));
TENON_OPERATORS_INPLACE(
    _philox_uniform,
    (base, "aten::_philox_uniform_(Tensor(a!) self, Tensor key, float low=0., float high=1.) -> Tensor(a!)",
     with_method));
TENON_OPERATORS_INPLACE(
    _philox_normal,
    (base, "aten::_philox_normal_(Tensor(a!) self, Tensor key, float mean=0., float std=1.) -> Tensor(a!)",
     with_method));
TENON_OPERATORS_INPLACE(
    _philox_randint,
    (base, "aten::_philox_randint_(Tensor(a!) self, Tensor key, int? low=None, int? high=None) -> Tensor(a!)",
     with_method));
TENON_OPERATORS_OUT(_philox_uniform,
                    (base, "aten::_philox_uniform(Tensor self, Tensor key, float low=0., float high=1.) -> Tensor",
                     Tag::generated));
TENON_OPERATORS_OUT(_philox_normal,
                    (base, "aten::_philox_normal(Tensor self, Tensor key, float mean=0., float std=1.) -> Tensor",
                     Tag::generated));
TENON_OPERATORS_OUT(_philox_randint,
                    (base, "aten::_philox_randint(Tensor self, Tensor key, int? low=None, int? high=None) -> Tensor",
                     Tag::generated));

}  // namespace philox_family
}  // namespace tenon::ops
