// From a word to the kind of type it names.
#pragma once
#include <tenon/schema/detail/text.hpp>
#include <tenon/schema/type.hpp>

namespace tenon::schema::detail {

struct TypeWord {
  bool known = false;
  Kind kind = Kind::None_;
};

/// Length and one letter decide which word it can be; one comparison confirms it.
constexpr TypeWord find_type_word(const char* w, std::size_t n) {
  Kind kind = Kind::None_;
  std::string_view word;
  switch (n) {
    case 3: kind = w[0] == 'i' ? Kind::Int : w[0] == 's' ? Kind::Str : Kind::Any; break;
    case 4:
      switch (w[0]) {
        case 'b': kind = Kind::Bool; break;
        case 'D':
          kind = Kind::Dict;
          word = "Dict";
          break;
        case 'R':
          kind = Kind::RRef;
          word = "RRef";
          break;
        default: word = "None"; break;
      }
      break;
    case 5:
      switch (w[0]) {
        case 'f': kind = Kind::Float; break;
        case 'U':
          kind = Kind::Union;
          word = "Union";
          break;
        default:
          kind = Kind::Await;
          word = "Await";
          break;
      }
      break;
    case 6:
      switch (w[0]) {
        case 'T': kind = Kind::Tensor; break;
        case 'L': kind = Kind::Layout; break;
        case 'D': kind = Kind::Device; break;
        case 'F':
          kind = Kind::Future;
          word = "Future";
          break;
        default: kind = w[1] == 'y' ? Kind::SymInt : w[1] == 'c' ? Kind::Scalar : Kind::Stream; break;
      }
      break;
    case 7:
      switch (w[0]) {
        case 'c': kind = Kind::Complex; break;
        case 'Q': kind = Kind::QScheme; break;
        case 'C': kind = Kind::Capsule; break;
        default: kind = w[1] == 'y' ? Kind::SymBool : Kind::Storage; break;
      }
      break;
    case 8:
      if (w[0] == 'S') kind = Kind::SymFloat;
      break;
    case 9: kind = w[0] == 'G' ? Kind::Generator : Kind::Quantizer; break;
    case 10: kind = Kind::ScalarType; break;
    case 11: kind = w[0] == 'D' ? Kind::DeviceIndex : Kind::AnyEnumType; break;
    case 12: kind = w[0] == 'M' ? Kind::MemoryFormat : Kind::AnyClassType; break;
    case 17: kind = Kind::ConstQuantizerPtr; break;
    default: return {};
  }
  if (word.empty()) word = kind_word(kind);
  return {equal(word, std::string_view(w, n)), kind};
}

}  // namespace tenon::schema::detail
