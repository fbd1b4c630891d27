// Event files in a small part of protobuf's wire format, and lines of text.
#pragma once
#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

#include <tenon/autograd/graph/dot.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/data/csv.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/image.hpp>
#include <tenon/io/detail/header_json.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/training/summary_writer.hpp>

namespace tenon::training {

namespace detail {

/// Fields of a protobuf message, by number. Source: protobuf.dev, "Encoding".
class Message {
 public:
  Message& varint(unsigned field, std::uint64_t value) {
    key(field, 0);
    put(value);
    return *this;
  }
  Message& number(unsigned field, double value) {
    key(field, 1);
    data::detail::put_little<8>(bytes_, std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  Message& number(unsigned field, float value) {
    key(field, 5);
    data::detail::put_little<4>(bytes_, std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  Message& text(unsigned field, const std::string& bytes) {
    key(field, 2);
    put(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Message& numbers(unsigned field, const std::vector<double>& values) {
    std::string packed;
    for (double v : values) data::detail::put_little<8>(packed, std::bit_cast<std::uint64_t>(v));
    return text(field, packed);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void key(unsigned field, unsigned wire) { put(field << 3 | wire); }
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

inline std::uint32_t masked_crc32c(std::string_view bytes) {
  std::uint32_t c = data::detail::crc<0x82f63b78u>(bytes);
  return (c >> 15 | c << 17) + 0xa282ead8u;
}
inline std::string event_record(const std::string& event) {
  std::string out;
  data::detail::put_little<8>(out, event.size());
  data::detail::put_little<4>(out, masked_crc32c(out));
  out += event;
  data::detail::put_little<4>(out, masked_crc32c(event));
  return out;
}

/// The shortest text that gives the number back; what JSON has no word for is `other`.
inline std::string number_text(double value, const char* other) {
  return std::isfinite(value) ? ::tenon::concat(value) : std::string(other);
}
inline std::string number_list(const std::vector<double>& values) {
  std::string out = "[";
  for (double v : values) out += (out.size() > 1 ? ", " : "") + number_text(v, "null");
  return out + "]";
}
inline std::string time_text(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}
inline std::string json_line(const std::string& tag, std::int64_t step, double time, const std::string& rest) {
  return ::tenon::concat("{\"time\": ", time_text(time), ", \"step\": ", step,
                         ", \"tag\": ", ::tenon::detail::json_string(tag), ", ", rest, "}\n");
}

TENON_COLD_BODY LogFile::LogFile(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "ab")), empty_(true) {
  TENON_CHECK(file_, FileError, path_, ": cannot be written: ", std::strerror(errno));
  std::error_code error;
  auto size = std::filesystem::file_size(path_, error);
  empty_ = error || size == 0;
}
TENON_COLD_BODY void LogFile::write(const std::string& bytes) {
  TENON_CHECK(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size(), FileError, path_,
              ": cannot be written: ", std::strerror(errno));
}
TENON_COLD_BODY void LogFile::flush() {
  TENON_CHECK(std::fflush(file_.get()) == 0, FileError, path_, ": cannot be written: ", std::strerror(errno));
}
TENON_COLD_BODY std::string LogFile::write_picture(const std::string& tag, const Tensor& image,
                                                   std::int64_t step) const {
  std::string name;
  for (char c : tag) name += c == '/' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  std::filesystem::path folder = path_ + ".images";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  TENON_CHECK(!error, FileError, folder.string(), ": cannot be made: ", error.message());
  std::string path = (folder / ::tenon::concat(name, ".", step, ".png")).string();
  data::save_png(path, image);
  return path;
}

inline std::string event_path(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  TENON_CHECK(!error, FileError, folder, ": cannot be made: ", error.message());
  char host[256] = "host";
  ::gethostname(host, sizeof host - 1);
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
  std::string start = ::tenon::concat("events.out.tfevents.", seconds.count(), ".", host, ".", ::getpid(), ".");
  for (int n = 0;; ++n) {
    std::filesystem::path path = std::filesystem::path(folder) / ::tenon::concat(start, n);
    if (!std::filesystem::exists(path, error)) return path.string();
  }
}

}  // namespace detail

TENON_COLD_BODY double SummaryWriter::now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

TENON_COLD_BODY Histogram histogram_of(const Tensor& values) {
  TENON_CHECK(values.defined() && !values.is_complex(), ValueError, "add_histogram(): expected real numbers");
  NoGradGuard no_grad;
  Tensor plain = values.to(kCPU, kDouble).contiguous();
  const double* x = plain.data_ptr<double>();
  std::int64_t n = plain.numel();
  TENON_CHECK(n > 0, ValueError, "add_histogram(): The input has no element.");
  static const std::vector<double> limits = [] {
    std::vector<double> positive, all;
    for (double v = 1e-12; v < 1e20; v *= 1.1) positive.push_back(v);
    for (auto v = positive.rbegin(); v != positive.rend(); ++v) all.push_back(-*v);
    all.push_back(0);
    all.insert(all.end(), positive.begin(), positive.end());
    all.push_back(std::numeric_limits<double>::max());
    return all;
  }();
  Histogram h{x[0], x[0], static_cast<double>(n), 0, 0, {}, {}};
  std::vector<double> counts(limits.size());
  for (std::int64_t i = 0; i < n; ++i) {
    TENON_CHECK(std::isfinite(x[i]), ValueError, "add_histogram(): expected finite numbers, got ", x[i]);
    h.min = std::min(h.min, x[i]);
    h.max = std::max(h.max, x[i]);
    h.sum += x[i];
    h.sum_squares += x[i] * x[i];
    ++counts[static_cast<std::size_t>(std::lower_bound(limits.begin(), limits.end(), x[i]) - limits.begin())];
  }
  std::size_t first = 0, last = counts.size() - 1;
  while (counts[first] == 0) ++first;
  while (counts[last] == 0) --last;
  // The limit below the first bucket is that of an empty one.
  if (first > 0) --first;
  auto at = [](auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  h.limits.assign(at(limits, first), at(limits, last + 1));
  h.buckets.assign(at(counts, first), at(counts, last + 1));
  return h;
}

TENON_COLD_BODY std::vector<GraphNode> graph_of(const Tensor& result,
                                                const std::vector<std::pair<std::string, Tensor>>& named) {
  TENON_CHECK(result.defined() && result.requires_grad(), ValueError,
              "add_graph(): expected a tensor that requires grad, so that there is a graph behind it");
  std::unordered_map<const Node*, std::string> names;
  for (const auto& [name, t] : named)
    if (t.defined() && t.requires_grad() && t.is_leaf()) {
      std::string path = name;
      std::replace(path.begin(), path.end(), '.', '/');
      names.emplace(autograd::gradient_edge(t).node.get(), path);
    }
  // A node is made after those that its edges lead to; leaves have no number and come first, as they are found.
  std::vector<std::tuple<std::uint64_t, std::size_t, Node*>> order;
  autograd::each_node(TensorList(result),
                      [&](Node& node) { order.emplace_back(node.sequence(), order.size(), &node); });
  std::sort(order.begin(), order.end());
  std::vector<GraphNode> nodes;
  for (auto [made, found, node] : order) {
    bool leaf = node->n_edges() == 0 && node->sequence() == 0;
    GraphNode one{{}, leaf ? "Parameter" : node->name(), {}, {}};
    one.name = names.emplace(node, concat(one.op, "_", nodes.size())).first->second;
    for (unsigned i = 0; i < node->n_edges(); ++i)
      if (const Edge& edge = node->edges()[i]) {
        const std::string& from = names.at(edge.node.get());
        one.inputs.push_back(edge.index == 0 ? from : concat(from, ":", edge.index));
      }
    for (unsigned i = 0; i < node->n_inputs(); ++i)
      one.shapes.emplace_back(node->result(i).sizes.begin(), node->result(i).sizes.end());
    nodes.push_back(std::move(one));
  }
  return nodes;
}

TENON_COLD_BODY TensorBoardWriter::TensorBoardWriter(const std::string& folder)
    : path_(detail::event_path(folder)), file_(path_) {
  file_.write(detail::event_record(detail::Message().number(1, now()).text(3, "brain.Event:2").bytes()));
  flush();
}
TENON_COLD_BODY void TensorBoardWriter::flush() { file_.flush(); }
TENON_COLD_BODY void TensorBoardWriter::add(const std::string& tag, const std::string& value, std::int64_t step,
                                            double time) {
  std::string summary = detail::Message().text(1, detail::Message().text(1, tag).bytes() + value).bytes();
  detail::Message event;
  event.number(1, time).varint(2, static_cast<std::uint64_t>(step)).text(5, summary);
  file_.write(detail::event_record(event.bytes()));
}
TENON_COLD_BODY void TensorBoardWriter::scalar(const std::string& tag, double value, std::int64_t step, double time) {
  add(tag, detail::Message().number(2, static_cast<float>(value)).bytes(), step, time);
}
TENON_COLD_BODY void TensorBoardWriter::histogram(const std::string& tag, const Histogram& h, std::int64_t step,
                                                  double time) {
  detail::Message m;
  m.number(1, h.min).number(2, h.max).number(3, h.num).number(4, h.sum).number(5, h.sum_squares);
  m.numbers(6, h.limits).numbers(7, h.buckets);
  add(tag, detail::Message().text(5, m.bytes()).bytes(), step, time);
}
TENON_COLD_BODY void TensorBoardWriter::picture(const std::string& tag, const Tensor& image, std::int64_t step,
                                                double time) {
  std::string png = data::encode_png(image);
  auto channels = static_cast<std::uint64_t>(image.dim() == 3 ? image.size(0) : 1);
  detail::Message m;
  m.varint(1, static_cast<std::uint64_t>(image.size(-2))).varint(2, static_cast<std::uint64_t>(image.size(-1)));
  m.varint(3, channels).text(4, png);
  add(tag, detail::Message().text(4, m.bytes()).bytes(), step, time);
}
TENON_COLD_BODY void TensorBoardWriter::words(const std::string& tag, const std::string& text, std::int64_t step,
                                              double time) {
  using detail::Message;
  constexpr std::uint64_t kString = 7;  // DT_STRING
  std::string shape = Message().text(2, Message().varint(1, 1).bytes()).bytes();
  std::string plugin = Message().text(1, Message().text(1, "text").bytes()).bytes();
  std::string tensor = Message().varint(1, kString).text(2, shape).text(8, text).bytes();
  add(tag + "/text_summary", Message().text(8, tensor).text(9, plugin).bytes(), step, time);
}
TENON_COLD_BODY void TensorBoardWriter::graph(const std::vector<GraphNode>& nodes, double time) {
  using detail::Message;
  Message all;
  for (const GraphNode& node : nodes) {
    Message one, shapes;
    one.text(1, node.name).text(2, node.op);
    for (const std::string& input : node.inputs) one.text(3, input);
    for (const auto& sizes : node.shapes) {
      Message shape;
      for (std::int64_t size : sizes) shape.text(2, Message().varint(1, static_cast<std::uint64_t>(size)).bytes());
      shapes.text(7, shape.bytes());
    }
    std::string list = Message().text(1, shapes.bytes()).bytes();
    one.text(5, Message().text(1, "_output_shapes").text(2, list).bytes());
    all.text(1, one.bytes());
  }
  all.text(4, Message().varint(1, 22).bytes());  // the version of the format that writers of today state
  file_.write(detail::event_record(Message().number(1, time).text(4, all.bytes()).bytes()));
}

TENON_COLD_BODY void JsonlWriter::scalar(const std::string& tag, double value, std::int64_t step, double time) {
  file_.write(detail::json_line(tag, step, time, "\"value\": " + detail::number_text(value, "null")));
}
TENON_COLD_BODY void JsonlWriter::histogram(const std::string& tag, const Histogram& h, std::int64_t step,
                                            double time) {
  file_.write(detail::json_line(
      tag, step, time,
      ::tenon::concat("\"min\": ", h.min, ", \"max\": ", h.max, ", \"num\": ", h.num, ", \"sum\": ", h.sum,
                      ", \"sum_squares\": ", h.sum_squares, ", \"limits\": ", detail::number_list(h.limits),
                      ", \"buckets\": ", detail::number_list(h.buckets))));
}
TENON_COLD_BODY void JsonlWriter::picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) {
  std::string path = file_.write_picture(tag, image, step);
  file_.write(detail::json_line(tag, step, time, "\"image\": " + ::tenon::detail::json_string(path)));
}
TENON_COLD_BODY void JsonlWriter::words(const std::string& tag, const std::string& text, std::int64_t step,
                                        double time) {
  file_.write(detail::json_line(tag, step, time, "\"text\": " + ::tenon::detail::json_string(text)));
}
TENON_COLD_BODY void JsonlWriter::graph(const std::vector<GraphNode>& nodes, double time) {
  using ::tenon::detail::json_string;
  std::string list;
  for (const GraphNode& node : nodes) {
    list += concat(list.empty() ? "" : ", ", "{\"name\": ", json_string(node.name), ", \"op\": ", json_string(node.op));
    std::string inputs, shapes;
    for (const std::string& input : node.inputs) inputs += (inputs.empty() ? "" : ", ") + json_string(input);
    for (const auto& sizes : node.shapes) shapes += concat(shapes.empty() ? "" : ", ", IntArrayRef(sizes));
    list += concat(", \"inputs\": [", inputs, "], \"shapes\": [", shapes, "]}");
  }
  file_.write(detail::json_line("graph", 0, time, "\"nodes\": [" + list + "]"));
}

TENON_COLD_BODY CsvWriter::CsvWriter(const std::string& path) : file_(path) {
  if (file_.empty()) file_.write("time,step,tag,value\n");
}
TENON_COLD_BODY void CsvWriter::row(const std::string& tag, const std::string& value, std::int64_t step, double time) {
  file_.write(::tenon::concat(detail::time_text(time), ",", step, ",", data::csv_cell(tag), ",", value, "\n"));
}
TENON_COLD_BODY void CsvWriter::scalar(const std::string& tag, double value, std::int64_t step, double time) {
  row(tag, ::tenon::concat(value), step, time);
}
TENON_COLD_BODY void CsvWriter::histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) {
  row(tag + ".min", ::tenon::concat(h.min), step, time);
  row(tag + ".max", ::tenon::concat(h.max), step, time);
  row(tag + ".mean", ::tenon::concat(h.sum / h.num), step, time);
  row(tag + ".num", ::tenon::concat(h.num), step, time);
}
TENON_COLD_BODY void CsvWriter::picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) {
  row(tag, data::csv_cell(file_.write_picture(tag, image, step)), step, time);
}
TENON_COLD_BODY void CsvWriter::words(const std::string& tag, const std::string& text, std::int64_t step, double time) {
  row(tag, data::csv_cell(text), step, time);
}
TENON_COLD_BODY void CsvWriter::graph(const std::vector<GraphNode>& nodes, double time) {
  for (const GraphNode& node : nodes) {
    std::string inputs;
    for (const std::string& input : node.inputs) inputs += (inputs.empty() ? "" : " ") + input;
    row("graph." + node.name, data::csv_cell(inputs), 0, time);
  }
}

}  // namespace tenon::training
