// A small vector of numbers that lives in place up to a fixed count: shapes, strides, indices.
#pragma once
#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#include <tenon/base/array_ref.hpp>

namespace tenon {

/// A vector of trivially copyable elements that allocates only above `Size` of them.
template <class T, unsigned Size>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>, "tenon: a SmallVector moves its elements as bytes");

 public:
  using value_type = T;
  SmallVector() = default;
  explicit SmallVector(std::size_t count, T value = T{}) { resize(count, value); }
  SmallVector(std::initializer_list<T> list) { assign(list.begin(), list.size()); }
  SmallVector(ArrayRef<T> list) { assign(list.data(), list.size()); }
  template <class It>
    requires(!std::is_arithmetic_v<It>)
  SmallVector(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  SmallVector(const SmallVector& other) { assign(other.data(), other.size()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.data(), other.size());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  SmallVector& operator=(ArrayRef<T> list) {
    assign(list.data(), list.size());
    return *this;
  }
  ~SmallVector() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  template <std::signed_integral At>
  T& operator[](At i) {
    return data_[static_cast<std::size_t>(i)];
  }
  template <std::signed_integral At>
  const T& operator[](At i) const {
    return data_[static_cast<std::size_t>(i)];
  }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  T& front() { return data_[0]; }

  void clear() { size_ = 0; }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    std::size_t wanted = count > 2 * std::size_t{capacity_} ? count : 2 * std::size_t{capacity_};
    T* fresh = new T[wanted];
    move(data_, size_, fresh);
    if (data_ != inline_) delete[] data_;
    data_ = fresh;
    capacity_ = static_cast<std::uint32_t>(wanted);
  }
  void resize(std::size_t count, T value = T{}) {
    reserve(count);
    for (std::size_t i = size_; i < count; ++i) data_[i] = value;
    size_ = static_cast<std::uint32_t>(count);
  }
  void push_back(T value) {
    reserve(size_ + 1);
    data_[size_++] = value;
  }
  void pop_back() { --size_; }
  void insert(std::size_t at, T value) {
    push_back(value);
    move(data_ + at, size_ - 1 - at, data_ + at + 1);
    data_[at] = value;
  }
  void erase(std::size_t at) {
    move(data_ + at + 1, size_ - at - 1, data_ + at);
    --size_;
  }
  /// The list may be a part of this vector.
  void assign(const T* list, std::size_t count) {
    if (count > capacity_) [[unlikely]]
      return assign_more(list, count);
    // In order, since a part of this vector lies behind its begin; a call costs more than to copy a few.
    for (std::size_t i = 0; i < count; ++i) data_[i] = list[i];
    size_ = static_cast<std::uint32_t>(count);
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) { return ArrayRef<T>(a) == ArrayRef<T>(b); }

 private:
  [[gnu::noinline]] void assign_more(const T* list, std::size_t count) {
    SmallVector copy;
    copy.reserve(count);
    move(list, count, copy.data_);
    copy.size_ = static_cast<std::uint32_t>(count);
    *this = std::move(copy);
  }
  static void move(const T* from, std::size_t count, T* to) {
    if (count) std::memmove(static_cast<void*>(to), from, count * sizeof(T));  // NOLINT(bugprone-sizeof-expression)
  }
  void release() {
    if (data_ != inline_) delete[] data_;
    data_ = inline_;
    capacity_ = Size;
    size_ = 0;
  }
  void take(SmallVector& other) noexcept {
    if (other.data_ == other.inline_) {
      size_ = other.size_;
      move(other.data_, other.size_, inline_);
    } else {
      data_ = other.data_;
      size_ = other.size_;
      capacity_ = other.capacity_;
      other.data_ = other.inline_;
      other.capacity_ = Size;
    }
    other.size_ = 0;
  }

  T* data_ = inline_;
  std::uint32_t size_ = 0, capacity_ = Size;
  T inline_[Size];
};

/// Sizes or strides; five dimensions without allocation.
using DimVector = SmallVector<std::int64_t, 5>;

}  // namespace tenon
