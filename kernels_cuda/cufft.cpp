// Fourier transforms by cuFFT.
#include <cufft.h>

#include <list>
#include <mutex>
#include <tuple>

#include <tenon/base/error.hpp>
#include <tenon/cuda/libraries.hpp>

#include "captures.hpp"
#include "workspace.hpp"

namespace tenon::cuda {
namespace {

void check(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS) fail<Error>(what, ": cuFFT error ", static_cast<int>(status));
}

/// How a device transforms so many lines of so many points; making it takes longer than using it.
struct Plan {
  std::tuple<int, ScalarType, std::int64_t, std::int64_t> of;
  cufftHandle handle = 0;
  std::size_t bytes = 0;  ///< of memory while it runs
};
constexpr std::size_t kMostPlans = 32;

/// The plans that were used last, the latest in front.
std::list<Plan>& plans() {
  static auto* all = new std::list<Plan>;
  return *all;
}
Plan& plan_for(const LibraryTransform& c, cufftType type) {
  std::tuple of{static_cast<int>(runtime::current_device()), c.dtype, c.n, c.lines};
  for (auto at = plans().begin(); at != plans().end(); ++at)
    if (at->of == of) {
      plans().splice(plans().begin(), plans(), at);
      return plans().front();
    }
  MayTakeMemory allowed;
  if (plans().size() == kMostPlans) {
    check(cufftDestroy(plans().back().handle), "cufftDestroy");
    plans().pop_back();
  }
  Plan plan{of};
  check(cufftCreate(&plan.handle), "cufftCreate");
  long long size = c.n;
  cufftResult made = cufftSetAutoAllocation(plan.handle, 0);
  if (made == CUFFT_SUCCESS)
    made = cufftMakePlanMany64(plan.handle, 1, &size, nullptr, 1, size, nullptr, 1, size, type, c.lines, &plan.bytes);
  if (made != CUFFT_SUCCESS) {
    cufftDestroy(plan.handle);
    check(made, "cufftMakePlanMany64");
  }
  plans().push_front(plan);
  return plans().front();
}

bool transform(const LibraryTransform& c, void* stream) {
  bool wide = c.dtype == kComplexDouble;
  if (!wide && c.dtype != kComplexFloat) return false;
  // A plan has one stream and one memory at a time.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Plan& plan = plan_for(c, wide ? CUFFT_Z2Z : CUFFT_C2C);
  Workspace memory(plan.bytes);
  check(cufftSetStream(plan.handle, static_cast<cudaStream_t>(stream)), "cufftSetStream");
  check(cufftSetWorkArea(plan.handle, memory.data), "cufftSetWorkArea");
  int turns = c.backward ? CUFFT_INVERSE : CUFFT_FORWARD;
  if (wide)
    check(cufftExecZ2Z(plan.handle, static_cast<cufftDoubleComplex*>(c.in), static_cast<cufftDoubleComplex*>(c.out),
                       turns),
          "cufftExecZ2Z");
  else
    check(cufftExecC2C(plan.handle, static_cast<cufftComplex*>(c.in), static_cast<cufftComplex*>(c.out), turns),
          "cufftExecC2C");
  return true;
}

struct Install {
  Install() { libraries().transform = &transform; }
};
const Install install;

}  // namespace
}  // namespace tenon::cuda
