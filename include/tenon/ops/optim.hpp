// One step of an optimiser over lists of parameters, gradients and state.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace optim_family {

// State lists hold a tensor per parameter, or are empty where the options leave that state unused. `state_steps` count
// this step already. Of the operators that are not PyTorch's, numbers of the state may be the host's.
TENON_OPERATORS_INPLACE(
    _fused_sgd,
    (base,
     "aten::_fused_sgd_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"),
    (tensor_lr,
     "aten::_fused_sgd_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_adagrad,
    (base,
     "aten::_fused_adagrad_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"),
    (tensor_lr,
     "aten::_fused_adagrad_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_adam,
    (base,
     "aten::_fused_adam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"),
    (tensor_lr,
     "aten::_fused_adam_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_adamw,
    (base,
     "aten::_fused_adamw_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"),
    (tensor_lr,
     "aten::_fused_adamw_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
     no_device_check));
// PyTorch has no such operators; the form is that of their siblings.
TENON_OPERATORS_INPLACE(
    _fused_rmsprop,
    "tenon::_fused_rmsprop_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] square_avgs, Tensor(d!)[] grad_avgs, Tensor(e!)[] momentum_buffer_list, *, float lr, float alpha, float eps, float weight_decay, float momentum, bool centered, bool maximize) -> ()");
TENON_OPERATORS_INPLACE(
    _fused_adadelta,
    "tenon::_fused_adadelta_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] square_avgs, Tensor(d!)[] acc_deltas, *, float lr, float rho, float eps, float weight_decay, bool maximize) -> ()");
TENON_OPERATORS_INPLACE(
    _fused_adamax,
    (base,
     "tenon::_fused_adamax_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_infs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool maximize) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_nadam,
    (base,
     "tenon::_fused_nadam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] mu_products, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float momentum_decay, float eps, bool decoupled_weight_decay, bool maximize) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_radam,
    (base,
     "tenon::_fused_radam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool decoupled_weight_decay, bool maximize) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_asgd,
    (base,
     "tenon::_fused_asgd_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] axs, Tensor(d!)[] mus, Tensor(e!)[] etas, Tensor[] state_steps, *, float lr, float lambd, float alpha, float t0, float weight_decay, bool maximize) -> ()",
     no_device_check));
TENON_OPERATORS_INPLACE(
    _fused_rprop,
    "tenon::_fused_rprop_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] prevs, Tensor(d!)[] step_sizes, *, float etaminus, float etaplus, float step_size_min, float step_size_max, bool maximize) -> ()");

}  // namespace optim_family
}  // namespace tenon::ops
