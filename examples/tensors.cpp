// Tensors: what they are made of, views that share memory, formats of memory, dtypes, indices.
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

void shape(const char* what, const Tensor& x) {
  std::cout << what << ": " << size_text(x.sizes()) << " " << stride_text(x.strides()) << " from " << x.storage_offset()
            << "\n";
}

void memory() {
  Tensor x = ops::arange(12).view({3, 4});
  Tensor part = x.narrow(0, 1, 2), turned = x.t(), one = x.select(1, 2);
  shape("x", x);
  shape("part", part);
  shape("turned", turned);
  shape("one", one);
  part.fill_(7);  // writes into x
  std::cout << x << "\n";
  std::cout << "writes to this memory: " << x.version() << ", contiguous: " << turned.is_contiguous() << "\n";
}

void formats() {
  Tensor x = ops::rand({1, 64, 5, 4});
  x = x.contiguous("memory_format"_a = MemoryFormat::ChannelsLast);
  std::cout << size_text(x.sizes()) << "\n" << stride_text(x.strides()) << "\n";
  std::cout << std::boolalpha << x.is_contiguous() << "\n";
  std::cout << x.is_same(x.contiguous("memory_format"_a = MemoryFormat::ChannelsLast)) << "\n";
}

void dtypes() {
  std::cout << tensor({1, 2}).dtype() << " " << tensor({1.0, 2.0}).dtype() << " " << tensor({true}).dtype() << "\n";
  std::cout << (tensor({1, 2}) + 0.5).dtype() << " " << (tensor({1, 2}) / 2).dtype() << " "
            << result_type(tensor({1}), ops::ones({2}, kHalf)) << "\n";
  std::cout << tensor({1.7, -1.7}).to(kLong) << " " << finfo(kBFloat16).eps << "\n";
}

void indices() {
  Tensor x = ops::arange(10).view({2, 5});
  std::cout << x[1] << " " << x.index({Ellipsis, Slice(1, None, 2)}) << "\n";
  std::cout << x.index({x > 6}) << " " << x.index({None, 0}).sizes() << "\n";
  x[0] = 0;  // writes into x; so does the next line
  x.index_put_({1, Slice(None, 2)}, -1);
  std::cout << x << "\n";
}

void elements() {
  Tensor x = tensor({{1.5, 2.5}, {3.5, 4.5}});
  auto at = x.accessor<float, 2>();
  double sum = at[0][0] + at[1][1];
  for (float v : x.to_vector<float>()) sum += v;
  for (Tensor row : x) sum += row.sum().item<double>();
  std::cout << sum << " " << x.data_ptr<float>()[3] << " " << x.max().item<int>() << "\n";
}

}  // namespace

int main() {
  memory();
  formats();
  dtypes();
  indices();
  elements();
}

// clang-format off
// Prints:
// x: torch.Size([3, 4]) (4, 1) from 0
// part: torch.Size([2, 4]) (4, 1) from 4
// turned: torch.Size([4, 3]) (1, 4) from 0
// one: torch.Size([3]) (4,) from 2
// tensor([[0, 1, 2, 3],
//         [7, 7, 7, 7],
//         [7, 7, 7, 7]])
// writes to this memory: 1, contiguous: 0
// torch.Size([1, 64, 5, 4])
// (1280, 1, 256, 64)
// false
// true
// int64 float32 bool
// float32 float32 float16
// tensor([ 1, -1]) 0.0078125
// tensor([5, 6, 7, 8, 9]) tensor([[1, 3],
//         [6, 8]])
// tensor([7, 8, 9]) [1, 5]
// tensor([[ 0,  0,  0,  0,  0],
//         [-1, -1,  7,  8,  9]])
// 30 4.5 4
