// Logs of training: scalars, histograms, pictures, texts and graphs, for TensorBoard, as JSON lines or as CSV.
#pragma once
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/boxing/value.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/training/summary_media.hpp>
#include <tenon/training/summary_values.hpp>

namespace tenon::training {

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
  using Numbers = std::vector<std::pair<std::string, double>>;
  using Hyperparameters = std::vector<std::pair<std::string, Value>>;
  using Walltime = std::optional<double>;

  virtual ~SummaryWriter() = default;
  SummaryWriter(const SummaryWriter&) = delete;
  SummaryWriter& operator=(const SummaryWriter&) = delete;

  /// `walltime`, here and below: seconds since 1970, else now.
  void add_scalar(const std::string& tag, double value, std::int64_t step, Walltime walltime = {}) {
    scalar(tag, value, step, time_of(walltime));
  }
  /// Lines of one picture: `add_scalars("loss", {{"train", 0.5}, {"test", 0.75}}, step)`. TensorBoard has them as the
  /// tag `loss` in the runs `loss_train` and `loss_test` below the folder; the other sinks as `loss/train` and
  /// `loss/test`.
  void add_scalars(const std::string& main_tag, const Numbers& values, std::int64_t step, Walltime walltime = {}) {
    scalars(main_tag, values, step, time_of(walltime));
  }
  /// Errors: as histogram_of().
  void add_histogram(const std::string& tag, const Tensor& values, std::int64_t step, const Bins& bins = {},
                     Walltime walltime = {}, std::optional<std::int64_t> max_bins = {}) {
    histogram(tag, histogram_of(values, bins, max_bins), step, time_of(walltime));
  }
  /// A histogram that was made elsewhere: `add_histogram_raw("h", {.min = 0, .max = 2, .num = 3, .sum = 4, .sum_squares
  /// = 6, .limits = {1, 2}, .buckets = {1, 2}}, step)`. Errors: ValueError for other numbers of limits and buckets.
  void add_histogram_raw(const std::string& tag, const Histogram& raw, std::int64_t step, Walltime walltime = {}) {
    check_raw(raw);
    histogram(tag, raw, step, time_of(walltime));
  }
  /// Shapes and dtypes as of data::save_png(). Sinks of text write it as FILE.images/TAG.STEP.png and log that path.
  void add_image(const std::string& tag, const Tensor& image, std::int64_t step, Walltime walltime = {}) {
    picture(tag, image, step, time_of(walltime));
  }
  /// Pictures in rows of eight, as one: (N, 3, H, W) or (N, 1, H, W). Errors: as image_grid().
  void add_images(const std::string& tag, const Tensor& images, std::int64_t step, Walltime walltime = {}) {
    picture(tag, image_grid(images), step, time_of(walltime));
  }
  void add_text(const std::string& tag, const std::string& text, std::int64_t step, Walltime walltime = {}) {
    words(tag, text, step, time_of(walltime));
  }
  /// Errors: as pr_curve_of().
  void add_pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions, std::int64_t step,
                    std::int64_t num_thresholds = 127, const Tensor& weights = {}, Walltime walltime = {}) {
    curve(tag, pr_curve_of(labels, predictions, num_thresholds, weights), step, time_of(walltime));
  }
  /// A curve that was made elsewhere. Errors: ValueError for lists of other lengths.
  void add_pr_curve_raw(const std::string& tag, const PrCurve& raw, std::int64_t step, Walltime walltime = {}) {
    check_raw(raw);
    curve(tag, raw, step, time_of(walltime));
  }
  /// What a run was made with and what came of it: `add_hparams({{"lr", 0.1}, {"optimizer", "adam"}}, {{"accuracy",
  /// 0.9}})`, with numbers, texts, bools, or None, which is left out. TensorBoard compares the runs of a folder; each
  /// is a folder of its own in there, `run_name` or the time. Errors: ValueError for other values.
  void add_hparams(const Hyperparameters& hparam_dict, const Numbers& metric_dict, const std::string& run_name = "",
                   std::int64_t step = 0);
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
  virtual void scalars(const std::string& main_tag, const Numbers& values, std::int64_t step, double time);
  virtual void curve(const std::string& tag, const PrCurve& c, std::int64_t step, double time) = 0;
  virtual void hparams(const Hyperparameters& given, const Numbers& metrics, const std::string& run_name,
                       std::int64_t step, double time) = 0;
  static void check_raw(const Histogram& raw);
  static void check_raw(const PrCurve& raw);
  /// Seconds since 1970.
  static double now();
  static double time_of(const Walltime& walltime) { return walltime ? *walltime : now(); }
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
/// lib/io/record_writer; tensorboard/plugins/custom_scalar, hparams, mesh, pr_curve and projector; RFC 3720 for crc32c.
class TensorBoardWriter final : public SummaryWriter {
 public:
  explicit TensorBoardWriter(const std::string& folder);
  const std::string& path() const { return path_; }
  const std::string& get_logdir() const { return folder_; }
  void flush() override;

