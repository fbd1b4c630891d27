// `bench --survey`: times calls of any operators by their boxed kernels. survey.py writes them: a line is the
// operator's full name and its arguments, each a kind and what belongs to it. Prints the name and the best seconds of a
// call.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include <tenon/tenon.hpp>

namespace {

using namespace tenon;

/// `2x3` as sizes.
DimVector sizes_from(std::istream& in) {
  std::string word, item;
  in >> word;
  DimVector sizes;
  for (std::istringstream items(word); std::getline(items, item, 'x');) sizes.push_back(std::stoll(item));
  return sizes;
}
/// A dtype, `transposed` or `rows`, and sizes: numbers from 0.1 to 0.9, from 1 to 99, or truth values.
Tensor tensor_from(std::istream& in) {
  std::string dtype, layout;
  in >> dtype >> layout;
  DimVector sizes = sizes_from(in);
  Tensor t;
  if (dtype == "bool")
    t = ops::rand(IntArrayRef(sizes)) > 0.5;
  else if (dtype == "int64" || dtype == "int32" || dtype == "uint8")
    t = ops::randint(1, 100, IntArrayRef(sizes),
                     "dtype"_a = dtype == "int64"   ? kLong
                                 : dtype == "int32" ? kInt
                                                    : kByte);
  else if (dtype == "complex64")
    t = ops::complex(ops::rand(IntArrayRef(sizes)), ops::rand(IntArrayRef(sizes)));
  else
    t = (ops::rand(IntArrayRef(sizes)) * 0.8 + 0.1)
            .to(dtype == "float64"    ? kDouble
                : dtype == "bfloat16" ? kBFloat16
                : dtype == "float16"  ? kHalf
                                      : kFloat);
  return layout == "transposed" ? t.transpose(0, 1).contiguous().transpose(0, 1) : t;
}
Value argument_from(const std::string& kind, std::istream& in) {
  double number = 0;
  std::int64_t whole = 0;
  if (kind == "tensor") return tensor_from(in);
  if (kind == "tensors") {
    Tensor t = tensor_from(in);
    return std::vector<Tensor>{t, t.clone()};
  }
  if (kind == "places") {  // below a bound
    in >> whole;
    DimVector sizes = sizes_from(in);
    return ops::randint(whole, IntArrayRef(sizes), "dtype"_a = kLong);
  }
  if (kind == "ints") {
    DimVector list = sizes_from(in);
    return Value::list_of(ArrayRef<std::int64_t>(list.data(), list.size()));
  }
  if (kind == "number" || kind == "float") {
    in >> number;
    return kind == "float" ? Value(number) : Value(Scalar(number));
  }
  if (kind == "int" || kind == "bool") {
    in >> whole;
    return kind == "int" ? Value(whole) : Value(whole != 0);
  }
  return {};
}
double best_of(const OperatorHandle& op, const Stack& arguments) {
  double best = 1e9, total = 0;
  for (int calls = 0; calls == 0 || (calls < 200 && total < 0.06); ++calls) {
    Stack stack = arguments;
    auto start = std::chrono::steady_clock::now();
    op.call_boxed(stack);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

}  // namespace

void bench_survey() {
  set_num_threads(1);
  NoGradGuard no_grad;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::string name, kind;
    in >> name;
    try {
      OperatorHandle op = Registry::get().find_schema(name);
      if (!op) continue;
      Stack arguments;
      while (in >> kind) arguments.push_back(argument_from(kind, in));
      std::printf("%s %.9f\n", name.c_str(), best_of(op, arguments));
    } catch (const Error& e) { std::printf("%s refused %s\n", name.c_str(), std::string(e.summary()).c_str()); }
    std::fflush(stdout);
  }
}
