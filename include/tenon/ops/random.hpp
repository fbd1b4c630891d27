// Tensors of random numbers.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace random_family {

TENON_OPERATORS_OUT(
    rand,
    (base,
     "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::core, Tag::nondeterministic_seeded),
    (generator,
     "aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_OUT(
    rand_like,
    (base,
     "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (generator,
     "aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(
    randn,
    (base,
     "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::core, Tag::nondeterministic_seeded),
    (generator,
     "aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_OUT(
    randn_like,
    (base,
     "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (generator,
     "aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(
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
TENON_OPERATORS_OUT(
    randint_like,
    (generator,
     "aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (low_generator_dtype,
     "aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (base,
     "aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (low_dtype,
     "aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (Tensor,
     "aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     "Tensor_out", Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (Tensor_generator,
     "aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
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
// Distributions in place, with the forms that functionalization asks for.
TENON_OPERATORS_INPLACE(
    exponential,
    (base, "aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(geometric,
                        (base, "aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)",
                         method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(
    cauchy,
    (base,
     "aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(
    log_normal,
    (base,
     "aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_OUT(
    bernoulli,
    (base, "aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", with_method, no_device_check,
     Tag::nondeterministic_seeded),
    (p, "aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
     "aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
     with_method, no_device_check, Tag::nondeterministic_seeded,
     out_tags({Tag::generated, Tag::nondeterministic_seeded})),
    (Tensor, "aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", "Tensor_out",
     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATORS_INPLACE(
    bernoulli,
    (Tensor, "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded),
    (float, "aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
     method_only, no_device_check, Tag::nondeterministic_seeded));
TENON_OPERATORS_OUT(
    normal,
    (Tensor_float, "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (float_Tensor, "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (Tensor_Tensor, "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
     Tag::nondeterministic_seeded),
    (float_float,
     "aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
// Distributions whose parameters are tensors.
TENON_OPERATORS_OUT(poisson, (base, "aten::poisson(Tensor self, Generator? generator=None) -> Tensor", no_device_check,
                              Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(binomial, (base, "aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
                               no_device_check, Tag::nondeterministic_seeded,
                               out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(_standard_gamma,
                    (base, "aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor",
                     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATORS_OUT(_sample_dirichlet,
                    (base, "aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor",
                     Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
// Derivatives of samples by the parameter, the random numbers behind them held fixed.
TENON_OPERATORS_OUT(_standard_gamma_grad, (base, "aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor",
                                           out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_dirichlet_grad, (base, "aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor",
                                      out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    multinomial,
    (base,
     "aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
     with_method, Tag::nondeterministic_seeded));
TENON_OPERATORS_OUT(
    randperm,
    (base,
     "aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::core, Tag::nondeterministic_seeded),
    (generator,
     "aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     Tag::nondeterministic_seeded));
// Functional forms of what overwrites a whole tensor, for functionalization.
TENON_OPERATOR_TAGS(
    out, normal_functional,
    (base, "aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor",
     "aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
     no_device_check, Tag::nondeterministic_seeded, out_tags({Tag::generated, Tag::nondeterministic_seeded})));
TENON_OPERATOR_TAGS(out, uniform,
                    (base,
                     "aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor",
                     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(out, random,
                    (base, "aten::random(Tensor self, *, Generator? generator=None) -> Tensor", Tag::generated,
                     Tag::nondeterministic_seeded),
                    (from, "aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
                     Tag::generated, Tag::nondeterministic_seeded),
                    (to, "aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", Tag::generated,
                     Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(out, exponential,
                    (base, "aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor",
                     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(out, geometric,
                    (base, "aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor",
                     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(
    out, cauchy,
    (base, "aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor",
     Tag::generated, Tag::nondeterministic_seeded));
TENON_OPERATOR_TAGS(
    out, log_normal,
    (base, "aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor",
     Tag::generated, Tag::nondeterministic_seeded));

}  // namespace random_family
}  // namespace tenon::ops
