// Logs of training: scalars, histograms, pictures, texts and graphs, for TensorBoard, as JSON lines or as CSV.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::training {

/// How often values fall between limits, with what they sum up to. `buckets[i]` values are at most limits[i] and above
/// limits[i - 1].
struct Histogram {
  double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
  std::vector<double> limits, buckets;
};
/// The histogram of all elements, with limits that grow by a tenth from 1e-12 to 1e20 on either side of 0, as
/// TensorBoard draws them; empty ones at the ends are left out.
/// Errors: ValueError for a tensor without elements, with ones that are not finite, and for other than real numbers.
Histogram histogram_of(const Tensor& values);

/// One operation of a recorded graph, as it ran forward: `inputs` are the names of the nodes that it read.
struct GraphNode {
  std::string name;  ///< `layers/0/weight` for a tensor with a name, else as `MulBackward0_3`
  std::string op;    ///< `MulBackward0`; `Parameter` for a leaf
  std::vector<std::string> inputs;
  std::vector<std::vector<std::int64_t>> shapes;  ///< of its results
};
/// The graph that was recorded for a tensor, what is read before what reads it. `named`: leaves by name, such as
/// nn::named_parameters(model); a dot in a name stands for a module, as `/` does in the result.
/// Errors: ValueError for a tensor without a graph.
std::vector<GraphNode> graph_of(const Tensor& result, const std::vector<std::pair<std::string, Tensor>>& named = {});

/// Where figures of training go. The calls have the names of PyTorch's SummaryWriter; all sinks have the same.
/// Errors of each call: FileError if the file cannot be written.
class SummaryWriter {
 public:
  virtual ~SummaryWriter() = default;
  SummaryWriter(const SummaryWriter&) = delete;
  SummaryWriter& operator=(const SummaryWriter&) = delete;

  void add_scalar(const std::string& tag, double value, std::int64_t step) { scalar(tag, value, step, now()); }
  /// Errors: as histogram_of().
  void add_histogram(const std::string& tag, const Tensor& values, std::int64_t step) {
    histogram(tag, histogram_of(values), step, now());
  }
  /// Shapes and dtypes as of data::save_png(). Sinks of text write it as FILE.images/TAG.STEP.png and log that path.
  void add_image(const std::string& tag, const Tensor& image, std::int64_t step) { picture(tag, image, step, now()); }
  void add_text(const std::string& tag, const std::string& text, std::int64_t step) { words(tag, text, step, now()); }
  /// The operations that made a tensor, a model's loss say, with its parameters by name. Errors: as graph_of().
  void add_graph(const Tensor& result, const std::vector<std::pair<std::string, Tensor>>& named = {}) {
    graph(graph_of(result, named), now());
  }
  /// What was added is in the file when this returns; so it is when the writer ends.
  virtual void flush() = 0;

 protected:
  SummaryWriter() = default;
  virtual void scalar(const std::string& tag, double value, std::int64_t step, double time) = 0;
  virtual void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) = 0;
  virtual void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) = 0;
  virtual void words(const std::string& tag, const std::string& text, std::int64_t step, double time) = 0;
  virtual void graph(const std::vector<GraphNode>& nodes, double time) = 0;
  /// Seconds since 1970.
  static double now();
};

namespace detail {
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// A file that is appended to.
class LogFile {
 public:
  explicit LogFile(std::string path);
  void write(const std::string& bytes);
  void flush();
  bool empty() const { return empty_; }
  /// Writes a picture beside the file and returns its path.
  std::string write_picture(const std::string& tag, const Tensor& image, std::int64_t step) const;

 private:
  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  bool empty_;
};
}  // namespace detail

/// An event file for TensorBoard in a folder, which is made; its name holds time, host and process, as
/// `events.out.tfevents.1700000000.host.42.0`. Scalars are float32 there.
/// A text's tag there is `TAG/text_summary`, as PyTorch's writer has it.
/// Source: tensorflow/core/util/event.proto, framework/summary.proto, graph.proto and tensor.proto, and
/// lib/io/record_writer; RFC 3720 for crc32c.
class TensorBoardWriter final : public SummaryWriter {
 public:
  explicit TensorBoardWriter(const std::string& folder);
  const std::string& path() const { return path_; }
  void flush() override;

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  void words(const std::string& tag, const std::string& text, std::int64_t step, double time) override;
  void graph(const std::vector<GraphNode>& nodes, double time) override;
  void add(const std::string& tag, const std::string& value, std::int64_t step, double time);
  std::string path_;
  detail::LogFile file_;
};

/// One JSON object a line: `{"time": 1.7e9, "step": 3, "tag": "loss", "value": 0.5}`. A histogram has `min`, `max`,
/// `num`, `sum`, `sum_squares`, `limits` and `buckets`, a picture `image`, a text `text`, a graph `nodes` with `name`,
/// `op`, `inputs` and `shapes` each, at step 0. NaN and infinities are null. Appends to a file that is there.
class JsonlWriter final : public SummaryWriter {
 public:
  explicit JsonlWriter(const std::string& path) : file_(path) {}
  void flush() override { file_.flush(); }

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  void words(const std::string& tag, const std::string& text, std::int64_t step, double time) override;
  void graph(const std::vector<GraphNode>& nodes, double time) override;
  detail::LogFile file_;
};

/// Rows `time,step,tag,value` under a header. A histogram has rows for `TAG.min`, `TAG.max`, `TAG.mean` and `TAG.num`,
/// a picture has its path, a text itself, a graph a row `graph.NODE` for each node, with what it reads parted by
/// spaces. Appends to a file that is there.
class CsvWriter final : public SummaryWriter {
 public:
  explicit CsvWriter(const std::string& path);
  void flush() override { file_.flush(); }

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  void words(const std::string& tag, const std::string& text, std::int64_t step, double time) override;
  void graph(const std::vector<GraphNode>& nodes, double time) override;
  void row(const std::string& tag, const std::string& value, std::int64_t step, double time);
  detail::LogFile file_;
};

}  // namespace tenon::training
