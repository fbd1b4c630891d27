// Reading and writing safetensors, and what hostile headers are told.
#include <tenon/io/safetensors.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <tenon/ops/complex.hpp>
#include <tenon/ops/zero_tensor.hpp>
#include <tenon/tensor/create.hpp>

using namespace tenon;

namespace {

/// A file from the text of its header and its data.
std::string file_of(std::string header, std::string data = {}) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}
std::string message_of(const std::string& header, const std::string& data = {}) {
  try {
    SafetensorsFile::from_bytes(file_of(header, data), "f").tensors();
  } catch (const FileError& e) { return e.what(); }
  return "accepted";
}
std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
template <class T>
Tensor tensor_of(IntArrayRef sizes, std::initializer_list<T> values) {
  Tensor t = make_tensor(sizes, {}, scalar_type_v<T>);
  std::copy(values.begin(), values.end(), t.data_ptr<T>());
  return t;
}
struct TemporaryFile {
  std::string path = "safetensors_test_" + std::to_string(::getpid()) + ".safetensors";
  ~TemporaryFile() { std::remove(path.c_str()); }
};
std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("written tensors come back with their names, shapes, elements and metadata", "[io][safetensors]") {
  TemporaryFile file;
  save_safetensors(file.path,
                   {{"w", tensor_of<float>({2, 2}, {1, 2, 3, 4})},
                    {"a \"quoted\"\n\xc3\xa9", tensor_of<std::int64_t>({}, {-7})},
                    {"empty", make_tensor({0, 3}, {}, kHalf)},
                    {"flags", tensor_of<bool>({3}, {true, false, true})}},
                   {{"format", "pt"}, {"epoch", "3"}});
  SafetensorsFile f = SafetensorsFile::open(file.path);
  REQUIRE(f.entries().size() == 4);
  CHECK(f.entries()[0].name == "a \"quoted\"\n\xc3\xa9");
  CHECK(f.metadata() == Metadata{{"epoch", "3"}, {"format", "pt"}});
  CHECK(f.metadata("epoch") == "3");
  CHECK_FALSE(f.metadata("none"));
  Tensor w = f.tensor("w");
  CHECK(w.sizes() == IntArrayRef({2, 2}));
  CHECK(w.data_ptr<float>()[3] == 4);
  CHECK(f.tensor("a \"quoted\"\n\xc3\xa9").item<std::int64_t>() == -7);
  CHECK(f.tensor("empty").sizes() == IntArrayRef({0, 3}));
  CHECK(f.tensor("empty").dtype() == kHalf);
  CHECK(f.tensor("flags").data_ptr<bool>()[2]);
  CHECK(load_safetensors(file.path).size() == 4);
}

TEST_CASE("every dtype of the format is written and read", "[io][safetensors]") {
  for (ScalarType dtype : {kBool, kByte, kChar, kShort, kUInt16, kHalf, kBFloat16, kInt, kUInt32, kFloat, kLong,
                           kUInt64, kDouble, kComplexFloat}) {
    CAPTURE(to_string(dtype));
    Tensor t = make_tensor({3}, {}, dtype);
    for (std::size_t i = 0; i < t.nbytes(); ++i) static_cast<char*>(t.data_ptr())[i] = static_cast<char>(i & 1);
    Tensor back = SafetensorsFile::from_bytes(to_safetensors({{"t", t}})).tensor("t");
    CHECK(back.dtype() == dtype);
    CHECK(std::memcmp(back.data_ptr(), t.data_ptr(), t.nbytes()) == 0);
  }
}

TEST_CASE("the header is sorted and padded, and wide elements come first", "[io][safetensors]") {
  std::string bytes = to_safetensors(
      {{"b", tensor_of<bool>({1}, {true})}, {"z", tensor_of<double>({1}, {0})}, {"a", tensor_of<double>({1}, {0})}},
      {{"k", "v"}});
  auto size = static_cast<unsigned char>(bytes[0]);
  CHECK(size % 8 == 0);
  std::string header = bytes.substr(8, size);
  header.erase(header.find_last_not_of(' ') + 1);
  CHECK(header ==
        "{\"__metadata__\":{\"k\":\"v\"},\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]},"
        "\"z\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,16]},"
        "\"b\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[16,17]}}");
  CHECK(bytes.size() == 8u + size + 17u);
  CHECK(message_of("{}") == "accepted");
  CHECK(to_safetensors({}) == file_of("{}      "));
}

