#include <tenon/base/device.hpp>

#include <catch.hpp>

using namespace tenon;

static_assert(sizeof(Device) == 2, "kept inside every tensor");
static_assert(static_cast<int>(DeviceType::Meta) == 14 && static_cast<int>(DeviceType::PrivateUse1) == 20,
              "the codes of recorded files");

TEST_CASE("a device is read from text and printed back", "[base][device]") {
  for (const char* text : {"cpu", "cuda", "cuda:0", "cuda:127", "meta", "xla:3", "privateuseone:1"})
    CHECK(to_string(Device(text)) == text);
  CHECK(Device("cpu") == kCPU);
  CHECK(Device("meta") == kMeta);
  CHECK(Device("cuda:1") == Device(DeviceType::CUDA, 1));
}

TEST_CASE("a device's type and index can be asked", "[base][device]") {
  CHECK(kCPU.is_cpu());
  CHECK_FALSE(kCPU.has_index());
  CHECK(kMeta.is_meta());
  CHECK(Device("cuda:0").has_index());
  CHECK_FALSE(Device("cuda") == Device("cuda:0"));
}

TEST_CASE("text that names no device is refused", "[base][device]") {
  for (const char* text : {"", "gpu", "cpu:", "cuda:x", "cuda:-1", "cuda:128", "cuda:0001", "cuda:1 ", ":1"})
    CHECK_THROWS_AS(Device(text), ValueError);
  CHECK_ERROR(Device("gpu:1"), ValueError,
              "invalid device text 'gpu:1'; expected TYPE or TYPE:INDEX, for example cpu or cuda:0");
}

TEST_CASE("layouts, memory formats and quantisation schemes print PyTorch's names", "[base][device]") {
  CHECK(to_string(kStrided) == "strided");
  CHECK(to_string(Layout::Sparse) == "sparse_coo");
  CHECK(to_string(Layout::Jagged) == "jagged");
  CHECK(to_string(MemoryFormat::Contiguous) == "contiguous_format");
  CHECK(to_string(MemoryFormat::ChannelsLast3d) == "channels_last_3d");
  CHECK(to_string(QScheme::PerChannelSymmetric) == "per_channel_symmetric");
  CHECK(Stream{1, kCPU} == Stream{1, "cpu"});
}

TEST_CASE("a stream without an id is a device's first", "[base][device]") {
  CHECK((Stream{}.id == 0 && Stream{} == Stream{0, kCPU}));
  CHECK_FALSE(Stream{1, kCPU} == Stream{});
}
