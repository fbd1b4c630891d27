// Elements of tensors in C++'s containers, loops and pointers.
#include "support.hpp"

using namespace test;

TEST_CASE("an accessor reads and writes by indices, whatever the strides", "[ops][elements]") {
  Tensor x = counted({3, 4}), columns = x.t();
  auto a = columns.accessor<float, 2>();
  CHECK(a[1][2] == 9);
  a[0][0] = 50;
  CHECK(x[0][0].item<float>() == 50);
  CHECK(a.size(0) == 4);
  CHECK(a[3].stride(0) == 4);
  float sum = 0;
  for (std::int64_t i = 0; i < a.size(0); ++i)
    for (std::int64_t j = 0; j < a.size(1); ++j) sum += a[i][j];
  CHECK(sum == 116);
  CHECK_ERROR((x.accessor<double, 2>()), TypeError, "data_ptr(): expected dtype float64, got float32; use to() first");
  CHECK_ERROR((x.accessor<float, 1>()), ValueError, "accessor(): expected a tensor of 1 dimensions, got shape [3, 4]");
#if TENON_CHECK_INDICES
  CHECK_ERROR(a[4], IndexError, "accessor: index 4 is out of range for a dimension of size 4 (2 indices to go)");
  CHECK_ERROR(a[0][-1], IndexError, "accessor: index -1 is out of range for a dimension of size 3 (1 index to go)");
#endif
}

TEST_CASE("an accessor of constant elements reads alone", "[ops][elements]") {
  Tensor x = counted({3, 4}), columns = x.t(), empty = ops::zeros({0});
  auto a = columns.accessor<const float, 2>();
  static_assert(std::is_same_v<decltype(a[1][2]), const float&>);
  CHECK(a[1][2] == 9);
  CHECK(a.data() == x.const_data_ptr<float>());
  CHECK_ERROR((x.accessor<const double, 2>()), TypeError,
              "data_ptr(): expected dtype float64, got float32; use to() first");
  CHECK_ERROR((empty.accessor<const double, 1>()), TypeError,
              "data_ptr(): expected dtype float64, got float32; use to() first");
}

TEST_CASE("elements are copied into a vector in row-major order", "[ops][elements]") {
  Tensor x = counted({2, 3});
  CHECK(x.t().to_vector<float>() == std::vector<float>{0, 3, 1, 4, 2, 5});
  CHECK(x.to_vector<double>() == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(tensor({true, false}).to_vector<std::int64_t>() == std::vector<std::int64_t>{1, 0});
  CHECK(ops::zeros({0, 3}).to_vector<float>().empty());
  CHECK(tensor(7).to_vector<int>() == std::vector<int>{7});
  CHECK_ERROR(x.to_vector<int>(), TypeError,
              "to_vector(): elements of dtype float32 do not fit into int32; use to() first");
}

TEST_CASE("a tensor over a container's memory writes into it", "[ops][elements]") {
  std::vector<double> numbers{1, 2, 3, 4, 5, 6};
  Tensor x = from_blob(numbers, {2, 3});
  CHECK(x.dtype() == kDouble);
  x[1] = 0;
  CHECK(numbers == std::vector<double>{1, 2, 3, 0, 0, 0});
  CHECK_ERROR(from_blob(numbers, {2, 2}), ValueError, "from_blob(): shape [2, 2] has 4 elements, the container 6");
  float array[] = {1, 2, 3, 4};
  Tensor columns = from_blob(array, {2, 2}, {1, 2});
  CHECK(columns.dtype() == kFloat);
  CHECK(columns.to_vector<float>() == std::vector<float>{1, 3, 2, 4});
  CHECK(from_blob(&array[1], {3}).sum().item<float>() == 9);

  Tensor leaf = from_blob(array, {4}, TensorOptions(kFloat).requires_grad(true));
  CHECK(leaf.requires_grad());
  CHECK(leaf.data_ptr() == array);
  CHECK(from_blob(array, {2, 2}, {1, 2}, TensorOptions(kInt)).strides() == IntArrayRef({1, 2}));
  CHECK(from_blob(array, {2}, TensorOptions()).dtype() == kFloat);
  CHECK_ERROR(from_blob(array, {2}, TensorOptions().layout(Layout::Sparse)), ValueError,
              "from_blob(): expected layout strided, got sparse_coo");
}

TEST_CASE("memory that is not there makes empty tensors only", "[ops][elements]") {
  CHECK_ERROR(from_blob(nullptr, {2, 3}, kFloat), ValueError,
              "from_blob(): expected memory for shape [2, 3], got a null pointer");
  CHECK(from_blob(nullptr, {0, 3}, kFloat).numel() == 0);
  std::vector<float> none;
  CHECK(from_blob(none, {0}).numel() == 0);
}

TEST_CASE("a row-major tensor is a span", "[ops][elements]") {
  Tensor x = counted({2, 3});
  for (float& value : as_span<float>(x)) value += 1;
  CHECK(values(x) == Numbers{1, 2, 3, 4, 5, 6});
  CHECK_ERROR(as_span<float>(x.t()), ValueError,
              "as_span(): expected a row-major tensor on the CPU, got shape [3, 2] with strides [1, 3] on cpu; use "
              "contiguous() first");
}

TEST_CASE("a loop over a tensor goes over its rows, which are views", "[ops][elements]") {
  Tensor x = counted({3, 2});
  std::vector<Numbers> rows;
  for (Tensor row : x) {
    rows.push_back(values(row));
    row += 1;
  }
  CHECK(rows == std::vector<Numbers>{{0, 1}, {2, 3}, {4, 5}});
  CHECK(values(x) == Numbers{1, 2, 3, 4, 5, 6});
  CHECK_ERROR(begin(tensor(1)), TypeError, "iteration over a 0-d tensor");
}
