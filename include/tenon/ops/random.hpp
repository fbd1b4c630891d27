// Tensors of random numbers.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_PLAIN(
    rand,
    "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    (generator,
     "aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"));
TENON_OPERATORS_PLAIN(
    rand_like,
    "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    (generator,
     "aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"));
TENON_OPERATORS_PLAIN(
    randn,
    "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    (generator,
     "aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"));
TENON_OPERATORS_PLAIN(
    randn_like,
    "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    (generator,
     "aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"));
TENON_OPERATORS_PLAIN(
    randint,
    "aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    (low,
     "aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"),
    (generator,
     "aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"),
    (low_generator,
     "aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"));
TENON_OPERATORS_PLAIN(
    randint_like,
    "aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    (low_dtype,
     "aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"));
TENON_OPERATORS_INPLACE(
    normal, "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)");
TENON_OPERATORS_INPLACE(
    uniform, "aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)");
TENON_OPERATORS_INPLACE(
    random, "aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)",
    (from, "aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)"),
    (to, "aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)"));
// Functional forms of what overwrites a whole tensor, for functionalization.
TENON_OPERATOR_TAGS(
    plain, normal_functional,
    "aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor");
TENON_OPERATOR_TAGS(plain, uniform,
                    "aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor");
TENON_OPERATOR_TAGS(plain, random, "aten::random(Tensor self, *, Generator? generator=None) -> Tensor",
                    (from, "aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor"),
                    (to, "aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor"));

}  // namespace tenon::ops
