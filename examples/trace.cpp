// Shows which dispatcher calls make a tensor from a number, and which kind of kernel answered each.
#include <cstdio>

#include <tenon/tenon.hpp>

int main() {
  using namespace tenon;
  {
    DispatchTraceGuard trace([](const TraceEvent& e, void*) {
      if (e.kind == TraceKind::Kernel)
        std::printf("callUnboxedKernelFunction with %.*s\n", static_cast<int>(e.path.size()), e.path.data());
      else
        std::printf("%s op=[%s], key=[%s]\n", std::string(to_string(e.kind)).c_str(), std::string(e.op).c_str(),
                    std::string(to_string(e.key)).c_str());
    });
    tensor({1});
  }
}

// Prints:
// [call] op=[aten::empty.memory_format], key=[BackendSelect]
// callUnboxedKernelFunction with sym
// [redispatch] op=[aten::empty.memory_format], key=[CPU]
// callUnboxedKernelFunction with sym
// [call] op=[aten::to.device], key=[CPU]
// callUnboxedKernelFunction with unboxed
// [call] op=[aten::lift_fresh], key=[CPU]
// callUnboxedKernelFunction with unboxed
// [call] op=[aten::detach_], key=[AutogradCPU]
// callUnboxedKernelFunction with unboxed
