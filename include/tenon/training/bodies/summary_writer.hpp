// Event files in a small part of protobuf's wire format, and lines of text.
#pragma once
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

#include <tenon/autograd/graph/dot.hpp>
#include <tenon/base/body.hpp>
#include <tenon/base/byte_order.hpp>
#include <tenon/data/csv.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/image.hpp>
#include <tenon/io/detail/header_json.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/training/detail/message.hpp>
#include <tenon/training/summary_writer.hpp>

namespace tenon::training {

namespace detail {

inline std::uint32_t masked_crc32c(std::string_view bytes) {
  std::uint32_t c = data::detail::crc<0x82f63b78u>(bytes);
  return (c >> 15 | c << 17) + 0xa282ead8u;
}
inline std::string event_record(const std::string& event) {
  std::string out;
  append_little_endian<8>(out, event.size());
  append_little_endian<4>(out, masked_crc32c(out));
  out += event;
  append_little_endian<4>(out, masked_crc32c(event));
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

TENON_COLD_BODY void SummaryWriter::scalars(const std::string& main_tag, const Numbers& values, std::int64_t step,
                                            double time) {
  for (const auto& [tag, value] : values) scalar(::tenon::concat(main_tag, "/", tag), value, step, time);
}
TENON_COLD_BODY void SummaryWriter::check_raw(const Histogram& raw) {
  TENON_CHECK(raw.limits.size() == raw.buckets.size(), ValueError,
              "add_histogram_raw(): expected as many limits as buckets, got ", raw.limits.size(), " and ",
              raw.buckets.size());
}
TENON_COLD_BODY void SummaryWriter::check_raw(const PrCurve& raw) {
  for (const auto* row : {&raw.fp, &raw.tn, &raw.fn, &raw.precision, &raw.recall})
    TENON_CHECK(row->size() == raw.tp.size(), ValueError, "add_pr_curve_raw(): expected lists of ", raw.tp.size(),
                " thresholds each, got one of ", row->size());
}
TENON_COLD_BODY void SummaryWriter::add_hparams(const Hyperparameters& hparam_dict, const Numbers& metric_dict,
                                                const std::string& run_name, std::int64_t step) {
  for (const auto& [name, value] : hparam_dict) {
    ValueKind kind = value.kind();
    TENON_CHECK(value.is_none() || kind == ValueKind::Bool || kind == ValueKind::Int || kind == ValueKind::Double ||
                    kind == ValueKind::String,
                ValueError, "add_hparams(): '", name, "': value should be one of int, float, str or bool, got a ",
                to_string(kind));
  }
  double time = now();
  hparams(hparam_dict, metric_dict, run_name.empty() ? detail::time_text(time) : run_name, step, time);
}

TENON_COLD_BODY TensorBoardWriter::TensorBoardWriter(const std::string& folder)
    : folder_(folder), path_(detail::event_path(folder)), file_(path_) {
  file_.write(detail::event_record(detail::Message().number(1, now()).text(3, "brain.Event:2").bytes()));
  flush();
}
TENON_COLD_BODY void TensorBoardWriter::flush() {
  file_.flush();
  for (auto& [name, line] : lines_) line->flush();
}
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
  std::string tensor = Message().varint(1, kString).text(2, shape).text(8, text).bytes();
  add(tag + "/text_summary", Message().text(8, tensor).text(9, detail::plugin("text", "")).bytes(), step, time);
}
TENON_COLD_BODY void TensorBoardWriter::scalars(const std::string& main_tag, const Numbers& values, std::int64_t step,
                                                double time) {
  for (const auto& [tag, value] : values) {
    std::string run = main_tag;
    std::replace(run.begin(), run.end(), '/', '_');
    std::unique_ptr<TensorBoardWriter>& line = lines_[::tenon::concat(run, "_", tag)];
    if (!line) line = std::make_unique<TensorBoardWriter>(::tenon::concat(folder_, "/", run, "_", tag));
    line->scalar(main_tag, value, step, time);
  }
}
TENON_COLD_BODY void TensorBoardWriter::curve(const std::string& tag, const PrCurve& c, std::int64_t step,
                                              double time) {
  using detail::Message;
  constexpr std::uint64_t kFloat32 = 1;  // DT_FLOAT
  std::vector<double> all;
  for (const auto* row : {&c.tp, &c.fp, &c.tn, &c.fn, &c.precision, &c.recall})
    all.insert(all.end(), row->begin(), row->end());
  Message shape;
  for (std::uint64_t size : {std::uint64_t{6}, std::uint64_t{c.tp.size()}})
    shape.text(2, Message().varint(1, size).bytes());
  std::string tensor = Message().varint(1, kFloat32).text(2, shape.bytes()).floats(5, all).bytes();
  std::string content = Message().varint(2, c.tp.size()).bytes();
  add(tag, Message().text(8, tensor).text(9, detail::plugin("pr_curves", content)).bytes(), step, time);
}
TENON_COLD_BODY void TensorBoardWriter::hparams(const Hyperparameters& given, const Numbers& metrics,
                                                const std::string& run_name, std::int64_t step, double time) {
  using detail::Message;
  constexpr std::uint64_t kText = 1, kBool = 2, kNumber = 3, kSuccess = 1;  // DataType and Status
  Message experiment, start;
  for (const auto& [name, value] : given) {
    if (value.is_none()) continue;
    bool is_text = value.kind() == ValueKind::String, is_bool = value.kind() == ValueKind::Bool;
    Message one;
    if (is_text)
      one.text(3, std::string(value.to_string_view()));
    else if (is_bool)
      one.varint(4, value.to_bool());
    else
      one.number(2, value.to_scalar().to<double>());
    start.text(1, Message().text(1, name).text(2, one.bytes()).bytes());
    experiment.text(4, Message().text(1, name).varint(4, is_text ? kText : is_bool ? kBool : kNumber).bytes());
  }
  for (const auto& [name, value] : metrics)
    experiment.text(5, Message().text(1, Message().text(2, name).bytes()).bytes());
  TensorBoardWriter run(::tenon::concat(folder_, "/", run_name));
  auto say = [&](const char* tag, unsigned field, const Message& what) {
    std::string content = Message().text(field, what.bytes()).bytes();
    run.add(tag, Message().text(9, detail::plugin("hparams", content)).bytes(), step, time);
  };
  say("_hparams_/experiment", 2, experiment);
  say("_hparams_/session_start_info", 3, start);
  say("_hparams_/session_end_info", 4, Message().varint(1, kSuccess));
  for (const auto& [name, value] : metrics) run.scalar(name, value, step, time);
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
TENON_COLD_BODY void JsonlWriter::curve(const std::string& tag, const PrCurve& c, std::int64_t step, double time) {
  using detail::number_list;
  file_.write(detail::json_line(
      tag, step, time,
      ::tenon::concat("\"tp\": ", number_list(c.tp), ", \"fp\": ", number_list(c.fp), ", \"tn\": ", number_list(c.tn),
                      ", \"fn\": ", number_list(c.fn), ", \"precision\": ", number_list(c.precision),
                      ", \"recall\": ", number_list(c.recall))));
}
TENON_COLD_BODY void JsonlWriter::hparams(const Hyperparameters& given, const Numbers& metrics,
                                          const std::string& run_name, std::int64_t step, double time) {
  using ::tenon::detail::json_string;
  std::string parameters, figures;
  auto entry = [](std::string& list, const std::string& name, const std::string& value) {
    list += ::tenon::concat(list.empty() ? "" : ", ", json_string(name), ": ", value);
  };
  for (const auto& [name, value] : given)
    if (value.kind() == ValueKind::String)
      entry(parameters, name, json_string(std::string(value.to_string_view())));
    else if (value.kind() == ValueKind::Bool)
      entry(parameters, name, value.to_bool() ? "true" : "false");
    else if (!value.is_none())
      entry(parameters, name, detail::number_text(value.to_scalar().to<double>(), "null"));
  for (const auto& [name, value] : metrics) entry(figures, name, detail::number_text(value, "null"));
  file_.write(detail::json_line("hparams", step, time,
                                ::tenon::concat("\"run\": ", json_string(run_name), ", \"hparams\": {", parameters,
                                                "}, \"metrics\": {", figures, "}")));
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
TENON_COLD_BODY void CsvWriter::curve(const std::string& tag, const PrCurve& c, std::int64_t step, double time) {
  for (auto [name, values] : {std::pair(".precision", &c.precision), std::pair(".recall", &c.recall)}) {
    std::string numbers;
    for (double v : *values) numbers += ::tenon::concat(numbers.empty() ? "" : " ", v);
    row(tag + name, numbers, step, time);
  }
}
TENON_COLD_BODY void CsvWriter::hparams(const Hyperparameters& given, const Numbers& metrics,
                                        const std::string& run_name, std::int64_t step, double time) {
  for (const auto& [name, value] : given) {
    if (value.is_none()) continue;
    bool is_text = value.kind() == ValueKind::String, is_bool = value.kind() == ValueKind::Bool;
    row(::tenon::concat(run_name, ".", name),
        is_text   ? data::csv_cell(std::string(value.to_string_view()))
        : is_bool ? ::tenon::concat(value.to_bool())
                  : ::tenon::concat(value.to_scalar().to<double>()),
        step, time);
  }
  for (const auto& [name, value] : metrics)
    row(::tenon::concat(run_name, ".", name), ::tenon::concat(value), step, time);
}
TENON_COLD_BODY void CsvWriter::graph(const std::vector<GraphNode>& nodes, double time) {
  for (const GraphNode& node : nodes) {
    std::string inputs;
    for (const std::string& input : node.inputs) inputs += (inputs.empty() ? "" : " ") + input;
    row("graph." + node.name, data::csv_cell(inputs), 0, time);
  }
}

}  // namespace tenon::training
