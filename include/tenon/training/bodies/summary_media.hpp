// Sounds, meshes, embeddings and charts in TensorBoard's files.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/base/byte_order.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/gif.hpp>
#include <tenon/data/image.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/training/detail/message.hpp>
#include <tenon/training/summary_writer.hpp>

namespace tenon::training {

namespace detail {

/// One channel of 16 bits. Source: "Multimedia Programming Interface and Data Specifications 1.0", the WAVE form.
inline std::string wav_of(const std::string& samples, std::uint32_t rate) {
  constexpr std::uint64_t kPcm = 1, kChannels = 1, kBytes = 2;
  std::string out = "RIFF";
  append_little_endian<4>(out, 36 + samples.size());
  out += "WAVEfmt ";
  append_little_endian<4>(out, 16);
  append_little_endian<2>(out, kPcm);
  append_little_endian<2>(out, kChannels);
  append_little_endian<4>(out, rate);
  append_little_endian<4>(out, rate * kBytes);
  append_little_endian<2>(out, kBytes);
  append_little_endian<2>(out, 8 * kBytes);
  out += "data";
  append_little_endian<4>(out, samples.size());
  return out + samples;
}
inline std::string shape_message(IntArrayRef sizes) {
  Message shape;
  for (std::int64_t size : sizes) shape.text(2, Message().varint(1, static_cast<std::uint64_t>(size)).bytes());
  return shape.bytes();
}
inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  tenon::detail::FileWriter file(path.string());
  file.write(bytes.data(), bytes.size());
  file.finish();
}
/// A string of protobuf's text format.
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      out += octal;
    }
  }
  return out + "\"";
}
/// A name without what parts paths, as PyTorch has it.
inline std::string path_name(const std::string& tag) {
  std::string out;
  for (char c : tag) out += c == '%' ? "%25" : c == '/' ? "%2f" : c == '\\' ? "%5c" : std::string(1, c);
  return out;
}
inline std::string row_of(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) {
    TENON_CHECK(cell.find_first_of("\t\n") == std::string::npos, ValueError,
                "add_embedding(): expected labels without tabs and newlines, got '", cell, "'");
    row += (&cell == cells.data() ? "" : "\t") + cell;
  }
  return row + "\n";
}
inline std::string table_of(const EmbeddingOptions& options) {
  std::size_t columns = options.metadata_header.empty() ? options.metadata[0].size() : options.metadata_header.size();
  std::string table = options.metadata_header.empty() ? "" : row_of(options.metadata_header);
  for (const auto& row : options.metadata) {
    TENON_CHECK(row.size() == columns, ValueError, "add_embedding(): expected rows of ", columns, " labels, got ",
                row.size());
    table += row_of(row);
  }
  return table;
}
/// Pictures in a square of as many rows as columns, or nearly so.
inline Tensor sprite_of(const Tensor& images) {
  NoGradGuard no_grad;
  auto columns = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(images.size(0)))));
  Tensor grid = image_grid(images, columns);
  std::int64_t side = std::max(grid.size(1), grid.size(2));
  Tensor square = grid.new_zeros({3, side, side});
  square.narrow(1, 0, grid.size(1)).narrow(2, 0, grid.size(2)).copy_(grid);
  return square;
}

}  // namespace detail

TENON_COLD_BODY void TensorBoardWriter::add_audio(const std::string& tag, const Tensor& snd_tensor, std::int64_t step,
                                                  std::int64_t sample_rate, Walltime walltime) {
  TENON_CHECK(snd_tensor.defined() && snd_tensor.numel() > 0 && snd_tensor.squeeze().dim() <= 1, ValueError,
              "add_audio(): expected a sound of shape (L) or (1, L), got ",
              snd_tensor.defined() ? snd_tensor.sizes() : IntArrayRef());
  TENON_CHECK(sample_rate > 0 && sample_rate <= UINT32_MAX / 2, ValueError,
              "add_audio(): expected a positive sample_rate, got ", sample_rate);
  NoGradGuard no_grad;
  Tensor plain = snd_tensor.to(kCPU, kDouble).contiguous();
  std::string samples;
  bool beyond = false;
  for (std::int64_t i = 0; i < plain.numel(); ++i) {
    double x = plain.data_ptr<double>()[i], cut = std::clamp(x, -1.0, 1.0);
    beyond = beyond || cut != x;
    // Of float32 the products round to float32, as PyTorch's do.
    double scaled = snd_tensor.dtype() == kDouble ? cut * 32767 : static_cast<float>(cut) * 32767.0f;
    append_little_endian<2>(samples, static_cast<std::uint64_t>(static_cast<std::int64_t>(scaled)));
  }
  if (beyond) warn("add_audio(): '", tag, "' has numbers beyond [-1, 1], which are cut off");
  detail::Message m;
  m.number(1, static_cast<float>(sample_rate)).varint(2, 1).varint(3, static_cast<std::uint64_t>(plain.numel()));
  m.text(4, detail::wav_of(samples, static_cast<std::uint32_t>(sample_rate))).text(5, "audio/wav");
  add(tag, detail::Message().text(6, m.bytes()).bytes(), step, time_of(walltime));
}

