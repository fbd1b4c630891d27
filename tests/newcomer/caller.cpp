// An error of a program that names the line which it comes out of.
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

Tensor hidden_layer(const Tensor& x, const Tensor& w) {
  return x.matmul(w);  // refused
}

int main() {
  Tensor x = ops::ones({2, 3});
  try {
    hidden_layer(x, x);
  } catch (const Error& e) { std::puts(e.what()); }
  try {
    x + ops::ones({4});  // refused
  } catch (const Error& e) { std::puts(e.what()); }
}
