// From a word to the kind of type it names.
#pragma once
#include <tenon/schema/detail/text.hpp>
#include <tenon/schema/type.hpp>

namespace tenon::schema::detail {

struct TypeWord {
  bool known = false;
  Kind kind = Kind::None_;
};

// As schemas spell it; `None` is also written as it is printed, `NoneType`.
template <Kind Key>
inline constexpr std::string_view type_word = kind_word(Key);
template <>
inline constexpr std::string_view type_word<Kind::None_> = "None";
template <>
inline constexpr std::string_view type_word<Kind::Dict> = "Dict";
template <>
inline constexpr std::string_view type_word<Kind::RRef> = "RRef";
template <>
inline constexpr std::string_view type_word<Kind::Union> = "Union";
template <>
inline constexpr std::string_view type_word<Kind::Await> = "Await";
template <>
inline constexpr std::string_view type_word<Kind::Future> = "Future";

// Of known length, so that it becomes a comparison of a word or two.
template <Kind Key>
[[gnu::always_inline]] constexpr TypeWord if_word(const char* w) {
  constexpr std::string_view word = type_word<Key>;
  return {equal(w, word.data(), word.size()), Key};
}

/// Length and one letter decide which word it can be; one comparison confirms it.
constexpr TypeWord find_type_word(const char* w, std::size_t n) {
  switch (n) {
    case 3: return w[0] == 'i' ? if_word<Kind::Int>(w) : w[0] == 's' ? if_word<Kind::Str>(w) : if_word<Kind::Any>(w);
    case 4:
      switch (w[0]) {
        case 'b': return if_word<Kind::Bool>(w);
        case 'D': return if_word<Kind::Dict>(w);
        case 'R': return if_word<Kind::RRef>(w);
        default: return if_word<Kind::None_>(w);
      }
    case 5:
      switch (w[0]) {
        case 'f': return if_word<Kind::Float>(w);
        case 'U': return if_word<Kind::Union>(w);
        default: return if_word<Kind::Await>(w);
      }
    case 6:
      switch (w[0]) {
        case 'T': return if_word<Kind::Tensor>(w);
        case 'L': return if_word<Kind::Layout>(w);
        case 'D': return if_word<Kind::Device>(w);
        case 'F': return if_word<Kind::Future>(w);
        default:
          return w[1] == 'y'   ? if_word<Kind::SymInt>(w)
                 : w[1] == 'c' ? if_word<Kind::Scalar>(w)
                               : if_word<Kind::Stream>(w);
      }
    case 7:
      switch (w[0]) {
        case 'c': return if_word<Kind::Complex>(w);
        case 'Q': return if_word<Kind::QScheme>(w);
        case 'C': return if_word<Kind::Capsule>(w);
        default: return w[1] == 'y' ? if_word<Kind::SymBool>(w) : if_word<Kind::Storage>(w);
      }
    case 8: return w[0] == 'S' ? if_word<Kind::SymFloat>(w) : TypeWord{equal(w, "NoneType", 8), Kind::None_};
    case 9: return w[0] == 'G' ? if_word<Kind::Generator>(w) : if_word<Kind::Quantizer>(w);
    case 10: return if_word<Kind::ScalarType>(w);
    case 11: return w[0] == 'D' ? if_word<Kind::DeviceIndex>(w) : if_word<Kind::AnyEnumType>(w);
    case 12: return w[0] == 'M' ? if_word<Kind::MemoryFormat>(w) : if_word<Kind::AnyClassType>(w);
    case 17: return if_word<Kind::ConstQuantizerPtr>(w);
    default: return {};
  }
}

}  // namespace tenon::schema::detail
