// One step of an optimiser over lists of parameters, gradients and state.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

// State lists hold a tensor per parameter, or are empty where the options leave that state unused. `state_steps` count
// this step already.
TENON_OPERATOR(_fused_sgd_base_,
               "aten::_fused_sgd_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float "
               "weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, bool "
               "is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()");
TENON_FUNCTION(_fused_sgd_, _fused_sgd_base_);
TENON_OPERATOR(_fused_adagrad_base_,
               "aten::_fused_adagrad_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor(d!)[] "
               "state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? "
               "grad_scale=None, Tensor? found_inf=None) -> ()");
TENON_FUNCTION(_fused_adagrad_, _fused_adagrad_base_);
TENON_OPERATOR(
    _fused_adam_base_,
    "aten::_fused_adam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, "
    "Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, "
    "float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()");
TENON_FUNCTION(_fused_adam_, _fused_adam_base_);
TENON_OPERATOR(
    _fused_adamw_base_,
    "aten::_fused_adamw_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, "
    "Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, "
    "float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()");
TENON_FUNCTION(_fused_adamw_, _fused_adamw_base_);
// PyTorch has no such operator; the form is that of its siblings.
TENON_OPERATOR(_fused_rmsprop_base_,
               "tenon::_fused_rmsprop_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] square_avgs, Tensor(d!)[] "
               "grad_avgs, Tensor(e!)[] momentum_buffer_list, *, float lr, float alpha, float eps, float weight_decay, "
               "float momentum, bool centered, bool maximize) -> ()");
TENON_FUNCTION(_fused_rmsprop_, _fused_rmsprop_base_);

}  // namespace tenon::ops
