// expect-error: a module with extra_state\(\) is loaded by its `void set_extra_state\(const Tensor&\)`
#include <tenon/nn/state.hpp>

using namespace tenon;

struct Counting {
  Tensor weight;
  Tensor extra_state() const { return Tensor(); }
#ifdef FIXED
  void set_extra_state(const Tensor&) {}
#endif
};

void f(Counting& net) { nn::load_state(net, nn::state(net)); }
