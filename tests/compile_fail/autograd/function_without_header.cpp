// expect-error: autograd/engine.hpp:\d+:\d+: note: (declaration of|template is declared here)
#include <tenon/autograd/engine.hpp>
#ifdef FIXED
#include <tenon/autograd/graph/function.hpp>
#endif

struct Exp : tenon::autograd::Function<Exp> {};
