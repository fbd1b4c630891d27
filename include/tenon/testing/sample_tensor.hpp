// The numbers of the tensors that operators are called with.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/tensor/create.hpp>

namespace tenon::testing::detail {

struct SampleTensor {
  DimVector sizes;
  ScalarType dtype = kFloat;
  bool places = false, huge = false;
};

/// Numbers without a pattern that an operator could have, away from zero; small whole ones for integers and places.
inline Tensor sample_tensor(const SampleTensor& like, std::uint64_t seed) {
  Tensor t = make_tensor(like.sizes, {}, like.dtype);
  visit_element_type(like.dtype, [&]<class T>(type_tag<T>) {
    T* data = static_cast<T*>(t.data_ptr());
    for (std::int64_t i = 0; i < t.numel(); ++i) {
      std::uint64_t bits = (static_cast<std::uint64_t>(i) + seed * 977 + 1) * 0x9e3779b97f4a7c15u;
      double unit = static_cast<double>(bits >> 11) * 0x1p-53, number = 0.25 + 0.7 * unit;
      if constexpr (std::is_same_v<T, bool>)
        data[i] = bits >> 63 != 0;
      else if constexpr (std::is_integral_v<T>)
        data[i] = like.places  ? static_cast<T>(bits >> 63)
                  : !like.huge ? static_cast<T>(1 + (bits >> 62))
                  : i % 2      ? std::numeric_limits<T>::max()
                               : std::numeric_limits<T>::min();
      else if constexpr (requires { T{}.re; })
        data[i] = T(static_cast<float>(number), static_cast<float>(0.5 - unit));
      else if (like.huge) {
        constexpr double inf = std::numeric_limits<double>::infinity();
        constexpr double greatest = sizeof(T) == 8 ? 1.7e308 : sizeof(T) == 4 ? 3.4e38 : 6e4;
        constexpr double odd[] = {greatest, -greatest, inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1e-40, -0.};
        data[i] = static_cast<T>(static_cast<float>(number));
        if constexpr (std::is_same_v<T, double>)
          data[i] = odd[(bits >> 33) % 7];
        else
          data[i] = T(static_cast<float>(odd[(bits >> 33) % 7]));
      } else if constexpr (std::is_same_v<T, double>)
        data[i] = number;
      else
        data[i] = T(static_cast<float>(number));
    }
  });
  return t;
}

}  // namespace tenon::testing::detail
