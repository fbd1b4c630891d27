// An object that is held or only referred to, known when the program runs.
#pragma once
#include <concepts>
#include <new>
#include <type_traits>
#include <utility>

namespace tenon {

/// Owns a T, or refers to one that lives longer: what a function returns that gives back either its argument or
/// something new, without a copy of the first. `MaybeOwned<Tensor>::borrowed(x)`,
/// `MaybeOwned<Tensor>::owned(x.contiguous())`. A copy of a borrowed one borrows too; what is borrowed must outlive all
/// of them.
template <class T>
class MaybeOwned {
 public:
  /// Borrows nothing yet; may be assigned and destroyed, no more.
  MaybeOwned() noexcept : borrowed_(nullptr), owns_(false) {}
  static MaybeOwned borrowed(const T& object) noexcept {
    MaybeOwned out;
    out.borrowed_ = &object;
    return out;
  }
  static MaybeOwned borrowed(const T&&) = delete;
  static MaybeOwned owned(T&& object) { return MaybeOwned(std::in_place, std::move(object)); }
  static MaybeOwned owned(const T& object) { return MaybeOwned(std::in_place, object); }
  template <class... Args>
    requires std::constructible_from<T, Args...>
  static MaybeOwned owned(std::in_place_t, Args&&... args) {
    return MaybeOwned(std::in_place, std::forward<Args>(args)...);
  }

  MaybeOwned(const MaybeOwned& o) requires std::copy_constructible<T> : borrowed_(o.owns_ ? nullptr : o.borrowed_),
                                                                        owns_(false) {
    if (o.owns_) own(o.owned_);
  }
  MaybeOwned(MaybeOwned&& o) noexcept(std::is_nothrow_move_constructible_v<T>)
      : borrowed_(o.owns_ ? nullptr : o.borrowed_), owns_(false) {
    if (o.owns_) own(std::move(o.owned_));
  }
  MaybeOwned& operator=(const MaybeOwned& o) requires std::copy_constructible<T> {
    MaybeOwned copy(o);
    return *this = std::move(copy);
  }
  MaybeOwned& operator=(MaybeOwned&& o) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &o) return *this;
    end();
    borrowed_ = o.owns_ ? nullptr : o.borrowed_;
    if (o.owns_) own(std::move(o.owned_));
    return *this;
  }
  ~MaybeOwned() { end(); }

  bool is_owned() const noexcept { return owns_; }
  const T& operator*() const& noexcept { return owns_ ? owned_ : *borrowed_; }
  /// Of one that goes: the object moved out of it, or a copy of what it refers to.
  T operator*() && { return owns_ ? T(std::move(owned_)) : T(*borrowed_); }
  const T* operator->() const noexcept { return owns_ ? &owned_ : borrowed_; }

 private:
  template <class... Args>
  explicit MaybeOwned(std::in_place_t, Args&&... args) : borrowed_(nullptr), owns_(false) {
    own(std::forward<Args>(args)...);
  }
  template <class... Args>
  void own(Args&&... args) {
    ::new (static_cast<void*>(&owned_)) T(std::forward<Args>(args)...);
    owns_ = true;
  }
  void end() noexcept {
    if (owns_) owned_.~T();
    owns_ = false;
    borrowed_ = nullptr;
  }

  const T* borrowed_;
  union {
    T owned_;
  };
  bool owns_;
};

}  // namespace tenon
