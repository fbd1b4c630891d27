// Layers say when they are called and what they return, to whoever watches: summary() does.
#pragma once
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <tenon/base/shared_object.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

namespace detail {

/// A layer by its address and type: an empty one may stand where another begins.
struct CalledLayer {
  const void* at;
  const std::type_info* type;
  friend bool operator==(const CalledLayer& a, const CalledLayer& b) { return a.at == b.at && *a.type == *b.type; }
};
/// Is told on its thread of the calls of layers, which nest.
struct CallWatch {
  void (*begin)(CallWatch& self, const CalledLayer& layer);
  void (*end)(CallWatch& self, const CalledLayer& layer, const Tensor* first_result);
};
TENON_THREAD_WORD(CallWatch*, call_watch, nullptr);

/// The first tensor of a result, null where there is none.
template <class R>
const Tensor* first_tensor(const R& result) {
  if constexpr (std::is_base_of_v<Tensor, R>)
    return &result;
  else if constexpr (requires { first_tensor(result.output); })
    return first_tensor(result.output);
  else if constexpr (requires { first_tensor(result.data); })
    return first_tensor(result.data);
  else if constexpr (requires { first_tensor(std::get<0>(result)); })
    return first_tensor(std::get<0>(result));
  else
    return nullptr;
}

}  // namespace detail

/// The call of a layer, for its call operator: `return nn::Calling(this)(ops::relu(linear(x)));` All layers here do so;
/// one of yours that does has its own line of results in a summary(). Costs the reading of one word.
class Calling {
 public:
  template <class Layer>
  explicit Calling(const Layer* layer) : layer_{layer, &typeid(Layer)} {
    if (detail::call_watch) [[unlikely]]
      detail::call_watch->begin(*detail::call_watch, layer_);
  }
  Tensor operator()(Tensor result) const {
    end(&result);
    return result;
  }
  template <class R>
  R operator()(R result) const {
    end(detail::first_tensor(result));
    return result;
  }

 private:
  void end(const Tensor* result) const {
    if (detail::call_watch) [[unlikely]]
      detail::call_watch->end(*detail::call_watch, layer_, result);
  }
  detail::CalledLayer layer_;
};

}  // namespace tenon::nn
