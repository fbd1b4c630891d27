// What a declaration says of an operator beside its schema: tags, variants, device check and device guard.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tenon {

/// Properties of an operator that programs ask for; PyTorch's names, in its order.
enum class Tag : std::uint8_t {
  core,
  cudagraph_unsafe,
  data_dependent_output,
  dynamic_output_shape,
  flexible_layout,
  generated,
  inplace,
  inplace_view,
  maybe_aliasing_or_mutating,
  needs_contiguous_strides,
  needs_exact_strides,
  needs_fixed_stride_order,
  nondeterministic_bitwise,
  nondeterministic_seeded,
  out,
  out_variant,
  pointwise,
  pt2_compliant_tag,
  reduction,
  view_copy,
};
inline constexpr std::string_view kTagNames[] = {"core",
                                                 "cudagraph_unsafe",
                                                 "data_dependent_output",
                                                 "dynamic_output_shape",
                                                 "flexible_layout",
                                                 "generated",
                                                 "inplace",
                                                 "inplace_view",
                                                 "maybe_aliasing_or_mutating",
                                                 "needs_contiguous_strides",
                                                 "needs_exact_strides",
                                                 "needs_fixed_stride_order",
                                                 "nondeterministic_bitwise",
                                                 "nondeterministic_seeded",
                                                 "out",
                                                 "out_variant",
                                                 "pointwise",
                                                 "pt2_compliant_tag",
                                                 "reduction",
                                                 "view_copy"};
inline constexpr std::size_t kTags = sizeof(kTagNames) / sizeof(kTagNames[0]);
constexpr std::string_view to_string(Tag tag) { return kTagNames[static_cast<std::size_t>(tag)]; }
constexpr std::optional<Tag> tag_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kTags; ++i)
    if (kTagNames[i] == name) return static_cast<Tag>(i);
  return std::nullopt;
}

/// A set of tags.
class TagSet {
 public:
  constexpr TagSet() = default;
  constexpr TagSet(std::initializer_list<Tag> tags) {
    for (Tag t : tags) *this = with(t);
  }
  constexpr bool has(Tag t) const { return (bits_ >> static_cast<unsigned>(t) & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr TagSet with(Tag t) const { return TagSet(bits_ | 1u << static_cast<unsigned>(t)); }
  constexpr TagSet without(Tag t) const { return TagSet(bits_ & ~(1u << static_cast<unsigned>(t))); }
  friend constexpr TagSet operator|(TagSet a, TagSet b) { return TagSet(a.bits_ | b.bits_); }
  friend constexpr bool operator==(TagSet, TagSet) = default;
  template <class F>
  constexpr void for_each(F f) const {
    for (std::size_t i = 0; i < kTags; ++i)
      if (has(static_cast<Tag>(i))) f(static_cast<Tag>(i));
  }

 private:
  explicit constexpr TagSet(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0;
};
static_assert(kTags <= 32, "tenon: a set of tags is one word");

/// How programs may write a call: as a function, as a method of Tensor, or both.
enum class Variants : std::uint8_t { Function = 1, Method = 2, Both = 3 };
constexpr bool has_method(Variants v) { return v != Variants::Function; }
constexpr bool has_function(Variants v) { return v != Variants::Method; }

/// All facts about an operator.
struct OperatorFacts {
  TagSet tags{};
  Variants variants = Variants::Function;
  /// Kernels of a back end with several devices want all tensors on one of them.
  bool device_check = true;
  /// Such a kernel runs while the device of the first tensor is the current one.
  bool device_guard = true;
  friend constexpr bool operator==(const OperatorFacts&, const OperatorFacts&) = default;
};

}  // namespace tenon
