// How the elements of a quantized tensor stand for real numbers.
#pragma once
#include <tenon/boxing/value_text.hpp>

namespace tenon {

/// Schema types `Quantizer` and `ConstQuantizerPtr` take it. Immutable.
class Quantizer : public RefCounted {
 public:
  static constexpr ValueKind value_kind = ValueKind::Quantizer;
  static std::string schema_words() { return "Quantizer"; }

  explicit Quantizer(ScalarType dtype) : dtype_(dtype) {}
  /// Of the elements: qint8, quint8 or qint32.
  ScalarType dtype() const { return dtype_; }
  virtual QScheme qscheme() const = 0;
  virtual bool equals(const Quantizer& other) const = 0;
  virtual std::string str() const = 0;

 private:
  ScalarType dtype_;
};

/// real = (element - zero_point) * scale.
class PerTensorAffineQuantizer final : public Quantizer {
 public:
  PerTensorAffineQuantizer(double scale, std::int64_t zero_point, ScalarType dtype)
      : Quantizer(dtype), scale_(scale), zero_point_(zero_point) {}
  double scale() const { return scale_; }
  std::int64_t zero_point() const { return zero_point_; }
  QScheme qscheme() const override { return QScheme::PerTensorAffine; }
  bool equals(const Quantizer& other) const override {
    auto* same = dynamic_cast<const PerTensorAffineQuantizer*>(&other);
    return same && same->dtype() == dtype() && same->scale_ == scale_ && same->zero_point_ == zero_point_;
  }
  std::string str() const override {
    return concat(qscheme(), '(', dtype(), ", scale=", Value(scale_), ", zero_point=", zero_point_, ')');
  }

 private:
  double scale_;
  std::int64_t zero_point_;
};

/// The same with a scale and a zero point for each index of dimension `axis`, in tensors of one dimension.
class PerChannelAffineQuantizer final : public Quantizer {
 public:
  /// Throws ValueError if they are no two vectors of one length, or the axis is negative.
  PerChannelAffineQuantizer(Tensor scales, Tensor zero_points, std::int64_t axis, ScalarType dtype)
      : Quantizer(dtype), scales_(std::move(scales)), zero_points_(std::move(zero_points)), axis_(axis) {
    TENON_CHECK(scales_.dim() == 1 && zero_points_.dim() == 1 && scales_.numel() == zero_points_.numel() && axis >= 0,
                ValueError,
                "PerChannelAffineQuantizer: expected scales and zero points of shape [n] and an axis, got shapes ",
                scales_.sizes(), " and ", zero_points_.sizes(), " and axis ", axis);
  }
  const Tensor& scales() const { return scales_; }
  const Tensor& zero_points() const { return zero_points_; }
  std::int64_t axis() const { return axis_; }
  QScheme qscheme() const override { return QScheme::PerChannelAffine; }
  /// The same tensors, not ones with the same numbers.
  bool equals(const Quantizer& other) const override {
    auto* same = dynamic_cast<const PerChannelAffineQuantizer*>(&other);
    return same && same->dtype() == dtype() && same->axis_ == axis_ && same->scales_.is_same(scales_) &&
           same->zero_points_.is_same(zero_points_);
  }
  std::string str() const override {
    return concat(qscheme(), '(', dtype(), ", ", scales_.numel(), " channels, axis=", axis_, ')');
  }

 private:
  Tensor scales_, zero_points_;
  std::int64_t axis_;
};

}  // namespace tenon
