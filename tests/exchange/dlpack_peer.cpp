// A library that Python loads: takes a DLPack structure into a tensor and hands the tensor out again.
#include <string>

#include <tenon/io/dlpack.hpp>

using namespace tenon;

namespace {
std::string problem;  // NOLINT: the caller has one thread
template <class M, class Out>
M* through(M* from, Out out) {
  try {
    return out(from_dlpack(from));
  } catch (const Error& e) {
    problem = e.what();
    return nullptr;
  }
}
}  // namespace

extern "C" {
[[gnu::visibility("default")]] const char* peer_problem() { return problem.c_str(); }
[[gnu::visibility("default")]] DLManagedTensor* peer_old(DLManagedTensor* m) {
  return through(m, [](const Tensor& t) { return to_dlpack(t); });
}
[[gnu::visibility("default")]] DLManagedTensorVersioned* peer_versioned(DLManagedTensorVersioned* m) {
  return through(m, [](const Tensor& t) { return to_dlpack_versioned(t); });
}
}
