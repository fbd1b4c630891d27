// Tensors of random numbers.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_PLAIN(
    rand,
    (base,
     "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::core, Tag::nondeterministic_seeded),
    (generator,
     "aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    rand_like,
    (base,
     "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (generator,
     "aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    randn,
    (base,
     "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::core, Tag::nondeterministic_seeded),
    (generator,
     "aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    randn_like,
    (base,
     "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (generator,
     "aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    randint,
    (base,
     "aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (low,
     "aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (generator,
     "aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (low_generator,
     "aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    randint_like,
    (base,
     "aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (low_dtype,
     "aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(
    normal,
    (base, "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(
    uniform,
    (base, "aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(
    random,
    (base, "aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", method_only, no_device_check,
     Tag::nondeterministic_seeded),
    (from, "aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded),
    (to, "aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", method_only,
     no_device_check, Tag::nondeterministic_seeded));
// Functional forms of what overwrites a whole tensor, for functionalization.
TENON_OPERATOR_TAGS(
    plain, normal_functional,
    (base, "aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor",
     no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(plain, uniform,
                    (base,
                     "aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor",
                     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(plain, random,
                    (base, "aten::random(Tensor self, *, Generator? generator=None) -> Tensor", Tag::generated,
                     Tag::nondeterministic_seeded),
                    (from, "aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
                     Tag::generated, Tag::nondeterministic_seeded),
                    (to, "aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", Tag::generated,
                     Tag::nondeterministic_seeded));

}  // namespace tenon::ops