TENON_COLD_BODY void TensorBoardWriter::add_video(const std::string& tag, const Tensor& vid_tensor, std::int64_t step,
                                                  double fps, Walltime walltime) {
  TENON_CHECK(vid_tensor.defined() && vid_tensor.dim() == 5 && (vid_tensor.size(2) == 1 || vid_tensor.size(2) == 3) &&
                  vid_tensor.numel() > 0,
              ValueError, "add_video(): expected videos of shape (N, T, 1 or 3, H, W), got ",
              vid_tensor.defined() ? vid_tensor.sizes() : IntArrayRef());
  NoGradGuard no_grad;
  const auto count = static_cast<std::uint64_t>(vid_tensor.size(0));
  // Of N videos PyTorch has 2^(floor(log2(N)) / 2) rows.
  const auto rows = std::int64_t{1} << (std::bit_width(count) - 1) / 2;
  const std::int64_t columns = static_cast<std::int64_t>(std::bit_ceil(count)) / rows;
  const std::int64_t height = vid_tensor.size(3), width = vid_tensor.size(4);
  Tensor grid = vid_tensor.new_zeros({vid_tensor.size(1), vid_tensor.size(2), rows * height, columns * width});
  for (std::int64_t i = 0; i < vid_tensor.size(0); ++i)
    grid.narrow(2, i / columns * height, height).narrow(3, i % columns * width, width).copy_(vid_tensor.select(0, i));
  detail::Message m;
  m.varint(1, static_cast<std::uint64_t>(grid.size(2))).varint(2, static_cast<std::uint64_t>(grid.size(3)));
  m.varint(3, static_cast<std::uint64_t>(grid.size(1))).text(4, data::encode_gif(grid, {.fps = fps}));
  add(tag, detail::Message().text(4, m.bytes()).bytes(), step, time_of(walltime));
}

TENON_COLD_BODY void TensorBoardWriter::add_mesh(const std::string& tag, const Tensor& vertices, const Tensor& colors,
                                                 const Tensor& faces, const std::string& config_dict, std::int64_t step,
                                                 Walltime walltime) {
  using detail::Message;
  constexpr std::uint64_t kFloat32 = 1;  // DT_FLOAT
  struct Part {
    const char* name;
    const char* suffix;
    const Tensor& t;
    std::uint64_t type;  // of MeshPluginData
  };
  const Part parts[] = {
      {"vertices", "_VERTEX", vertices, 1}, {"faces", "_FACE", faces, 2}, {"colors", "_COLOR", colors, 3}};
  TENON_CHECK(vertices.defined(), ValueError, "add_mesh(): expected vertices");
  std::uint64_t components = 0;
  for (const Part& part : parts) {
    if (!part.t.defined()) continue;
    TENON_CHECK(part.t.dim() == 3 && part.t.size(2) == 3, ValueError, "add_mesh(): expected '", part.name,
                "' of shape (B, N, 3), got ", part.t.sizes());
    components |= std::uint64_t{1} << part.type;
  }
  double time = time_of(walltime);
  NoGradGuard no_grad;
  for (const Part& part : parts) {
    if (!part.t.defined()) continue;
    Tensor plain = part.t.to(kCPU, kDouble).contiguous();
    std::vector<double> numbers(plain.data_ptr<double>(), plain.data_ptr<double>() + plain.numel());
    Message tensor, about;
    tensor.varint(1, kFloat32).text(2, detail::shape_message(part.t.sizes())).floats(5, numbers);
    about.text(2, tag).varint(3, part.type).text(5, config_dict);
    for (std::int64_t size : part.t.sizes()) about.varint(6, static_cast<std::uint64_t>(size));
    about.varint(7, components);
    Message value;
    value.text(8, tensor.bytes()).text(9, detail::plugin("mesh", about.bytes()));
    add(tag + part.suffix, value.bytes(), step, time);
  }
}

