// expect-error: nn/module.hpp:\d+:\d+: note: forward declaration of .*nn::Module
#include <tenon/nn/linear.hpp>
#include <tenon/nn/module.hpp>

using namespace tenon;

#ifdef FIXED
struct Net {
#else
struct Net : nn::Module {
#endif
  nn::Linear a{2, 3};
  TENON_FIELDS(a)
};