TEST_CASE("strided tensors are written row by row", "[io][safetensors]") {
  Tensor t = tensor_of<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  Tensor transposed = make_alias(t, {3, 2}, {1, 3}, 0);
  Tensor back = SafetensorsFile::from_bytes(to_safetensors({{"t", transposed}})).tensor("t");
  const float* p = back.data_ptr<float>();
  CHECK(std::vector<float>(p, p + 6) == std::vector<float>{0, 3, 1, 4, 2, 5});
  Tensor expanded = make_alias(tensor_of<float>({1}, {7}), {2, 2}, {0, 0}, 0);
  back = SafetensorsFile::from_bytes(to_safetensors({{"t", expanded}})).tensor("t");
  CHECK(back.data_ptr<float>()[3] == 7);
}

TEST_CASE("aligned tensors view the file's bytes and misaligned ones are copies", "[io][safetensors]") {
  std::string header = "{\"a\":" + entry("F32", "[1]", "[0,4]") + ",\"b\":" + entry("U8", "[1]", "[4,5]") +
                       ",\"c\":" + entry("F32", "[1]", "[5,9]") + "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  float values[2] = {1.5f, -2.5f};
  std::string data(9, '\x01');
  std::memcpy(data.data(), &values[0], 4);
  std::memcpy(data.data() + 5, &values[1], 4);
  TemporaryFile file;
  std::ofstream(file.path, std::ios::binary) << file_of(header, data);
  Tensor a, c;
  {
    SafetensorsFile f = SafetensorsFile::open(file.path);
    a = f.tensor("a");
    c = f.tensor("c");
    CHECK(static_cast<const void*>(f.bytes(f.entry("a")).data()) == a.data_ptr());
    CHECK(f.tensor("a").data_ptr() == a.data_ptr());
    CHECK(static_cast<const void*>(f.bytes(f.entry("c")).data()) != c.data_ptr());
  }
  // The views keep the mapping.
  CHECK(a.data_ptr<float>()[0] == 1.5f);
  CHECK(c.data_ptr<float>()[0] == -2.5f);
  a.data_ptr<float>()[0] = 9;
  CHECK(read_all(file.path) == file_of(header, data));
}

TEST_CASE("views of other elements are written as they are shown", "[io][safetensors]") {
  Tensor x = tensor_of<float>({2}, {1, -2}), z = tensor_of<Complex<float>>({1}, {{1, 2}});
  Tensor none = ops::_efficientzerotensor({2});
  CHECK(to_safetensors({{"x", ops::_neg_view(x)}, {"z", ops::_conj(z)}, {"none", none}}) ==
        to_safetensors({{"x", tensor_of<float>({2}, {-1, 2})},
                        {"z", tensor_of<Complex<float>>({1}, {{1, -2}})},
                        {"none", tensor_of<float>({2}, {0, 0})}}));
}

TEST_CASE("a file may be replaced while its tensors live", "[io][safetensors]") {
  TemporaryFile file;
  save_safetensors(file.path, {{"t", tensor_of<double>({2}, {1, 2})}});
  Tensor old = SafetensorsFile::open(file.path).tensor("t");
  save_safetensors(file.path, {{"t", tensor_of<double>({1}, {5})}});
  CHECK(old.data_ptr<double>()[1] == 2);
  CHECK(SafetensorsFile::open(file.path).tensor("t").data_ptr<double>()[0] == 5);
}

TEST_CASE("a file that cannot be written is refused with the system's reason", "[io][safetensors]") {
  std::string nowhere = "no_such_folder_" + std::to_string(::getpid()) + "/x.safetensors";
  CHECK_ERROR(save_safetensors(nowhere, {{"x", tensor_of<float>({1}, {1})}}), FileError,
              nowhere + ": cannot be written: No such file or directory");
  CHECK_ERROR_CONTAINS(save_safetensors(".", {{"x", tensor_of<float>({1}, {1})}}), FileError, "cannot be written");
}

