// NumPy's files, as NumPy wrote them and as it reads them.
#include <cstring>
#include <filesystem>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
std::string npy(const std::string& header, const std::string& data) {
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}
/// 1.5 and -2 as float32, stored as `a` by numpy.savez_compressed() of NumPy 2.4.6.
std::string npz_deflated() {
  return std::string(
      "\x50\x4b\x03\x04\x2d\x00\x00\x00\x08\x00\x00\x00\x21\x00\xd6\x43\x4b\x05\xff\xff\xff\xff\xff\xff\xff\xff\x05\x00"
      "\x14\x00\x61\x2e\x6e\x70\x79\x01\x00\x10\x00\x88\x00\x00\x00\x00\x00\x00\x00\x4b\x00\x00\x00\x00\x00\x00\x00\x9b"
      "\xec\x17\xea\x1b\x10\xc9\xc8\x50\xc6\x50\xad\x9e\x92\x5a\x9c\x5c\xa4\x6e\xa5\xa0\x6e\x93\x66\xa2\xae\xa3\xa0\x9e"
      "\x96\x5f\x54\x52\x94\x98\x17\x9f\x5f\x94\x92\x0a\x12\x77\x4b\xcc\x29\x4e\x05\x8a\x17\x67\x24\x16\xa4\x02\xf9\x1a"
      "\x46\x3a\x9a\x3a\x0a\xb5\x0a\x14\x00\x2e\x06\x86\x03\xf6\x0c\x40\x02\x00\x50\x4b\x01\x02\x2d\x03\x2d\x00\x00\x00"
      "\x08\x00\x00\x00\x21\x00\xd6\x43\x4b\x05\x4b\x00\x00\x00\x88\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00"
      "\x00\x00\x80\x01\x00\x00\x00\x00\x61\x2e\x6e\x70\x79\x50\x4b\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00\x33\x00\x00"
      "\x00\x82\x00\x00\x00\x00\x00",
      203);
}
}  // namespace

TEST_CASE("tensors of every dtype of NumPy come back from npy", "[data][npy]") {
  Tensor x = tensor({{0.0, 1.0, 2.0}, {3.0, 100.0, 5.0}});
  for (ScalarType dtype : {kBool, kByte, kChar, kShort, kInt, kLong, kUInt16, kUInt32, kUInt64, kHalf, kFloat, kDouble,
                           kComplexFloat, kComplexDouble}) {
    Tensor t = x.to(dtype), back = decode_npy(encode_npy(t));
    CHECK(back.dtype() == dtype);
    // Not all of them can be compared by operators.
    CHECK(std::memcmp(back.data_ptr(), t.data_ptr(), t.nbytes()) == 0);
  }
  CHECK(ops::equal(decode_npy(encode_npy(x.t())), x.t()));
  CHECK(decode_npy(encode_npy(tensor(3.5))).dim() == 0);
  CHECK(decode_npy(encode_npy(ops::empty({0, 3}))).sizes() == IntArrayRef({0, 3}));
  CHECK(ops::equal(decode_npy(encode_npy(ops::complex(x, x).conj())), ops::complex(x, -x)));
  CHECK_ERROR(encode_npy(x.to(kBFloat16)), ValueError,
              "save_npy(): NumPy has no elements of dtype bfloat16; convert it with to()");
  CHECK_THROWS_AS(encode_npy(Tensor()), ValueError);
}

TEST_CASE("the bytes of npy are NumPy's", "[data][npy]") {
  std::string bytes = encode_npy(ops::_to_copy(tensor({1, 2}), "dtype"_a = kByte));
  CHECK(bytes.size() == 128 + 2);
  CHECK(bytes.substr(0, 10) == std::string("\x93NUMPY\1\0\x76\0", 10));
  CHECK(bytes.substr(10, 58) == "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), } ");
  CHECK(bytes.substr(127) == "\n\1\2");
  CHECK(encode_npy(ops::zeros({2, 3})).find("'shape': (2, 3), }") != std::string::npos);
  CHECK(encode_npy(tensor(1.0)).find("'shape': (), }") != std::string::npos);
}

TEST_CASE("npy in Fortran's order and with the high byte first is read", "[data][npy]") {
  Tensor t =
      decode_npy(npy("{\"shape\":(2, 2),'fortran_order': True, 'descr': '>i2'}", std::string("\0\1\0\2\0\3\0\4", 8)));
  CHECK(t.strides() == IntArrayRef({1, 2}));
  CHECK(ops::equal(t, ops::_to_copy(tensor({{1, 3}, {2, 4}}), "dtype"_a = kShort)));
}

