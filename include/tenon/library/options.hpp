// What a declaration says of an operator beside its schema: names of its forms, and forms that it lacks.
#pragma once
#include <initializer_list>
#include <string_view>

namespace tenon {

/// One option of a declaration. A text alone is about the out form.
struct operator_option {
  enum class Kind : unsigned char { OutForm, InPlaceOverload, NoOut, NoInPlace };
  Kind kind;
  std::string_view text{};

  constexpr operator_option(Kind k, std::string_view t = {}) : kind(k), text(t) {}
  constexpr operator_option(const char* out) : kind(Kind::OutForm), text(out) {}
};

/// All options of a declaration.
struct operator_options {
  bool no_out = false, no_inplace = false;
  /// The out form's overload name, or its whole schema; null for the rule of `schema::derive_out`.
  std::string_view out{};
  /// The overload name of the in-place form; null for that of the functional one.
  std::string_view inplace_overload{};

  constexpr operator_options() = default;
  constexpr operator_options(std::initializer_list<operator_option> options) {
    for (const operator_option& o : options) switch (o.kind) {
        case operator_option::Kind::OutForm: out = o.text; break;
        case operator_option::Kind::InPlaceOverload: inplace_overload = o.text; break;
        case operator_option::Kind::NoOut: no_out = true; break;
        case operator_option::Kind::NoInPlace: no_inplace = true; break;
      }
  }
  constexpr bool out_is_schema() const { return out.find('(') != out.npos; }
};

/// The words for options, found where a declaration is written because its tag derives from this.
struct operator_words {
  /// The operator has no form of the kind that its macro gives to all.
  static constexpr operator_option no_out{operator_option::Kind::NoOut};
  static constexpr operator_option no_inplace{operator_option::Kind::NoInPlace};
  /// The in-place form has an overload name of its own: `aten::pow_.Scalar` of `aten::pow.Tensor_Scalar`.
  static constexpr operator_option inplace_overload(std::string_view overload) {
    return {operator_option::Kind::InPlaceOverload, overload};
  }
};

}  // namespace tenon
