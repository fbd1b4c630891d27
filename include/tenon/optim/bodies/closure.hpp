// Calling a closure.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/optim/closure.hpp>

namespace tenon::optim {

TENON_BODY Tensor Closure::operator()() const {
  EnableGradGuard grad;
  return call_(object_);
}

}  // namespace tenon::optim