TEST_CASE("damaged npy files are refused before memory is taken", "[data][npy]") {
  auto with = [](const std::string& header) { return decode_npy(npy(header, "ab"), "f"); };
  CHECK(with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }").numel() == 2);
  CHECK_ERROR(with("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"), FileError,
              "f: expected 3 bytes for shape [3], got at most 2");
  CHECK_ERROR(with("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }"), FileError,
              "f: expected 1 bytes for shape [1], got 2");
  CHECK_ERROR_CONTAINS(with("{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"), FileError,
                       "has more bytes than a file can");
  CHECK_ERROR(with("{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,)}"), FileError,
              "f: header byte 69: expected a size below 2^63");
  CHECK_ERROR(with("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), NotImplementedError,
              "f: expected numbers, got elements of type '<O'");
  CHECK_ERROR(with("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}"), NotImplementedError,
              "f: arrays of records have no dtype");
  CHECK_ERROR(with("{'descr': '|u1', 'shape': (2,)}"), FileError,
              "f: header byte 31: expected descr, fortran_order and shape");
  CHECK_ERROR(with("{'descr': '|u1', 'descr': '|u1'}"), FileError,
              "f: header byte 25: expected descr, fortran_order and shape, once each");
  CHECK_ERROR(with("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}"), FileError,
              "f: expected bytes 0 and 1 for bools");
  CHECK_ERROR(decode_npy("PK", "f"), FileError, "f: expected an npy file");
}

TEST_CASE("tensors come back from npz under their names", "[data][npy]") {
  NamedTensors all{{"x", tensor({1.5, 2.5})}, {"folder/y", tensor({{1}, {2}})}, {"", tensor(3)}};
  auto path = (std::filesystem::temp_directory_path() / "tenon_npy.npz").string();
  save_npz(path, all);
  NamedTensors back = load_npz(path);
  REQUIRE(back.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(back[i].first == all[i].first);
    CHECK(ops::equal(back[i].second, all[i].second));
  }
  std::filesystem::remove(path);
  CHECK(decode_npz(encode_npz({})).empty());
  CHECK_ERROR(encode_npz({{"a", tensor(1)}, {"a", tensor(1)}}), ValueError,
              "save_npz(): expected one tensor named 'a', got two");

  std::string bytes = encode_npz({{"x", tensor({1.5})}});
  std::size_t data = bytes.find('\n') + 1;
  bytes[data] ^= 1;
  CHECK_ERROR(decode_npz(bytes, "f"), FileError, "f: x.npy: the checksum does not agree with the data");
  // Two entries of the directory for the same bytes.
  std::string twice = encode_npz({{"x", ops::zeros({100})}});
  std::size_t first = twice.find("PK\1\2"), end = twice.find("PK\5\6");
  twice.insert(end, twice.substr(first, end - first));
  twice[twice.size() - 14] = twice[twice.size() - 12] = 2;
  twice[twice.size() - 10] = static_cast<char>(2 * (end - first));
  CHECK_ERROR(decode_npz(twice, "f"), FileError, "f: the files in it have more bytes than it has");
  CHECK_ERROR(decode_npz("PK", "f"), FileError, "f: expected a zip file, got no end of a directory");
  for (const char* wrong : {"(03,)", "(3)"}) {
    std::string odd = encode_npy(ops::zeros({3}));
    CHECK_THROWS_AS(decode_npy(odd.replace(odd.find("(3,)"), 4, wrong), "f"), FileError);
  }
  // What the directory says and what stands at its places are the same.
  std::string renamed = bytes, moved = bytes, part = bytes;
  renamed[30] = 'y';
  CHECK_ERROR_CONTAINS(decode_npz(renamed, "f"), FileError, "its own header has another name");
  moved[moved.size() - 6] ^= 1;
  CHECK_ERROR(decode_npz(moved, "f"), FileError, "f: the directory does not stand before its end");
  part[part.size() - 18] = 1;
  CHECK_ERROR(decode_npz(part, "f"), FileError, "f: expected all of a zip file, got a part of several");
}

TEST_CASE("deflated npz files are read where there is zlib, and named where there is none", "[data][npy]") {
  CHECK_ERROR_CONTAINS(decode_npz(npz_deflated(), "f", nullptr), NotImplementedError,
                       "f: a.npy: compressed data needs zlib");
#ifdef TENON_WITH_ZLIB
  NamedTensors back = decode_npz(npz_deflated());
  REQUIRE(back.size() == 1);
  CHECK(back[0].first == "a");
  CHECK(ops::equal(back[0].second, tensor({1.5f, -2.0f})));
#endif
}
