// Options of factories in one value.
#include <tenon/tenon.hpp>

#include <catch.hpp>

using namespace tenon;

TEST_CASE("a memory format among the options is the factory's own argument", "[library][factory_options]") {
  Tensor x = ops::empty({2, 3, 4, 5}, TensorOptions(kDouble).memory_format(MemoryFormat::ChannelsLast));
  CHECK(x.dtype() == kDouble);
  CHECK(x.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(ops::empty_like(x, TensorOptions(kFloat)).is_contiguous(MemoryFormat::ChannelsLast));
}

TEST_CASE("a format is given once, to functions that take one", "[library][factory_options]") {
  TensorOptions options = TensorOptions().memory_format(MemoryFormat::ChannelsLast);
  auto message = [](auto&& f) {
    try {
      f();
    } catch (const ValueError& e) { return std::string(e.summary()); }
    return std::string();
  };
  CHECK(message([&] {
          ops::empty({1, 1, 1, 1}, options, "memory_format"_a = MemoryFormat::Contiguous);
        }) ==
        "Cannot set memory_format both in TensorOptions and explicit argument; please delete the redundant setter.");
  CHECK(message([&] {
          ops::zeros({1, 1, 1, 1}, options);
        }) == "memory_format of TensorOptions: this function makes tensors in row-major order only");
}

TEST_CASE("a back end's key gives the options of its tensors", "[library][factory_options]") {
  struct {
    DispatchKey key;
    Device device;
    Layout layout;
  } rows[] = {{DispatchKey::CPU, kCPU, Layout::Strided},
              {DispatchKey::CUDA, Device("cuda"), Layout::Strided},
              {DispatchKey::Meta, kMeta, Layout::Strided},
              {DispatchKey::QuantizedCPU, kCPU, Layout::Strided},
              {DispatchKey::SparseCUDA, Device("cuda"), Layout::Sparse},
              {DispatchKey::MkldnnCPU, kCPU, Layout::Mkldnn},
              {DispatchKey::PrivateUse1, Device("privateuseone"), Layout::Strided}};
  for (const auto& row : rows) {
    TensorOptions options = options_of(row.key);
    CHECK(options.device()->type == row.device.type);
    CHECK(options.layout() == row.layout);
    if (row.key != DispatchKey::QuantizedCPU)
      CHECK(detail::factory_key(kFloat, *options.layout(), *options.device()) == row.key);
  }
  CHECK_THROWS_AS(options_of(DispatchKey::SparseCsrCPU), ValueError);
  CHECK_THROWS_AS(options_of(DispatchKey::AutogradCPU), ValueError);
  CHECK_THROWS_AS(options_of(DispatchKey::Conjugate), ValueError);
}

TEST_CASE("memory is made for every key of a tensor, or refused by that key's name", "[library][factory_options]") {
  auto made = [](TensorOptions options) {
    try {
      return concat(ops::empty({2}, options).keys().highest_backend());
    } catch (const NotImplementedError& e) {
      std::string text(e.summary()), start = "Could not run 'aten::empty.memory_format' with arguments from the '";
      return text.rfind(start, 0) == 0 ? "no " + text.substr(start.size(), text.find('\'', start.size()) - start.size())
                                       : text;
    }
  };
  CHECK(made(kCPU) == "CPU");
  CHECK(made(kMeta) == "Meta");
  CHECK(made(TensorOptions(ScalarType::QInt8)) == "no QuantizedCPU");
  CHECK(made(TensorOptions(ScalarType::QInt8).device(kMeta)) == "no QuantizedMeta");
  CHECK(made(TensorOptions().layout(Layout::Mkldnn)) == "no MkldnnCPU");
  CHECK(made(TensorOptions().layout(Layout::Sparse)) == "no SparseCPU");
  CHECK(made(TensorOptions().layout(Layout::SparseCsr)) == "no SparseCsrCPU");
  CHECK(made(TensorOptions(kMeta).layout(Layout::Sparse)) == "no SparseMeta");
}
