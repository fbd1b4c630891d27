// Tensors made from nothing: unset, constant, counted and random.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR(
    empty_memory_format,
    "aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(empty_out,
               "aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(empty, empty_memory_format, empty_out);
TENON_OPERATOR(
    empty_strided_base,
    "aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    empty_like_base,
    "aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(empty_strided, empty_strided_base);
TENON_OPERATOR(empty_like_out,
               "aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(empty_like, empty_like_base, empty_like_out);
TENON_OPERATOR(
    zeros_base,
    "aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(zeros_out, "aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(zeros, zeros_base, zeros_out);
TENON_OPERATOR(
    zeros_like_base,
    "aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(zeros_like_out,
               "aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(zeros_like, zeros_like_base, zeros_like_out);
TENON_OPERATOR(
    ones_base,
    "aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(ones_out, "aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(ones, ones_base, ones_out);
TENON_OPERATOR(
    ones_like_base,
    "aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(ones_like_out,
               "aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(ones_like, ones_like_base, ones_like_out);
TENON_OPERATOR(
    full_base,
    "aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(full_out, "aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(full, full_base, full_out);
TENON_OPERATOR(
    full_like_base,
    "aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(
    full_like_out,
    "aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(full_like, full_like_base, full_like_out);
TENON_OPERATOR(
    arange_base,
    "aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    arange_start,
    "aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    arange_start_step,
    "aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(arange_out, "aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)");
TENON_OPERATOR(arange_start_out,
               "aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(arange, arange_base, arange_start, arange_start_step, arange_start_out, arange_out);
TENON_OPERATOR(
    rand_base,
    "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    rand_generator,
    "aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(rand, rand_base, rand_generator);
TENON_OPERATOR(
    rand_like_base,
    "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(
    rand_like_generator,
    "aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(rand_like, rand_like_base, rand_like_generator);
TENON_OPERATOR(
    randn_base,
    "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    randn_generator,
    "aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(randn, randn_base, randn_generator);
TENON_OPERATOR(
    randn_like_base,
    "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(
    randn_like_generator,
    "aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(randn_like, randn_like_base, randn_like_generator);
TENON_OPERATOR(
    randint_base,
    "aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    randint_low,
    "aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    randint_generator,
    "aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(
    randint_low_generator,
    "aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(randint, randint_base, randint_low, randint_generator, randint_low_generator);
TENON_OPERATOR(
    randint_like_base,
    "aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_OPERATOR(
    randint_like_low,
    "aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(randint_like, randint_like_base, randint_like_low);
TENON_OPERATOR(
    normal_base_,
    "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)");
TENON_FUNCTION(normal_, normal_base_);
TENON_OPERATOR(
    uniform_base_,
    "aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)");
TENON_FUNCTION(uniform_, uniform_base_);
TENON_OPERATOR(random_base_, "aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)");
TENON_OPERATOR(random_from_,
               "aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)");
TENON_OPERATOR(random_to_, "aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)");
TENON_FUNCTION(random_, random_base_, random_from_, random_to_);
TENON_OPERATOR(
    new_empty_base,
    "aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(new_empty_out, "aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(new_empty, new_empty_base, new_empty_out);
TENON_OPERATOR(
    new_zeros_base,
    "aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(new_zeros_out, "aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(new_zeros, new_zeros_base, new_zeros_out);
TENON_OPERATOR(
    new_ones_base,
    "aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(new_ones_out, "aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(new_ones, new_ones_base, new_ones_out);
TENON_OPERATOR(
    new_full_base,
    "aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(new_full_out,
               "aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(new_full, new_full_base, new_full_out);
TENON_OPERATOR(
    scalar_tensor_base,
    "aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");

}  // namespace tenon::ops
