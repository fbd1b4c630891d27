// A back end whose memory has strides: with the three views that are its own, all work.
#include <tenon/view/back_end.hpp>

#include <tenon/tenon.hpp>

#include "../catch.hpp"
#include "../host_device.hpp"

using namespace tenon;

TEST_CASE("a back end of strided memory has all views", "[view][back_end]") {
  Library kernels(Library::Kind::Impl, "aten", DispatchKey::PrivateUse1);
  register_strided_views(kernels);
  Tensor host = ops::arange(6, "dtype"_a = kFloat), x = on(host, kDevice).requires_grad_();
  Tensor matrix = x.view({2, 3}), column = matrix.t()[1];
  CHECK(column.device() == kDevice);
  CHECK(column.data_ptr() == static_cast<float*>(x.data_ptr()) + 1);
  CHECK(column.strides() == IntArrayRef({3}));
  CHECK(x.as_strided({2}, {4}, 1).sizes() == IntArrayRef({2}));
  CHECK(x.detach().reshape({3, 2}).data_ptr() == x.data_ptr());
  CHECK(matrix.requires_grad());
  CHECK_ERROR_CONTAINS(x.view({4}), ValueError, "shape '[4]' is invalid for input of size 6");
}
