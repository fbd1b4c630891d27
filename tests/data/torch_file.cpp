// Files of torch.save(), as PyTorch 2.15 wrote one, and what is done to it.
#include <tenon/data/torch_file.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include <tenon/tenon.hpp>

#include "../catch.hpp"
#include "../test_data.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
const std::string kFile = test_data("saved.pt");

std::string bytes_of_file() {
  std::ifstream file(kFile, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
std::map<std::string, Value> entries(const Value& v) {
  std::map<std::string, Value> map;
  for (const auto& [key, item] : v.to_dict()) map[std::string(key.to_string_view())] = item;
  return map;
}
/// The file with its pickle's first bytes replaced.
std::string with_pickle(const std::string& pickle) {
  std::string bytes = bytes_of_file();
  std::size_t at = bytes.find(std::string("\x80\2}q\0", 5));
  REQUIRE(at != std::string::npos);
  return bytes.replace(at, pickle.size(), pickle);
}
Value read(const std::string& pickle) { return decode_torch(with_pickle("\x80\2" + pickle + "."), "f"); }
}  // namespace

TEST_CASE("what torch.save() wrote is read: tensors and plain data", "[data][torch_file]") {
  for (const Value& all : {load_torch(kFile), decode_torch(bytes_of_file())}) {
    auto e = entries(all);
    CHECK(e.at("epoch").to_int() == 3);
    CHECK(e.at("lr").to_double() == 0.25);
    CHECK(e.at("name").to_string_view() == "r\xc3\xa4t");
    CHECK(e.at("none").is_none());
    CHECK(e.at("on").to_bool());
    CHECK(e.at("big").to_int() == -1099511627776);
    CHECK(e.at("bytes").to_string_view() == "a\xff");
    CHECK(e.at("device").to_string_view() == "cpu");
    CHECK(e.at("dtype").to_int() == static_cast<std::int64_t>(kHalf));
    CHECK(e.at("size").to_tuple().size() == 2);
    CHECK(e.at("set").to_tuple().at(0).to_int() == 5);
    CHECK(e.at("empty").to_tensor().sizes() == IntArrayRef({0, 3}));
    CHECK(
        ops::equal(e.at("conj").to_tensor(), ops::complex(tensor({1.0, 3.0}), tensor({-2.0, 1.0})).to(kComplexFloat)));
    CHECK(ops::equal(e.at("neg").to_tensor().to(kDouble), tensor({-1.0, -2.0})));
    CHECK(e.at("parameter").to_tensor().requires_grad());
    CHECK(e.at("leaf").to_tensor().requires_grad());
    // Two views of one tensor share its memory here, too.
    const auto& views = e.at("views").to_list();
    Tensor matrix = views.at(0).to_tensor(), part = views.at(1).to_tensor();
    CHECK(ops::equal(matrix, tensor({{0, 3}, {1, 4}, {2, 5}})));
    CHECK(ops::equal(part, tensor({4, 5})));
    part.fill_(9);
    CHECK(ops::equal(matrix, tensor({{0, 3}, {1, 9}, {2, 9}})));
    std::vector<ScalarType> dtypes;
    for (const Value& t : e.at("dtypes").to_tuple()) dtypes.push_back(t.to_tensor().dtype());
    CHECK(dtypes == std::vector<ScalarType>{kUInt16, kBool, kBFloat16, *scalar_type_from_name("float8_e4m3fn"), kChar,
                                            kComplexFloat});
    CHECK(e.at("dtypes").to_tuple().at(2).to_tensor().item<float>() == 1.5f);
  }
  // Writing into the mapping has not changed the file.
  CHECK(ops::equal(entries(load_torch(kFile)).at("views").to_list().at(1).to_tensor(), tensor({4, 5})));
}

TEST_CASE("the tensors of a file by name are what a module takes", "[data][torch_file]") {
  NamedTensors state = named_tensors(load_torch(kFile), "model");
  std::vector<std::string> names;
  for (const auto& [name, t] : state) names.push_back(name);
  CHECK(names == std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var",
                                          "1.num_batches_tracked"});
  CHECK(ops::equal(state.at(0).second.to(kDouble), tensor({{0.0, 3.0}, {1.0, 4.0}, {2.0, 5.0}})));
  CHECK(named_tensors(load_torch(kFile), "state").at(0).first == "0.step");
}

