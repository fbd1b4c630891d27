// Copies of tensors that share nothing with what they were made from.
#pragma once
#include <utility>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Copies tensors with their strides, gradients and whether they require grad. What shares memory among the tensors
/// that one object copies shares memory among the copies, and a tensor that comes again has the same copy.
/// Errors: ValueError for a tensor that is no leaf: its history cannot be copied.
/// Cost: a copy of each storage, whole, also of what no tensor shows.
class DeepCopy {
 public:
  Tensor operator()(const Tensor& tensor);

 private:
  struct Memory {
    Tensor whole, copy;  // all elements of a storage by one dtype, before and after
  };
  std::vector<std::pair<Tensor, Tensor>> tensors_;
  std::vector<Memory> memory_;
};

/// A copy of one tensor, as Python's `copy.deepcopy`.
Tensor deepcopy(const Tensor& tensor);

}  // namespace tenon
