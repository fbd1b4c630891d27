// The exception of linear algebra.
#pragma once
#include <tenon/base/error.hpp>

namespace tenon {

/// A matrix has no such answer: it is singular or not positive-definite, or an algorithm did not converge.
class LinAlgError : public Error {
 public:
  using Error::Error;
};

}  // namespace tenon
