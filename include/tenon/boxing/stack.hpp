// The stack of boxed calls: arguments before, results after.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <vector>

#include <tenon/boxing/value.hpp>

namespace tenon {

namespace detail {
template <class It>
concept steps_at_once = requires(It at) {
  *at;
  at - at;
};
}  // namespace detail

/// A vector of boxed values, with std::vector's interface, that needs no memory of its own up to `kInline` of them:
/// most operators have fewer arguments. Whatever invalidates a vector's iterators invalidates these, and so does
/// moving.
class Stack {
 public:
  using value_type = Value;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Value&;
  using const_reference = const Value&;
  using iterator = Value*;
  using const_iterator = const Value*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  static constexpr std::size_t kInline = 8;

  Stack() noexcept : data_(in_place()) {}
  explicit Stack(std::size_t n) : Stack() { resize(n); }
  Stack(std::initializer_list<Value> items) : Stack(items.begin(), items.end()) {}
  template <detail::steps_at_once It>
  Stack(It first, It last) : Stack() {
    insert(end(), first, last);
  }
  /// Of the items of a list or a tuple.
  Stack(const std::vector<Value>& items) : Stack(items.begin(), items.end()) {}
  Stack(const Stack& other) : Stack(other.begin(), other.end()) {}
  Stack(Stack&& other) noexcept : Stack() { take(other); }
  Stack& operator=(const Stack& other) {
    if (this != &other) *this = Stack(other);
    return *this;
  }
  Stack& operator=(Stack&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~Stack() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return room_; }
  Value* data() { return data_; }
  const Value* data() const { return data_; }
  Value* begin() { return data_; }
  Value* end() { return data_ + size_; }
  const Value* begin() const { return data_; }
  const Value* end() const { return data_ + size_; }
  const Value* cbegin() const { return data_; }
  const Value* cend() const { return data_ + size_; }
  // Templates, so that who does not go backwards does not pay for the iterators.
  template <class It = reverse_iterator>
  It rbegin() {
    return It(end());
  }
  template <class It = reverse_iterator>
  It rend() {
    return It(data_);
  }
  template <class It = const_reverse_iterator>
  It rbegin() const {
    return It(end());
  }
  template <class It = const_reverse_iterator>
  It rend() const {
    return It(data_);
  }
  Value& operator[](std::size_t i) { return data_[i]; }
  const Value& operator[](std::size_t i) const { return data_[i]; }
  /// Throws IndexError.
  Value& at(std::size_t i) {
    check(i);
    return data_[i];
  }
  const Value& at(std::size_t i) const {
    check(i);
    return data_[i];
  }
  Value& front() { return *data_; }
  Value& back() { return data_[size_ - 1]; }
  const Value& front() const { return *data_; }
  const Value& back() const { return data_[size_ - 1]; }

  void reserve(std::size_t n) {
    if (n > room_) grow(n);
  }
  template <class... A>
  Value& emplace_back(A&&... args) {
    if (size_ == room_) [[unlikely]] {
      Value made(static_cast<A&&>(args)...);  // before what the arguments may refer to moves
      grow(size_ + 1);
      return *::new (static_cast<void*>(data_ + size_++)) Value(std::move(made));
    }
    Value* made = ::new (static_cast<void*>(data_ + size_)) Value(static_cast<A&&>(args)...);
    ++size_;
    return *made;
  }
  void push_back(const Value& value) { emplace_back(value); }
  void push_back(Value&& value) { emplace_back(std::move(value)); }
  void pop_back() { data_[--size_].~Value(); }
  void clear() { drop_to(0); }
  /// New values are None.
  void resize(std::size_t n) {
    if (n < size_) return drop_to(n);
    reserve(n);
    while (size_ < n) ::new (static_cast<void*>(data_ + size_++)) Value();
  }
  Value* erase(const Value* at) { return erase(at, at + 1); }
  Value* erase(const Value* first, const Value* last);
  Value* insert(const Value* at, Value value) { return insert(at, &value, &value + 1); }
  /// The items lie elsewhere.
  template <detail::steps_at_once It>
  Value* insert(const Value* at, It first, It last) {
    const std::size_t n = static_cast<std::size_t>(last - first);
    Value* to = open(static_cast<std::size_t>(at - data_), n);
    for (Value* next = to; first != last; ++first, ++next) *next = *first;
    return to;
  }
  template <detail::steps_at_once It>
  void assign(It first, It last) {
    *this = Stack(first, last);
  }
  void assign(std::size_t n, const Value& value) {
    Stack filled;
    filled.reserve(n);
    while (filled.size_ < n) filled.push_back(value);
    *this = std::move(filled);
  }
  void swap(Stack& other) noexcept { std::swap(*this, other); }

 private:
  Value* in_place() { return reinterpret_cast<Value*>(memory_); }
  void check(std::size_t i) const {
    if (i >= size_) [[unlikely]]
      no_such_place(i);
  }
  [[noreturn, gnu::cold]] void no_such_place(std::size_t i) const;
  void drop_to(std::size_t n) {
    while (size_ != n) data_[--size_].~Value();
  }
  void release() {
    clear();
    if (data_ != in_place()) free_memory();
  }
  void free_memory();
  /// Makes room for `n` values and more.
  void grow(std::size_t n);
  /// Moves what lies behind the place by `n`; there are None.
  Value* open(std::size_t at, std::size_t n);
  /// What the other holds; this one holds nothing and has no memory of its own.
  void take(Stack& other) noexcept;

  Value* data_;
  std::size_t size_ = 0, room_ = kInline;
  alignas(Value) unsigned char memory_[kInline * sizeof(Value)];
};

}  // namespace tenon
