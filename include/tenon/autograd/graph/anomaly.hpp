// Anomaly mode: gradients that go wrong name the forward call they belong to.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include <tenon/autograd/node.hpp>

namespace tenon {

namespace autograd {

namespace detail {
/// Bit 0: on; bit 1: gradients are searched for NaN; negative: the environment was not asked yet.
TENON_THREAD_WORD(std::int8_t, anomaly, -1);
/// The thread's mode, asked of TENON_DETECT_ANOMALY the first time.
std::int8_t anomaly_mode();
/// Keeps with a node where it was made.
void note_forward(Node& node);
/// Throws AutogradError if something that the node gives is not a number.
void check_numbers(const Node& node, const Tensor* out);
/// `, arguments [2, 3], [3], results [2, 3]` as far as gradients know them, and where the forward call was if the node
/// was made in anomaly mode.
std::string forward_call(const Node& node);
}  // namespace detail

/// In its scope, on its thread: nodes keep the call site of their forward call, errors of the backward pass print it
/// with the operator's name and shapes, and with `check_nan` the first NaN that a node gives is such an error.
/// Elsewhere: TENON_DETECT_ANOMALY=1 in the environment (=2: without the search for NaN).
/// Cost: a walk of the stack per recorded call; for debugging only. Without Boost.Stacktrace at compile time the site
/// is missing.
class DetectAnomaly {
 public:
  explicit DetectAnomaly(bool on = true, bool check_nan = true) : before_(detail::anomaly_mode()) {
    detail::anomaly = static_cast<std::int8_t>(!on ? 0 : check_nan ? 3 : 1);
  }
  DetectAnomaly(const DetectAnomaly&) = delete;
  DetectAnomaly& operator=(const DetectAnomaly&) = delete;
  ~DetectAnomaly() { detail::anomaly = before_; }

 private:
  std::int8_t before_;
};

}  // namespace autograd
}  // namespace tenon
