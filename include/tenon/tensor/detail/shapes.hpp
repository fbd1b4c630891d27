// Shape functions, written once for plain and symbolic integers. A comparison of symbolic ones is a guard, so what
// holds for all values is asked first.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include <tenon/tensor/symbolic.hpp>

namespace tenon::detail {

template <class Int>
struct Shapes {
  using Ref = ArrayRef<Int>;
  using Dims = dims_t<Int>;

  /// -1 as a wish; a symbolic size is none.
  static bool is_minus_one(const std::int64_t& x) { return x == -1; }
  static bool is_minus_one(const SymInt& x) { return !x.is_symbolic() && x.as_int_unchecked() == -1; }
  /// A size as a factor of strides: a dimension of size 0 counts as 1.
  static std::int64_t factor(const std::int64_t& size) { return size > 1 ? size : 1; }
  static SymInt factor(const SymInt& size) { return size > 0 ? size : SymInt(1); }

  static Int count_elements(Ref sizes) {
    Int n = 1;
    for (const Int& s : sizes) n = n * s;
    return n;
  }

  static Dims contiguous_strides(Ref sizes) {
    Dims strides(sizes.size());
    if (sizes.empty()) return strides;
    Int step = 1;
    for (std::size_t d = sizes.size() - 1; d > 0; --d) {
      strides[d] = step;
      step = step * factor(sizes[d]);
    }
    strides[0] = step;
    return strides;
  }

  static Dims strides_for(Ref sizes, MemoryFormat format) {
    if (format == MemoryFormat::ChannelsLast || format == MemoryFormat::ChannelsLast3d) {
      std::size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
      TENON_CHECK(sizes.size() == rank, ValueError, "required rank ", rank, " tensor to use ", format, " format");
      Dims strides(rank);
      Int step = 1;
      auto set = [&](std::size_t d) {
        strides[d] = step;
        step = step * factor(sizes[d]);
      };
      set(1);
      for (std::size_t d = rank - 1; d >= 2; --d) set(d);
      strides[0] = step;
      return strides;
    }
    return contiguous_strides(sizes);
  }

  static bool is_channels_last_strides(Ref sizes, Ref strides, MemoryFormat format) {
    std::size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
    if (sizes.size() != rank || strides[1] == 0) return false;
    Int least = 0;
    auto check = [&](std::size_t d) {
      if (sizes[d] == 0 || strides[d] < least) return false;
      if (d == 0 && least == strides[1]) return false;
      least = strides[d];
      if (sizes[d] > 1) least = least * sizes[d];
      return true;
    };
    if (!check(1)) return false;
    for (std::size_t d = rank - 1; d >= 2; --d)
      if (!check(d)) return false;
    return check(0);
  }

  static Dims broadcast_shapes(Ref a, Ref b) {
    Dims out(a.size() < b.size() ? b : a);
    Ref small = a.size() < b.size() ? a : b;
    for (std::size_t i = 0; i < small.size(); ++i) {
      std::size_t d = out.size() - 1 - i;
      const Int &x = out[d], &y = small[small.size() - 1 - i];
      if (known_equal(x, y) || known_equal(y, Int(1))) continue;
      if (known_equal(x, Int(1)))
        out[d] = y;
      else if (!(x == y) && !(y == 1)) {
        if (x != 1) {
          const Int &first = a[a.size() - 1 - i], &second = b[b.size() - 1 - i];
          fail<ValueError>("The size of tensor a (", first, ") must match the size of tensor b (", second,
                           ") at non-singleton dimension ", d);
        }
        out[d] = y;
      }
    }
    return out;
  }

  static std::optional<Dims> view_strides(Ref sizes, Ref strides, Ref shape) {
    // What a symbolic tensor is for all values needs no guards; for plain ones the way below is as short.
    if constexpr (std::is_same_v<Int, SymInt>)
      if (Dims row_major = contiguous_strides(sizes); known_equal(Ref(row_major), strides))
        return contiguous_strides(shape);
    if (count_elements(sizes) == 0) {
      if (sizes == shape) return Dims(strides);
      return contiguous_strides(shape);
    }
    Dims out(shape.size());
    auto view = static_cast<std::int64_t>(shape.size()) - 1;
    Int base = sizes.empty() ? Int(1) : strides.back(), tensor_count = 1, view_count = 1;
    if (sizes.empty()) {
      for (auto& s : out) s = 1;
      return out;
    }
    for (auto d = static_cast<std::int64_t>(sizes.size()) - 1; d >= 0; --d) {
      tensor_count = tensor_count * sizes[d];
      // The end of a run of dimensions that lie in one contiguous piece.
      if (d == 0 || (!known_equal(strides[d - 1], Int(tensor_count * base)) && sizes[d - 1] != 1 &&
                     strides[d - 1] != tensor_count * base)) {
        while (view >= 0 && (view_count < tensor_count || shape[view] == 1)) {
          out[view] = view_count * base;
          view_count = view_count * shape[view];
          --view;
        }
        if (view_count != tensor_count) return std::nullopt;
        if (d > 0) {
          base = strides[d - 1];
          tensor_count = view_count = 1;
        }
      }
    }
    if (view != -1) return std::nullopt;
    return out;
  }

  static Dims infer_size(Ref shape, const Int& numel) {
    Dims out(shape);
    Int known = 1;
    std::optional<std::size_t> unknown;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (is_minus_one(shape[d])) {
        TENON_CHECK(!unknown, ValueError, "only one dimension can be inferred");
        unknown = d;
      } else {
        TENON_CHECK(shape[d] >= 0, ValueError, "invalid shape dimension ", shape[d]);
        known = known * shape[d];
      }
    }
    if (unknown ? known > 0 && numel % known == 0 : known == numel) {
      if (unknown) out[*unknown] = numel / known;
      return out;
    }
    TENON_CHECK(!unknown || known != numel, ValueError, "cannot reshape tensor of 0 elements into shape ", shape,
                " because the unspecified dimension size -1 can be any value and is ambiguous");
    fail<ValueError>("shape '", shape, "' is invalid for input of size ", numel);
  }
};

}  // namespace tenon::detail