  /// A sound of one channel, as WAV of 16 bits; numbers beyond [-1, 1] are cut off, with a warning. Shapes: (L) or
  /// (1, L). Errors: ValueError for other shapes, for no element and for a rate that is not positive.
  void add_audio(const std::string& tag, const Tensor& snd_tensor, std::int64_t step, std::int64_t sample_rate = 44100,
                 Walltime walltime = {});
  /// Videos as one animated GIF, the batch side by side in a grid whose sides are powers of two. Shapes: (N, T, 1 or 3,
  /// H, W). Dtypes and colours as of data::save_gif(). Errors: ValueError for other shapes and for an `fps` that is not
  /// positive.
  void add_video(const std::string& tag, const Tensor& vid_tensor, std::int64_t step, double fps = 4,
                 Walltime walltime = {});
  /// Points in space, or with `faces`, three indices of points each, surfaces. Shapes: (B, N, 3) each; colors in
  /// 0 .. 255 are of points. `config_dict`: JSON of the scene for three.js. Errors: ValueError for other shapes.
  void add_mesh(const std::string& tag, const Tensor& vertices, const Tensor& colors = {}, const Tensor& faces = {},
                const std::string& config_dict = "{}", std::int64_t step = 0, Walltime walltime = {});
  /// Points of many dimensions for the projector: `add_embedding(vectors, {.metadata = {{"cat"}, {"dog"}}})`, as files
  /// STEP/TAG/tensors.tsv, metadata.tsv and sprite.png in the folder and a list of all, projector_config.pbtxt. Shapes:
  /// mat (N, D). Errors: ValueError for other shapes, for other than N labels or pictures, for rows of other than as
  /// many columns as the first or the header, and for labels that hold tabs or newlines.
  void add_embedding(const Tensor& mat, const EmbeddingOptions& options = {});
  /// Charts in categories, of scalars that are added before or after: `add_custom_scalars({{"loss", {{"both", {"train",
  /// "test"}}}}})`. Once for a run. Errors: ValueError for a margin of other than three tags.
  void add_custom_scalars(const std::vector<std::pair<std::string, std::vector<ScalarChart>>>& layout);
  void add_custom_scalars_multilinechart(const std::vector<std::string>& tags, const std::string& category = "default",
                                         const std::string& title = "untitled") {
    add_custom_scalars({{category, {{title, tags}}}});
  }
  void add_custom_scalars_marginchart(const std::vector<std::string>& tags, const std::string& category = "default",
                                      const std::string& title = "untitled") {
    add_custom_scalars({{category, {{title, tags, true}}}});
  }

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  void words(const std::string& tag, const std::string& text, std::int64_t step, double time) override;
  void graph(const std::vector<GraphNode>& nodes, double time) override;
  void curve(const std::string& tag, const PrCurve& c, std::int64_t step, double time) override;
  void hparams(const Hyperparameters& given, const Numbers& metrics, const std::string& run_name, std::int64_t step,
               double time) override;
  void scalars(const std::string& main_tag, const Numbers& values, std::int64_t step, double time) override;
  void add(const std::string& tag, const std::string& value, std::int64_t step, double time);
  std::string folder_, path_;
  detail::LogFile file_;
  std::map<std::string, std::unique_ptr<TensorBoardWriter>> lines_;  // of add_scalars(), by their runs
  std::string projector_;                                            // of add_embedding(): the list of all
};

/// One JSON object a line: `{"time": 1.7e9, "step": 3, "tag": "loss", "value": 0.5}`. A histogram has `min`, `max`,
/// `num`, `sum`, `sum_squares`, `limits` and `buckets`, a picture `image`, a text `text`, a graph `nodes` with `name`,
/// `op`, `inputs` and `shapes` each, at step 0, a curve `tp`, `fp`, `tn`, `fn`, `precision` and `recall`,
/// hyperparameters `run`, `hparams` and `metrics`. NaN and infinities are null. Appends to a file that is there.
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
  void curve(const std::string& tag, const PrCurve& c, std::int64_t step, double time) override;
  void hparams(const Hyperparameters& given, const Numbers& metrics, const std::string& run_name, std::int64_t step,
               double time) override;
  detail::LogFile file_;
};

/// Rows `time,step,tag,value` under a header. A histogram has rows for `TAG.min`, `TAG.max`, `TAG.mean` and `TAG.num`,
/// a picture has its path, a text itself, a graph a row `graph.NODE` for each node, with what it reads parted by
/// spaces, a curve rows `TAG.precision` and `TAG.recall` with numbers parted by spaces, hyperparameters and their
/// metrics rows `RUN.NAME`. Appends to a file that is there.
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
  void curve(const std::string& tag, const PrCurve& c, std::int64_t step, double time) override;
  void hparams(const Hyperparameters& given, const Numbers& metrics, const std::string& run_name, std::int64_t step,
               double time) override;
  void row(const std::string& tag, const std::string& value, std::int64_t step, double time);
  detail::LogFile file_;
};

}  // namespace tenon::training
