// Softmax and loss functions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace loss_family {

TENON_OPERATORS_OUT(_softmax, (base, "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(_log_softmax,
                    (base, "aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(
    _softmax_backward_data,
    (base, "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
     "aten::_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    _log_softmax_backward_data,
    (base,
     "aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
     "out"));
TENON_OPERATORS_OUT(softmax,
                    (int, "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", with_method));
TENON_OPERATORS_OUT(log_softmax, (int, "aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                                  with_method));
TENON_OPERATORS_OUT(
    nll_loss_forward,
    (base,
     "aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
     "aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    nll_loss_backward,
    (base,
     "aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
     "aten::nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    nll_loss,
    "aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor");
TENON_OPERATORS_PLAIN(
    cross_entropy_loss,
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor");
TENON_OPERATORS_PLAIN(
    nll_loss_nd,
    "aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor");
TENON_OPERATORS_OUT(mse_loss,
                    (base, "aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", no_device_check));
TENON_OPERATORS_OUT(
    mse_loss_backward,
    (base, "aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
     "aten::mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_PLAIN(
    ctc_loss,
    (IntList,
     "aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor"),
    (Tensor,
     "aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor"));
TENON_OPERATORS_OUT(
    _ctc_loss,
    (base,
     "aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})),
    (Tensor,
     "aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
     "Tensor_out", Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _ctc_loss_backward,
    (base,
     "aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor",
     out_tags({Tag::generated})),
    (Tensor,
     "aten::_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor",
     no_out));
TENON_OPERATORS_PLAIN(l1_loss, "aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor");
TENON_OPERATORS_OUT(smooth_l1_loss,
                    (base, "aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor",
                     no_device_check));
TENON_OPERATORS_OUT(
    smooth_l1_loss_backward,
    (base,
     "aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor",
     "aten::smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(huber_loss,
                    "aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor");
TENON_OPERATORS_OUT(
    huber_loss_backward,
    (base,
     "aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor",
     "aten::huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(soft_margin_loss, "aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor");
TENON_OPERATORS_OUT(
    soft_margin_loss_backward,
    (base, "aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
     "aten::soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    binary_cross_entropy,
    (base, "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
     no_device_check));
TENON_OPERATORS_OUT(
    binary_cross_entropy_backward,
    (base,
     "aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
     "aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    binary_cross_entropy_with_logits,
    (base,
     "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor",
     no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(kl_div,
                      "aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor");
TENON_OPERATORS_PLAIN(
    poisson_nll_loss,
    "aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor");
TENON_OPERATORS_PLAIN(
    hinge_embedding_loss,
    "aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor");
TENON_OPERATORS_PLAIN(
    margin_ranking_loss,
    "aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor");
TENON_OPERATORS_PLAIN(
    cosine_embedding_loss,
    "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor");
TENON_OPERATORS_PLAIN(
    triplet_margin_loss,
    "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor");
TENON_OPERATORS_OUT(
    multi_margin_loss,
    "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor");
TENON_OPERATORS_OUT(
    multi_margin_loss_backward,
    (base,
     "aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor",
     "aten::multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(multilabel_margin_loss,
                    "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor");
TENON_OPERATORS_OUT(
    multilabel_margin_loss_forward,
    (base,
     "aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)",
     "aten::multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    multilabel_margin_loss_backward,
    (base,
     "aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor",
     "aten::multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    nll_loss2d_forward,
    (base,
     "aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
     "aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    nll_loss2d_backward,
    (base,
     "aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
     "aten::nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    nll_loss2d,
    "aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor");
TENON_OPERATORS_PLAIN(_safe_softmax,
                      (base, "aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"));
TENON_OPERATORS_OUT(_masked_softmax,
                    (base,
                     "aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor",
                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _masked_softmax_backward,
    (base, "aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace loss_family
}  // namespace tenon::ops
