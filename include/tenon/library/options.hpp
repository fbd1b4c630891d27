// What a declaration says of an operator beside its schema: its facts, names of its forms, and forms that it lacks.
#pragma once
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include <tenon/dispatch/facts.hpp>

namespace tenon {

/// A declaration says something behind the schema that is none of: a text (the out form's overload name or schema),
/// a tag, a word of `operator_words`.
template <class Option>
struct declaration_has_no_such_option;

/// One option of a declaration. A text alone is about the out form, a tag about the operator and its forms.
struct operator_option {
  enum class Kind : unsigned char {
    OutForm,
    InPlaceOverload,
    NoOut,
    NoInPlace,
    Tag,
    InPlaceTags,
    OutTags,
    Variants,
    InPlaceFunction,
    NoDeviceCheck,
    NoDeviceGuard,
  };
  Kind kind;
  std::string_view text{};
  TagSet tags{};
  Variants variants = Variants::Function;

  constexpr operator_option(Kind k, std::string_view t = {}) : kind(k), text(t) {}
  constexpr operator_option(const char* out) : kind(Kind::OutForm), text(out) {}
  constexpr operator_option(Tag t) : kind(Kind::Tag), tags{t} {}
  constexpr operator_option(Kind k, TagSet t) : kind(k), tags(t) {}
  constexpr operator_option(Variants v) : kind(Kind::Variants), variants(v) {}
  template <class T>
    requires(!std::is_convertible_v<T, const char*> && !std::is_same_v<T, Kind> && !std::is_same_v<T, tenon::Tag> &&
             !std::is_same_v<T, tenon::Variants>)
  constexpr operator_option(T) : kind(Kind::NoOut) { (void)sizeof(declaration_has_no_such_option<T>); }
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
    using enum operator_option::Kind;
    for (const operator_option& o : options) switch (o.kind) {
        case OutForm: out = o.text; break;
        case InPlaceOverload: inplace_overload = o.text; break;
        case NoOut: no_out = true; break;
        case NoInPlace: no_inplace = true; break;
        case Tag: facts_.tags = facts_.tags | o.tags; break;
        case InPlaceTags: inplace_tags_ = {o.tags, true}; break;
        case OutTags: out_tags_ = {o.tags, true}; break;
        case Variants: facts_.variants = o.variants; break;
        case InPlaceFunction: inplace_function_ = true; break;
        case NoDeviceCheck: facts_.device_check = false; break;
        case NoDeviceGuard: facts_.device_guard = false; break;
      }
  }
  constexpr bool out_is_schema() const { return out.find('(') != out.npos; }
  constexpr const OperatorFacts& facts() const { return facts_; }
  /// Of a form: the operator's tags but `core`, unless the declaration says others.
  constexpr OperatorFacts inplace_facts() const {
    bool method = has_method(facts_.variants);
    return form(inplace_tags_, !method             ? tenon::Variants::Function
                               : inplace_function_ ? tenon::Variants::Both
                                                   : tenon::Variants::Method);
  }
  constexpr OperatorFacts out_facts() const { return form(out_tags_, tenon::Variants::Function); }

 private:
  struct FormTags {
    TagSet tags{};
    bool given = false;
  };
  constexpr OperatorFacts form(const FormTags& tags, Variants variants) const {
    OperatorFacts f = facts_;
    f.tags = tags.given ? tags.tags : facts_.tags.without(Tag::core);
    f.variants = variants;
    return f;
  }
  OperatorFacts facts_{};
  FormTags inplace_tags_{}, out_tags_{};
  bool inplace_function_ = false;
};

/// The words for options, found where a declaration is written because its tag derives from this.
struct operator_words {
  using Tag = tenon::Tag;
  /// The operator has no form of the kind that its macro gives to all.
  static constexpr operator_option no_out{operator_option::Kind::NoOut};
  static constexpr operator_option no_inplace{operator_option::Kind::NoInPlace};
  /// The in-place form has an overload name of its own: `aten::pow_.Scalar` of `aten::pow.Tensor_Scalar`.
  static constexpr operator_option inplace_overload(std::string_view overload) {
    return {operator_option::Kind::InPlaceOverload, overload};
  }
  /// A form has these tags in place of the operator's.
  static constexpr operator_option inplace_tags(TagSet tags = {}) { return {operator_option::Kind::InPlaceTags, tags}; }
  static constexpr operator_option out_tags(TagSet tags = {}) { return {operator_option::Kind::OutTags, tags}; }
  /// Variants: an operator is a function unless it says so; the in-place form of one with a method is a method.
  static constexpr operator_option with_method{Variants::Both};
  static constexpr operator_option method_only{Variants::Method};
  static constexpr operator_option inplace_function{operator_option::Kind::InPlaceFunction};
  /// Tensors may be on several devices; a kernel may run while another device is the current one.
  static constexpr operator_option no_device_check{operator_option::Kind::NoDeviceCheck};
  static constexpr operator_option no_device_guard{operator_option::Kind::NoDeviceGuard};
};

}  // namespace tenon
