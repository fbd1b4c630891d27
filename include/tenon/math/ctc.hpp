// Connectionist temporal classification: the recursions over the states of one example, in logarithms, on the host and
// on devices.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/base/host_device.hpp>

namespace tenon::math {

template <class T>
inline constexpr T kLogZero = -std::numeric_limits<T>::infinity();
template <class T>
TENON_HOST_DEVICE T log_sum(T a, T b, T c = kLogZero<T>) {
  T most = b < c ? c : b;
  if (!(a < most)) most = a;
  if (most == kLogZero<T>) most = 0;
  return std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most)) + most;
}

/// The labels of one example with blanks around each: 2 n + 1 states.
class CtcStates {
 public:
  TENON_HOST_DEVICE CtcStates(const std::int64_t* labels, std::int64_t n, std::int64_t blank)
      : labels_(labels), n_(n), blank_(blank) {}
  TENON_HOST_DEVICE std::int64_t count() const { return 2 * n_ + 1; }
  TENON_HOST_DEVICE std::int64_t operator[](std::int64_t s) const { return s % 2 == 0 ? blank_ : labels_[s / 2]; }
  /// Paths that are in state s, from those of a time before.
  template <class T>
  TENON_HOST_DEVICE T came_to(std::int64_t s, const T* before) const {
    return log_sum(before[s], s > 0 ? before[s - 1] : kLogZero<T>, skips_to(s) ? before[s - 2] : kLogZero<T>);
  }
  /// Paths that go on from state s, from those of a time after.
  template <class T>
  TENON_HOST_DEVICE T go_on_from(std::int64_t s, const T* after) const {
    return log_sum(after[s], s + 1 < count() ? after[s + 1] : kLogZero<T>,
                   skips_to(s + 2) ? after[s + 2] : kLogZero<T>);
  }
  /// The loss of an example of `time` times, the last of which has these paths.
  template <class T>
  TENON_HOST_DEVICE T loss(std::int64_t time, const T* last) const {
    if (time == 0) return count() == 1 ? T(0) : -kLogZero<T>;
    return -log_sum(last[count() - 1], count() > 1 ? last[count() - 2] : kLogZero<T>);
  }

 private:
  /// Whether a path may go from state s - 2 to s: past a blank between two labels that differ.
  TENON_HOST_DEVICE bool skips_to(std::int64_t s) const {
    return s >= 2 && s < count() && (*this)[s] != (*this)[s - 2];
  }
  const std::int64_t* labels_;
  std::int64_t n_, blank_;
};

/// The gradient by one class's logarithm p, PyTorch's: that behind a log_softmax. `through` are the paths through it.
template <class T>
TENON_HOST_DEVICE T ctc_slope(T p, T through, T loss, T grad) {
  return (std::exp(p) - std::exp(through + loss - p)) * grad;
}

}  // namespace tenon::math