TEST_CASE("no code of a file runs, and damage is told with its place", "[data][torch_file]") {
  CHECK(read("K\7").to_int() == 7);
  CHECK_ERROR(
      read("cposix\nsystem\n)R"), NotImplementedError,
      "f: byte 2 of the pickle: it names posix.system, which is neither a tensor nor plain data; save the state "
      "alone (state_dict())");
  CHECK_ERROR(read("K\1i"), FileError, "f: byte 4 of the pickle: instruction 105 is none of a file with weights alone");
  CHECK_ERROR(read("K\1K\1s"), FileError, "f: byte 6 of the pickle: expected 1 values before it, got 0");
  CHECK_ERROR(read("h\1"), FileError, "f: byte 2 of the pickle: nothing was remembered as 1");
  CHECK_ERROR(read("]q\1h\1a"), FileError, "f: byte 8 of the pickle: a value holds itself");
  CHECK_THROWS_AS(decode_torch(bytes_of_file().substr(0, 4000)), FileError);
  CHECK_ERROR(decode_torch("\x80\2", "f"), FileError,
              "f: expected a file of torch.save() of PyTorch 1.6 or newer, which is a zip file");
}

TEST_CASE("parts are found and held against the directory as PyTorch does it", "[data][torch_file]") {
  const std::string whole = bytes_of_file(), name = "byteorder";
  std::string other = whole;
  for (std::size_t at = 0; (at = other.find(name, at)) != std::string::npos; at += name.size())
    other.replace(at, name.size(), "byteOrdeR");
  CHECK(entries(decode_torch(other, "f")).at("epoch").to_int() == 3);
  std::size_t little = other.find("little", other.find("byteOrdeR"));
  REQUIRE(little != std::string::npos);
  CHECK_ERROR(decode_torch(other.replace(little, 6, "      "), "f"), NotImplementedError,
              "f: the high bytes of its numbers stand first");
  // The size that the directory gives a part which nobody reads: it stands 22 bytes before its name.
  std::string longer = whole;
  std::size_t unread = longer.rfind("saved/.data/serialization_id");
  REQUIRE(unread != std::string::npos);
  REQUIRE(longer.substr(unread - 46, 4) == "PK\1\2");
  longer[unread - 46 + 24] = static_cast<char>(longer[unread - 46 + 24] + 1);
  CHECK_ERROR(decode_torch(longer, "f"), FileError, "f: saved/.data/serialization_id: 40 bytes are stored for 41");
}

TEST_CASE("values may lie in each other, but not too deep", "[data][torch_file]") {
  auto lists = [](std::size_t n) { return std::string(n, ']') + std::string(n - 1, 'a'); };
  CHECK(read(lists(200)).is_list());
  CHECK_ERROR_CONTAINS(read(lists(300)), FileError, "values lie in each other more than 200 deep");
  // One that is remembered lies deeper the second time.
  CHECK_ERROR_CONTAINS(read("]" + lists(150) + "q\5a" + std::string(100, ']') + "h\5" + std::string(101, 'a')),
                       FileError, "values lie in each other more than 200 deep");
}

TEST_CASE("a tensor lies inside its storage", "[data][torch_file]") {
  auto of = [](const std::string& offset, const std::string& size, const std::string& stride) {
    using namespace std::string_literals;
    return read("ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"s +
                "0X\3\0\0\0cpuK\6tQ"s + offset + size + "\x85" + stride + "\x85\x89NtR");
  };
  const std::string zero("K\0", 2), huge("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
  CHECK(of(zero, "K\6", "K\1").to_tensor().numel() == 6);
  CHECK(of("K\4", "K\2", "K\1").to_tensor().numel() == 2);
  CHECK_ERROR_CONTAINS(of(zero, "K\7", "K\1"), FileError,
                       "sizes [7], strides [1] and offset 0 lie outside of storage 0 of 6 elements");
  CHECK_THROWS_AS(of("K\5", "K\2", "K\1"), FileError);
  CHECK_THROWS_AS(of(zero, "K\3", huge), FileError);
  CHECK_THROWS_AS(of(zero, huge, "K\1"), FileError);
  CHECK_THROWS_AS(of(huge, "K\2", huge), FileError);
  CHECK_THROWS_AS(of("J\xff\xff\xff\xff", "K\2", "K\1"), FileError);
}