TEST_CASE("a link and a file's permissions stay when it is written again", "[io][safetensors]") {
  TemporaryFile file;
  std::string link = file.path + ".link";
  NamedTensors one = {{"t", tensor_of<double>({1}, {5})}};
  save_safetensors(file.path, {});
  REQUIRE(::chmod(file.path.c_str(), 0640) == 0);
  REQUIRE(::symlink(file.path.c_str(), link.c_str()) == 0);
  save_safetensors(link, one);
  struct stat info {};
  CHECK(::lstat(link.c_str(), &info) == 0);
  CHECK(S_ISLNK(info.st_mode));
  CHECK(::stat(file.path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
  CHECK(read_all(file.path) == to_safetensors(one));
  std::remove(link.c_str());
}

TEST_CASE("a pipe is written, not replaced", "[io][safetensors]") {
  TemporaryFile file;
  NamedTensors one = {{"t", tensor_of<double>({1}, {5})}};
  REQUIRE(::mkfifo(file.path.c_str(), 0600) == 0);
  int pipe = ::open(file.path.c_str(), O_RDWR | O_NONBLOCK);
  save_safetensors(file.path, one);
  std::string bytes(1000, '\0');
  auto size = ::read(pipe, bytes.data(), bytes.size());
  ::close(pipe);
  REQUIRE(size > 0);
  CHECK(bytes.substr(0, static_cast<std::size_t>(size)) == to_safetensors(one));
}

TEST_CASE("the size of the header is checked against the file", "[io][safetensors]") {
  CHECK_ERROR(SafetensorsFile::from_bytes("short", "f"), FileError,
              "f: expected 8 bytes that hold the size of the header, got a file of 5 bytes");
  CHECK_ERROR(SafetensorsFile::from_bytes(std::string("\x03\0\0\0\0\0\0\0{}", 10), "f"), FileError,
              "f: header: expected at most the 2 bytes that follow its size, got a size of 3 bytes");
  CHECK_ERROR(SafetensorsFile::from_bytes(std::string(8, '\xff'), "f"), FileError,
              "f: header: expected at most the 0 bytes that follow its size, got a size of 18446744073709551615 bytes");
  CHECK(message_of("") == "f: header: expected '{' as its first byte");
  CHECK(message_of(" {}") == "f: header: expected '{' as its first byte");
  CHECK_ERROR_CONTAINS(SafetensorsFile::open("/nowhere/x"), FileError, "/nowhere/x: cannot be opened: ");
  CHECK_ERROR(SafetensorsFile::open("/"), FileError, "/: expected a regular file");
}

TEST_CASE("a file of another format is named, and who reads it", "[io][safetensors]") {
  CHECK_ERROR(SafetensorsFile::from_bytes(std::string("PK\x03\x04 and more"), "f"), FileError,
              "f: expected a safetensors file, got a zip file: load_torch() reads those of torch.save(), load_npz() "
              "NumPy's");
  CHECK_ERROR(SafetensorsFile::from_bytes(std::string("\x93NUMPY and more"), "f"), FileError,
              "f: expected a safetensors file, got an npy file, which load_npy() reads");
}

TEST_CASE("a header that is not JSON is refused with the place", "[io][safetensors]") {
  CHECK(message_of("{") == "f: header byte 1: expected a name in quotes, got the end of the header");
  CHECK(message_of("{}x") == "f: header byte 2: expected the end of the header, got 'x'");
  CHECK(message_of("{a:1}") == "f: header byte 1: expected a name in quotes, got 'a'");
  CHECK(message_of("{\"a\" 1}") == "f: header byte 5: expected ':', got '1'");
  CHECK(message_of("{\"a\":{}  \"b\":{}}") == "f: tensor 'a': expected dtype, shape and data_offsets, got no dtype");
  CHECK(message_of("{\"__metadata__\":{\"a\":1}}") == "f: header byte 21: expected a string, got '1'");
  CHECK(message_of("{\"a\":[]}") == "f: header byte 5: expected '{', got '['");
  CHECK(message_of("{\"\xff\":{}}") == "f: header byte 2: expected valid UTF-8, got byte 0xff");
  CHECK(message_of("{\"\xed\xa0\x80\":{}}") == "f: header byte 2: expected valid UTF-8, got byte 0xed");
  CHECK(message_of("{\"\xc0\x80\":{}}") == "f: header byte 2: expected valid UTF-8, got byte 0xc0");
  CHECK(message_of("{\"a\tb\":{}}") == "f: header byte 3: expected no control character in a string, got byte 0x09");
  CHECK(message_of("{\"\\x\":{}}") == "f: header byte 3: expected an escape of JSON, got 'x'");
  CHECK(message_of("{\"\\u12g4\":{}}") == "f: header byte 6: expected four hexadecimal digits, got 'g'");
  CHECK(message_of("{\"\\ud800\":{}}") == "f: header byte 8: expected the second half of a surrogate pair, got '\"'");
  CHECK(message_of("{\"\\udc00\":{}}") ==
        "f: header byte 8: expected no second half of a surrogate pair alone, got '\"'");
  CHECK(message_of("{\"a\":{\"x\":01}}") == "f: header byte 10: expected a value, got '0'");
  CHECK(message_of("{\"a\":{\"x\":nul}}") == "f: header byte 10: expected a value, got 'n'");
  std::string bomb(100000, '[');
  CHECK(message_of("{\"a\":{\"x\":" + bomb) == "f: header byte 43: expected values nested at most 32 deep, got '['");
}

TEST_CASE("escapes and unknown members of a header are understood", "[io][safetensors]") {
  std::string header =
      "{ \"\\u00e9\\ud83d\\ude00\\n\\/\" : {\"x\": [1.5e-3, -2, {\"y\": [null, true, \"s\"]}, {}, []], \"shape\" : [ ] "
      ","
      "\"data_offsets\":[0, 1], \"dtype\" : \"U8\" } }  ";
  auto f = SafetensorsFile::from_bytes(file_of(header, "z"));
  CHECK(f.entries().at(0).name == "\xc3\xa9\xf0\x9f\x98\x80\n/");
  CHECK(f.tensor(f.entries()[0]).item<int>() == 'z');
}

TEST_CASE("an entry that disagrees with its bytes is refused by name", "[io][safetensors]") {
  auto one = [](const std::string& e, std::size_t bytes) {
    return message_of("{\"t\":" + e + "}", std::string(bytes, '\0'));
  };
  CHECK(one(entry("F32", "[2]", "[0,8]"), 8) == "accepted");
  CHECK(one(entry("F32", "[2]", "[0,7]"), 7) == "f: tensor 't': expected 8 bytes for F32 of shape [2], got 7");
  CHECK(one(entry("F32", "[2]", "[0,8]"), 7) ==
        "f: tensor 't': expected data_offsets in order within 7 bytes of data, got [0, 8]");
  CHECK(one(entry("F32", "[2]", "[8,0]"), 8) ==
        "f: tensor 't': expected data_offsets in order within 8 bytes of data, got [8, 0]");
  CHECK(one(entry("F32", "[2]", "[0,8]"), 9) == "f: expected 8 bytes of data after the header, got 9");
  CHECK(one(entry("F32", "[1]", "[4,8]"), 8) ==
        "f: tensor 't': expected its data at byte 0, where the tensor before it ends, got 4");
  CHECK(one(entry("F31", "[1]", "[0,4]"), 4) ==
        "f: tensor 't': expected a dtype of the format, F32 for example, got 'F31'");
  CHECK(one(entry("F32", "[-1]", "[0,4]"), 4) ==
        "f: header byte 29: expected a whole number that is not negative, got '-'");
  CHECK(one(entry("F32", "[1.0]", "[0,4]"), 4) ==
        "f: header byte 29: expected a whole number that is not negative, got '1'");
  CHECK(one(entry("F32", "[1,]", "[0,4]"), 4) ==
        "f: header byte 31: expected a whole number that is not negative, got ']'");
  CHECK(one(entry("F32", "[18446744073709551616]", "[0,4]"), 4) ==
        "f: header byte 29: expected a number below 2^64, got '1'");
  CHECK(one(entry("F32", "[9223372036854775808]", "[0,4]"), 4) ==
        "f: tensor 't': expected a size below 2^63, got 9223372036854775808");
  CHECK(one(entry("F32", "[4611686018427387904,4]", "[0,4]"), 4) ==
        "f: tensor 't': expected a size in bytes below 2^61, got shape [4611686018427387904, 4]");
  CHECK(one(entry("U8", "[4611686018427387904,4611686018427387904,0]", "[0,0]"), 0) ==
        "f: tensor 't': expected a size in bytes below 2^61, got shape [4611686018427387904, 4611686018427387904, 0]");
  CHECK(one(entry("F4", "[3]", "[0,1]"), 1) == "f: tensor 't': expected whole bytes, got 12 bits");
  CHECK(one(entry("F32", "[1]", "[0]"), 4) == "f: tensor 't': expected two data_offsets, got 1");
  CHECK(one(entry("F32", "[1]", "[0,4,4]"), 4) == "f: tensor 't': expected two data_offsets, got 3");
  CHECK(one("{\"dtype\":\"F32\",\"data_offsets\":[0,4]}", 4) ==
        "f: tensor 't': expected dtype, shape and data_offsets, got no shape");
  CHECK(one("{\"dtype\":\"F32\",\"shape\":[1]}", 4) ==
        "f: tensor 't': expected dtype, shape and data_offsets, got no data_offsets");
  CHECK(one("{\"dtype\":\"F32\",\"dtype\":\"F32\"}", 4) == "f: tensor 't': expected one dtype, got two");
  CHECK(one("{\"shape\":[1],\"shape\":[1]}", 4) == "f: tensor 't': expected one shape, got two");
  CHECK(one("{\"data_offsets\":[0,4],\"data_offsets\":[0,4]}", 4) ==
        "f: tensor 't': expected data_offsets once, got twice");
}

TEST_CASE("tensors that overlap, leave holes or share a name are refused", "[io][safetensors]") {
  auto two = [](const std::string& a, const std::string& b, const char* name = "b") {
    return message_of("{\"a\":" + a + ",\"" + name + "\":" + b + "}", std::string(8, '\0'));
  };
  CHECK(two(entry("F32", "[1]", "[0,4]"), entry("F32", "[1]", "[4,8]")) == "accepted");
  CHECK(two(entry("F32", "[1]", "[4,8]"), entry("F32", "[1]", "[0,4]")) == "accepted");
  CHECK(two(entry("F32", "[2]", "[0,8]"), entry("F32", "[1]", "[4,8]")) ==
        "f: tensor 'b': expected its data at byte 8, where the tensor before it ends, got 4");
  CHECK(two(entry("F32", "[1]", "[0,4]"), entry("U8", "[2]", "[6,8]")) ==
        "f: tensor 'b': expected its data at byte 4, where the tensor before it ends, got 6");
  CHECK(two(entry("F32", "[1]", "[0,4]"), entry("F32", "[1]", "[4,8]"), "a") ==
        "f: tensor 'a': expected one tensor of this name, got two");
  CHECK(message_of("{\"__metadata__\":{},\"__metadata__\":{}}") == "f: header: expected one __metadata__, got two");
  CHECK(message_of("{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}") ==
        "f: header: expected one entry 'a' in __metadata__, got two");
  CHECK(two(entry("U8", "[0]", "[4,4]"), entry("F64", "[1]", "[0,8]")) ==
        "f: tensor 'a': expected its data at byte 8, where the tensor before it ends, got 4");
}

TEST_CASE("elements that tenon cannot hold are refused when they are asked for", "[io][safetensors]") {
  auto f = SafetensorsFile::from_bytes(file_of("{\"t\":" + entry("F8_E8M0", "[2]", "[0,2]") + "}", "ab"), "f");
  CHECK_ERROR(f.tensor("t"), NotImplementedError,
              "f: tensor 't': expected a dtype with elements in tenon, got F8_E8M0");
  CHECK_ERROR(f.tensor("u"), FileError, "f: expected a tensor named 'u', got none among 1 tensors");
  CHECK(message_of("{\"t\":" + entry("BOOL", "[2]", "[0,2]") + "}", "\x01\x02") ==
        "f: tensor 't': expected bytes 0 and 1 in BOOL, got 2");
}

TEST_CASE("what the format cannot hold is not written", "[io][safetensors]") {
  Tensor t = tensor_of<float>({1}, {1});
  CHECK_ERROR(to_safetensors({{"a", t}, {"a", t}}), ValueError,
              "save_safetensors(): expected one tensor named 'a', got two; rename one");
  CHECK_ERROR(to_safetensors({{"\xff", t}}), ValueError,
              "save_safetensors(): tensor '\xff': expected a name in UTF-8, got other bytes; rename it");
  CHECK_ERROR(to_safetensors({{"__metadata__", t}}), ValueError,
              "save_safetensors(): tensor '__metadata__': expected another name, got the one that the format reserves; "
              "rename it");
  CHECK_ERROR(to_safetensors({{"a", Tensor()}}), ValueError,
              "save_safetensors(): tensor 'a': expected a tensor, got an undefined one; leave it out");
  CHECK_ERROR(to_safetensors({{"a", make_tensor({2}, {}, kFloat, kMeta)}}), ValueError,
              "save_safetensors(): tensor 'a': expected a tensor on the CPU, got meta; move it with to()");
  CHECK_ERROR(to_safetensors({{"a", make_tensor({2}, {}, kComplexDouble)}}), ValueError,
              "save_safetensors(): tensor 'a': expected a dtype of the format, got complex128; save its real and "
              "imaginary parts");
  CHECK_ERROR(to_safetensors({}, {{"k", "\xff"}}), ValueError,
              "save_safetensors(): metadata 'k': expected text in UTF-8, got other bytes; encode it");
  CHECK_ERROR(to_safetensors({}, {{"k", ""}, {"k", ""}}), ValueError,
              "save_safetensors(): expected one metadata entry 'k', got two; rename one");
  CHECK_ERROR_CONTAINS(save_safetensors("/nowhere/x", {{"a", t}}), FileError, "/nowhere/x: cannot be written: ");
}
