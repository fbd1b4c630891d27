// Axes in another order, added, joined and cut in two.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace axes_family {

TENON_OPERATORS_PLAIN(movedim,
                      (int, "aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", with_method),
                      (intlist, "aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
                       with_method));
TENON_OPERATORS_PLAIN(
    moveaxis, (int, "aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", with_method),
    (intlist, "aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(swapaxes, (base, "aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", with_method,
                                 no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(swapdims, (base, "aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", with_method,
                                 no_device_check, no_device_guard));
TENON_OPERATORS_INPLACE(swapaxes, (base, "aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)",
                                   method_only, no_device_check, no_device_guard, Tag::inplace_view));
TENON_OPERATORS_INPLACE(swapdims, (base, "aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)",
                                   method_only, no_device_check, no_device_guard, Tag::inplace_view));
TENON_OPERATORS_PLAIN(atleast_1d, (base, "aten::atleast_1d(Tensor self) -> Tensor", Tag::maybe_aliasing_or_mutating),
                      (Sequence, "aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]"));
TENON_OPERATORS_PLAIN(atleast_2d, (base, "aten::atleast_2d(Tensor self) -> Tensor", Tag::maybe_aliasing_or_mutating),
                      (Sequence, "aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]"));
TENON_OPERATORS_PLAIN(atleast_3d, (base, "aten::atleast_3d(Tensor self) -> Tensor", Tag::maybe_aliasing_or_mutating),
                      (Sequence, "aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]"));
TENON_OPERATORS_PLAIN(ravel, (base, "aten::ravel(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(broadcast_to,
                      (base, "aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(unflatten,
                      (int, "aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(sum_to_size, (base, "aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor", method_only,
                                    no_device_check, no_device_guard));

}  // namespace axes_family
}  // namespace tenon::ops
