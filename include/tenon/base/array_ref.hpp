// A view of a contiguous list that somebody else owns.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <vector>

namespace tenon {

/// Whether a list of int64_t can be read as a list of T: `T::read_ints(data, size)` does, and refuses what is no T.
template <class T>
inline constexpr bool reads_as_int64_v = false;

/// A pointer and a length; two words, passed by value. The elements must outlive it.
template <class T>
class ArrayRef {
 public:
  using value_type = T;
  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T* data, std::size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  // By the constructor above: GCC warns of a member that is made of begin(), also where a precompiled header has lost
  // what was switched off.
  constexpr ArrayRef(std::initializer_list<T> list) : ArrayRef(list.begin(), list.size()) {}
  template <std::size_t Size>
  constexpr ArrayRef(const T (&array)[Size]) : data_(array), size_(Size) {}
  /// Any list with `data()` and `size()` of the same element type.
  template <class List>
    requires(!std::is_same_v<std::remove_cvref_t<List>, ArrayRef> && requires(const List& l) {
      { l.data() } -> std::convertible_to<const T*>;
      { l.size() } -> std::convertible_to<std::size_t>;
    })
  constexpr ArrayRef(const List& list) : data_(list.data()), size_(list.size()) {}

  /// Plain integers as a list of symbolic ones.
  ArrayRef(const std::int64_t& one) requires(reads_as_int64_v<T>) : data_(T::read_ints(&one, 1)), size_(1) {}
  ArrayRef(std::initializer_list<std::int64_t> list) requires(reads_as_int64_v<T>)
      : data_(T::read_ints(list.begin(), list.size())), size_(list.size()) {}
  template <class List>
    requires(reads_as_int64_v<T>&& requires(const List& l) {
      { l.data() } -> std::convertible_to<const std::int64_t*>;
    })
  ArrayRef(const List& list) : data_(T::read_ints(list.data(), list.size())), size_(list.size()) {}

  constexpr const T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T& operator[](std::size_t i) const { return data_[i]; }
  template <std::signed_integral At>  // dimensions are counted in int64_t
  constexpr const T& operator[](At i) const {
    return data_[static_cast<std::size_t>(i)];
  }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr ArrayRef slice(std::size_t first, std::size_t count) const { return {data_ + first, count}; }
  std::vector<T> vec() const { return {begin(), end()}; }

  friend constexpr bool operator==(ArrayRef a, ArrayRef b) { return same_here(a, b); }
  /// The same without a call, for shapes that every call of an operator compares.
  [[gnu::always_inline]] friend constexpr bool same_here(ArrayRef a, ArrayRef b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

using IntArrayRef = ArrayRef<std::int64_t>;

}  // namespace tenon
