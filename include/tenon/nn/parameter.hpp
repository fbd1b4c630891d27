// What layers are described by, and the tensors that they hold.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/base/array_ref.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

namespace detail {
/// What operators take for a tensor that may be missing.
inline std::optional<Tensor> if_defined(const Tensor& t) {
  return t.defined() ? std::optional<Tensor>(t) : std::nullopt;
}
}  // namespace detail

/// A tensor that training changes; also the option of that name that leaves it out: `Linear{64, 10, .bias = false}`.
class Parameter : public Tensor {
 public:
  Parameter(bool wanted = true) : wanted_(wanted) {}
  Parameter(Tensor t) : Tensor(std::move(t)) {}
  /// Whether the layer has it: false for an option that leaves it out.
  bool wanted() const { return wanted_; }

 private:
  bool wanted_ = true;
};

/// Options of a Buffer.
struct BufferOptions {
  bool persistent = true;
};

/// A tensor that belongs to a module and that no optimiser changes: running statistics. One that is not persistent is
/// converted, moved and cloned with the module and is among named_buffers(), but is not in its state(): what is
/// computed rather than learned. `Buffer cos = {table(), {.persistent = false}}`. A tensor that is assigned leaves that
/// as it was. Source: torch.nn.Buffer and Module.register_buffer of PyTorch 2.15.
class Buffer : public Tensor {
 public:
  Buffer() = default;
  Buffer(Tensor t) : Tensor(std::move(t)) {}
  Buffer(Tensor t, BufferOptions options) : Tensor(std::move(t)), persistent_(options.persistent) {}
  template <class T>
    requires(std::is_convertible_v<T&&, Tensor> && !std::is_base_of_v<Buffer, std::remove_cvref_t<T>>)
  Buffer& operator=(T&& t) {
    Tensor::operator=(std::forward<T>(t));
    return *this;
  }
  bool persistent() const { return persistent_; }
  std::optional<Tensor> if_defined() const { return detail::if_defined(*this); }

 private:
  bool persistent_ = true;
};

/// An integer option that must be given.
class Count {
 public:
  constexpr Count(std::int64_t value) : value_(value) {}
  constexpr operator std::int64_t() const { return value_; }

 private:
  std::int64_t value_;
};

namespace detail {
[[noreturn]] void wrong_number_of_sizes(std::size_t expected, std::size_t got);
}

/// One integer for each of N dimensions; a single one stands for all. Throws ValueError for another number of them.
template <std::size_t Rank>
class Sizes {
 public:
  constexpr Sizes(std::int64_t all) { values_.fill(all); }
  // No std::initializer_list: GCC 12 would take `{.padding = 1}` for one.
  template <std::integral... Each>
    requires(sizeof...(Each) > 1)
  Sizes(Each... each) : Sizes(IntArrayRef({static_cast<std::int64_t>(each)...})) {}
  explicit Sizes(IntArrayRef each) {
    if (each.size() == 1)
      values_.fill(each[0]);
    else if (each.size() != Rank)
      detail::wrong_number_of_sizes(Rank, each.size());
    else
      for (std::size_t i = 0; i < Rank; ++i) values_[i] = each[i];
  }
  constexpr std::int64_t operator[](std::size_t i) const { return values_[i]; }
  operator IntArrayRef() const { return {values_.data(), Rank}; }
  bool operator==(const Sizes&) const = default;

 private:
  std::array<std::int64_t, Rank> values_{};
};

/// Sizes that may be left out.
template <std::size_t Rank>
class OptionalSizes {
 public:
  OptionalSizes() = default;
  OptionalSizes(std::int64_t all) : sizes_(all), given_(true) {}
  template <std::integral... Each>
    requires(sizeof...(Each) > 1)
  OptionalSizes(Each... each) : sizes_(each...), given_(true) {}
  OptionalSizes(const Sizes<Rank>& sizes) : sizes_(sizes), given_(true) {}
  bool given() const { return given_; }
  const Sizes<Rank>& value_or(const Sizes<Rank>& other) const { return given_ ? sizes_ : other; }

 private:
  Sizes<Rank> sizes_ = 0;
  bool given_ = false;
};

/// Words of a layer's description as PyTorch prints them: `kernel_size=(3, 3), stride=(1, 1)`.
class Description {
 public:
  Description& value(std::string_view text);
  Description& value(double x);
  Description& value(std::int64_t n);
  Description& add(std::string_view name, std::string_view text);
  Description& add(std::string_view name, const char* words) { return add(name, std::string_view(words)); }
  template <class B>
  requires std::is_same_v<B, bool> Description& add(std::string_view name, B on) {
    return add(name, std::string_view(on ? "True" : "False"));
  }
  Description& add(std::string_view name, std::int64_t n);
  Description& add(std::string_view name, double x);
  Description& add_or_none(std::string_view name, const std::optional<std::int64_t>& n);
  Description& add(std::string_view name, IntArrayRef sizes);
  /// A word that is printed only where it is on.
  Description& add_if(std::string_view name, bool on) { return on ? add(name, true) : *this; }
  /// Sizes that are all the same as one number.
  Description& add_short(std::string_view name, IntArrayRef sizes);
  /// Integers as Python writes a tuple: `(3,)`, `(3, 5)`.
  static std::string tuple(IntArrayRef sizes);
  std::string text;
};

}  // namespace tenon::nn
