// Logs of training: scalars, histograms and pictures by name and step, for TensorBoard, as JSON lines or as CSV.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
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
  /// What was added is in the file when this returns; so it is when the writer ends.
  virtual void flush() = 0;

 protected:
  SummaryWriter() = default;
  virtual void scalar(const std::string& tag, double value, std::int64_t step, double time) = 0;
  virtual void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) = 0;
  virtual void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) = 0;
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
/// Source: tensorflow/core/util/event.proto, framework/summary.proto and lib/io/record_writer; RFC 3720 for crc32c.
class TensorBoardWriter final : public SummaryWriter {
 public:
  explicit TensorBoardWriter(const std::string& folder);
  const std::string& path() const { return path_; }
  void flush() override;

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  void add(const std::string& tag, const std::string& value, std::int64_t step, double time);
  std::string path_;
  detail::LogFile file_;
};

/// One JSON object a line: `{"time": 1.7e9, "step": 3, "tag": "loss", "value": 0.5}`. A histogram has `min`, `max`,
/// `num`, `sum`, `sum_squares`, `limits` and `buckets`, a picture `image`. NaN and infinities are null. Appends to a
/// file that is there.
class JsonlWriter final : public SummaryWriter {
 public:
  explicit JsonlWriter(const std::string& path) : file_(path) {}
  void flush() override { file_.flush(); }

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  detail::LogFile file_;
};

/// Rows `time,step,tag,value` under a header. A histogram has rows for `TAG.min`, `TAG.max`, `TAG.mean` and `TAG.num`,
/// a picture has its path. Appends to a file that is there.
class CsvWriter final : public SummaryWriter {
 public:
  explicit CsvWriter(const std::string& path);
  void flush() override { file_.flush(); }

 private:
  void scalar(const std::string& tag, double value, std::int64_t step, double time) override;
  void histogram(const std::string& tag, const Histogram& h, std::int64_t step, double time) override;
  void picture(const std::string& tag, const Tensor& image, std::int64_t step, double time) override;
  void row(const std::string& tag, const std::string& value, std::int64_t step, double time);
  detail::LogFile file_;
};

}  // namespace tenon::training
