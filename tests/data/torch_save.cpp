// Files as torch.save() writes them; tests/exchange/readers.py gives them to PyTorch.
#include <tenon/data/torch_save.hpp>

#include <filesystem>
#include <map>
#include <string>

#include <unistd.h>

#include <tenon/data/torch_file.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
std::map<std::string, Value> entries(const Value& v) {
  std::map<std::string, Value> map;
  for (const auto& [key, item] : v.to_dict()) map[std::string(key.to_string_view())] = item;
  return map;
}
}  // namespace

TEST_CASE("what is written is read again: tensors with their memory, and plain data", "[data][torch_save]") {
  Tensor base = ops::arange(12.0).view({3, 4});
  NamedTensors tensors{{"base", base}, {"part", base.narrow(0, 1, 2).t()}, {"bits", base.view(kLong)}};
#define X(CPP, NAME, ...) tensors.emplace_back(#NAME, ops::ones({5}).to(k##NAME).narrow(0, 1, 3));
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
  tensors.emplace_back("conj", ops::_conj(tensors.back().second.to(kComplexFloat)));
  tensors.emplace_back("neg", ops::_neg_view(ops::ones({2})));
  tensors.emplace_back("leaf", ops::ones({2}).requires_grad_());
  tensors.emplace_back("expanded", ops::ones({1, 3}).expand({4, 3}));
  tensors.emplace_back("empty", ops::zeros({0, 3}));
  tensors.emplace_back("scalar", tensor(2.5));
  auto path = (std::filesystem::temp_directory_path() / ("tenon_torch" + std::to_string(::getpid()) + ".pt")).string();
  save_torch(path, tensors);
  for (const Value& all : {load_torch(path), decode_torch(encode_torch(tensors))}) {
    NamedTensors back = named_tensors(all);
    REQUIRE(back.size() == tensors.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
      INFO(tensors[i].first);
      const Tensor &a = back[i].second, &b = tensors[i].second;
      CHECK(back[i].first == tensors[i].first);
      CHECK(a.dtype() == b.dtype());
      CHECK(a.sizes() == b.sizes());
      CHECK(a.strides() == b.strides());
      CHECK(a.storage_offset() == b.storage_offset());
      CHECK(a.is_conj() == b.is_conj());
      CHECK(a.is_neg() == b.is_neg());
      CHECK(a.requires_grad() == b.requires_grad());
      CHECK(ops::equal(a.to(kComplexDouble), b.to(kComplexDouble)));
    }
    NoGradGuard no_grad;
    ops::select(back[0].second, 0, 1).fill_(-7);
    CHECK(back[1].second.select(1, 0).sum().item<double>() == -28);
  }
  std::filesystem::remove(path);
  // Storage once: 12 numbers of 8 bytes stand in the file a single time.
  CHECK(encode_torch({{"a", base}}).size() + 300 > encode_torch({{"a", base}, {"b", base.t()}}).size());

  Value plain = Value::dict({{"list", Value::list({Value(1), Value(-1), Value(256), Value(INT64_MIN), Value(2.5)})},
                             {"tuple", Value::tuple({Value(), Value(true), Value("r\xc3\xa4t")})},
                             {"dict", Value::dict({{Value(7), Value(Complex<double>(1, -2))}})},
                             {"cpu", Value(kCPU)},
                             {"nothing", Value(Tensor())},
                             {"none", Value::list({})}});
  auto e = entries(decode_torch(encode_torch(plain)));
  const auto& list = e.at("list").to_list();
  REQUIRE(list.size() == 5);
  CHECK(list[0].to_int() == 1);
  CHECK(list[1].to_int() == -1);
  CHECK(list[2].to_int() == 256);
  CHECK(list[3].to_int() == INT64_MIN);
  CHECK(list[4].to_double() == 2.5);
  CHECK(e.at("tuple").to_tuple()[0].is_none());
  CHECK(e.at("tuple").to_tuple()[1].to_bool());
  CHECK(e.at("tuple").to_tuple()[2].to_string_view() == "r\xc3\xa4t");
  CHECK(e.at("dict").to_dict()[0].first.to_int() == 7);
  CHECK(e.at("dict").to_dict()[0].second.to_complex() == Complex<double>(1, -2));
  CHECK(e.at("cpu").to_string_view() == "cpu");
  CHECK(e.at("nothing").is_none());
  CHECK(e.at("none").to_list().empty());
}

TEST_CASE("data stands at multiples of 64 bytes", "[data][torch_save]") {
  std::string bytes = encode_torch({{"x", tensor({1.5, 2.5})}});
  std::size_t at = bytes.find(std::string("\0\0\xc0\x3f\0\0\x20\x40", 8));
  CHECK(at != std::string::npos);
  CHECK(at % 64 == 0);
  CHECK(bytes.find("\x80\2c") == 64);
}

TEST_CASE("what no file of torch.save() can hold is told", "[data][torch_save]") {
  CHECK_ERROR(encode_torch({{"a", tensor(1)}, {"a", tensor(1)}}), ValueError,
              "save_torch(): expected one tensor named 'a', got two");
  CHECK_ERROR(encode_torch({{"a", tensor(1).to(kMeta)}}), ValueError,
              "save_torch(): expected strided tensors in CPU memory, got one on meta; copy it with to(kCPU)");
  CHECK_ERROR(encode_torch(Value("\xff")), ValueError, "save_torch(): expected texts in UTF-8, got other bytes");
  CHECK_ERROR(encode_torch(Value(default_generator())), TypeError,
              "save_torch(): expected tensors and plain data, got a Generator");
  auto nested = [](int depth) {
    Value v(1);
    for (int i = 0; i < depth; ++i) v = Value::list({v});
    return v;
  };
  Value deepest = decode_torch(encode_torch(nested(150)));
  for (int i = 0; i < 150; ++i) deepest = Value(deepest.to_list()[0]);
  CHECK(deepest.to_int() == 1);
  CHECK_ERROR(encode_torch(nested(151)), ValueError, "save_torch(): values lie in each other more than 150 deep");
  CHECK_THROWS_AS(save_torch("/nowhere/x.pt", NamedTensors()), FileError);
}

TEST_CASE("more tensors than a directory of 16 bits counts are read again", "[data][torch_save]") {
  Value many = Value::list(std::vector<Value>(0x10000));
  for (std::size_t i = 0; i < many.to_list().size(); ++i)
    many.to_list()[i] = Value(tensor(static_cast<std::int64_t>(i)));
  Value back = decode_torch(encode_torch(many));
  REQUIRE(back.to_list().size() == 0x10000);
  CHECK(back.to_list()[0xffff].to_tensor().item<std::int64_t>() == 0xffff);
}