TENON_COLD_BODY void TensorBoardWriter::add_embedding(const Tensor& mat, const EmbeddingOptions& options) {
  TENON_CHECK(mat.defined() && mat.dim() == 2, ValueError, "add_embedding(): expected a matrix (N, D), got ",
              mat.defined() ? mat.sizes() : IntArrayRef());
  std::int64_t points = mat.size(0), width = mat.size(1);
  bool named = !options.metadata.empty(), pictured = options.label_img.defined();
  TENON_CHECK(!named || static_cast<std::int64_t>(options.metadata.size()) == points, ValueError,
              "add_embedding(): expected labels for ", points, " points, got ", options.metadata.size());
  TENON_CHECK(!pictured || (options.label_img.dim() == 4 && options.label_img.size(0) == points), ValueError,
              "add_embedding(): expected pictures for ", points, " points, got ",
              pictured ? options.label_img.sizes() : IntArrayRef());
  std::string table = named ? detail::table_of(options) : "";
  NoGradGuard no_grad;
  Tensor plain = mat.to(kCPU, kDouble).contiguous();
  std::string rows;
  for (std::int64_t i = 0; i < points; ++i)
    for (std::int64_t j = 0; j < width; ++j) {
      rows += ::tenon::concat(plain.data_ptr<double>()[i * width + j]);
      rows += j + 1 < width ? '\t' : '\n';
    }
  char step[24];
  std::snprintf(step, sizeof step, "%05lld", static_cast<long long>(options.step));
  std::string below = ::tenon::concat(step, "/", detail::path_name(options.tag));
  std::filesystem::path folder = std::filesystem::path(folder_) / below;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  TENON_CHECK(!error, FileError, folder.string(), ": cannot be made: ", error.message());
  detail::write_file(folder / "tensors.tsv", rows);
  std::string one = ::tenon::concat("  tensor_name: ", detail::quoted(::tenon::concat(options.tag, ":", step)), "\n");
  if (named) {
    detail::write_file(folder / "metadata.tsv", table);
    one += ::tenon::concat("  metadata_path: ", detail::quoted(below + "/metadata.tsv"), "\n");
  }
  if (pictured) {
    data::save_png((folder / "sprite.png").string(), detail::sprite_of(options.label_img));
    one += ::tenon::concat("  sprite {\n    image_path: ", detail::quoted(below + "/sprite.png"),
                           "\n    single_image_dim: ", options.label_img.size(3),
                           "\n    single_image_dim: ", options.label_img.size(2), "\n  }\n");
  }
  one += ::tenon::concat("  tensor_path: ", detail::quoted(below + "/tensors.tsv"), "\n");
  projector_ += "embeddings {\n" + one + "}\n";
  detail::write_file(std::filesystem::path(folder_) / "projector_config.pbtxt", projector_);
}

TENON_COLD_BODY void TensorBoardWriter::add_custom_scalars(
    const std::vector<std::pair<std::string, std::vector<ScalarChart>>>& layout) {
  using detail::Message;
  constexpr std::uint64_t kString = 7;  // DT_STRING
  Message all;
  for (const auto& [category, charts] : layout) {
    Message group;
    group.text(1, category);
    for (const ScalarChart& chart : charts) {
      Message tags;
      if (chart.margin) {
        TENON_CHECK(chart.tags.size() == 3, ValueError,
                    "add_custom_scalars(): expected three tags for a margin, a value and its bounds, got ",
                    chart.tags.size());
        Message series;
        for (unsigned i = 0; i < 3; ++i) series.text(i + 1, chart.tags[i]);
        tags.text(1, series.bytes());
      } else {
        for (const std::string& tag : chart.tags) tags.text(1, tag);
      }
      group.text(2, Message().text(1, chart.title).text(chart.margin ? 3 : 2, tags.bytes()).bytes());
    }
    all.text(2, group.bytes());
  }
  std::string tensor = Message().varint(1, kString).text(2, "").text(8, all.bytes()).bytes();
  std::string value = Message().text(8, tensor).text(9, detail::plugin("custom_scalars", "")).bytes();
  add("custom_scalars__config__", value, 0, now());
}

}  // namespace tenon::training
