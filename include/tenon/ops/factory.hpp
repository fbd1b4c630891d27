// Tensors made from nothing: unset, constant, counted and random.
#pragma once
#include <tenon/structured/declare.hpp>

namespace tenon::ops {

TENON_OPERATOR(empty_memory_format, "aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(empty, empty_memory_format);
TENON_OPERATOR(empty_strided_base, "aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(empty_like_base, "aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(empty_strided, empty_strided_base);
TENON_FUNCTION(empty_like, empty_like_base);
TENON_OPERATOR(zeros_base, "aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(zeros, zeros_base);
TENON_OPERATOR(zeros_like_base, "aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(zeros_like, zeros_like_base);
TENON_OPERATOR(ones_base, "aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(ones, ones_base);
TENON_OPERATOR(ones_like_base, "aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(ones_like, ones_like_base);
TENON_OPERATOR(full_base, "aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(full, full_base);
TENON_OPERATOR(full_like_base, "aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(full_like, full_like_base);
TENON_OPERATOR(arange_base, "aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(arange_start, "aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(arange_start_step, "aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(arange, arange_base, arange_start, arange_start_step);
TENON_OPERATOR(rand_base, "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(rand_generator, "aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(rand, rand_base, rand_generator);
TENON_OPERATOR(rand_like_base, "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(rand_like, rand_like_base);
TENON_OPERATOR(randn_base, "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(randn_generator, "aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(randn, randn_base, randn_generator);
TENON_OPERATOR(randn_like_base, "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(randn_like, randn_like_base);
TENON_OPERATOR(randint_base, "aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_OPERATOR(randint_low, "aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(randint, randint_base, randint_low);
TENON_OPERATOR(normal_base_, "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)");
TENON_FUNCTION(normal_, normal_base_);
TENON_OPERATOR(uniform_base_, "aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)");
TENON_FUNCTION(uniform_, uniform_base_);
TENON_OPERATOR(random_base_, "aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)");
TENON_OPERATOR(random_from_, "aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)");
TENON_OPERATOR(random_to_, "aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)");
TENON_FUNCTION(random_, random_base_, random_from_, random_to_);
TENON_OPERATOR(new_empty_base, "aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(new_empty, new_empty_base);
TENON_OPERATOR(new_zeros_base, "aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(new_zeros, new_zeros_base);
TENON_OPERATOR(new_ones_base, "aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(new_ones, new_ones_base);
TENON_OPERATOR(new_full_base, "aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
TENON_FUNCTION(new_full, new_full_base);
TENON_OPERATOR(scalar_tensor_base, "aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");

}  // namespace tenon::ops
