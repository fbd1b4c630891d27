// Functional tensors: they can be written and viewed like others, while what they hold is never written.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tenon/boxing/stack.hpp>
#include <tenon/dispatch/operator_entry.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::functionalization {

/// What is taken out of a program: writes, or writes and views, which then become copies.
enum class Remove : std::uint8_t { Mutations, MutationsAndViews };

/// One view in the history of a functional tensor: how it is made, and where its elements lie in its base's memory.
struct ViewMeta {
  OperatorHandle op;
  Stack arguments;            ///< of `op`; none in the place of the tensor that is viewed
  std::size_t viewed = 0;     ///< that place
  std::size_t result = 0;     ///< of several results of `op`, the one meant
  std::size_t out_index = 0;  ///< of a result that is a list, the element meant
  bool copies = false;        ///< for Remove::MutationsAndViews
  bool conjugates = false;    ///< this view and those before it show the base's elements conjugated
  bool negates = false;       ///< and negated
  Geometry reference;         ///< as Meta tensors gave it; offset and strides count elements of the base's memory

  /// The same view of another tensor.
  Tensor forward(const Tensor& base) const;
  /// The inverse of every view: a copy of the whole base in which this view shows `mutated_view`.
  Tensor reverse(const Tensor& base, const Tensor& mutated_view) const;
};

/// What a tensor and all its aliases stand for: the base's value, and the writes that it does not show yet.
class FunctionalStorage final : public RefCounted {
 public:
  /// `looks`: what the program's own tensor looks like; how `base` lies in memory may differ.
  FunctionalStorage(Tensor base, Geometry looks);
  /// The base with all writes, laid out in memory as the program's own tensor would be.
  const Tensor& base();
  /// Counts the writes: an alias with an older number is made again from the base on its next use.
  std::uint64_t generation() const { return generation_; }
  /// Why an alias that shows `before` cannot be written, since the gradients of the program would not be kept; or null.
  const char* why_not_written(const Tensor& before) const;
  /// Records that an alias, the last of `views` or without any the base itself, now shows `value`.
  void commit(const std::vector<ViewMeta>& views, Tensor value);
  /// The base of another history.
  void set_base(const Tensor& same);
  /// Another base, of another size. Throws NotImplementedError while there are other aliases.
  void replace(std::string_view op, Tensor base);
  /// Refuses writes from now on.
  void freeze(const char* reason) { frozen_ = reason; }
  /// Whether gradients are recorded; once they were, always, however late a write is applied.
  bool records() const { return records_; }
  /// Whether views are copies.
  bool copies() const { return copies_; }
  /// Whether a view by strides was written: it may show memory that the base does not.
  bool wrote_by_strides() const { return wrote_by_strides_; }
  const Geometry& geometry() const { return geometry_; }
  ScalarType dtype() const { return base_.dtype(); }

 private:
  struct Update {
    std::optional<ViewMeta> view;
    Tensor value;
  };
  Tensor base_;
  Geometry geometry_;
  std::vector<Update> pending_;
  std::uint64_t generation_ = 0;
  const char* frozen_ = nullptr;
  bool records_, copies_, wrote_by_strides_ = false;
};

/// A tensor without memory that looks like the program's own. Its key sends every operator to one boxed kernel.
class FunctionalTensorImpl final : public TensorImpl {
 public:
  /// The base of a storage of its own.
  FunctionalTensorImpl(Tensor value, Geometry looks);
  /// An alias of another: the last of `views`, which lead to it from their base.
  FunctionalTensorImpl(const FunctionalTensorImpl& of, std::vector<ViewMeta> views, Tensor value);

  /// What it shows after all writes. It may lie in memory otherwise than this tensor says.
  const Tensor& value();
  /// The same, as far as its dimensions follow each other in memory as this tensor says, or views are copies.
  const Tensor& ordered_value();
  /// The same, lying in memory as this tensor says, or row-major where views are copies.
  const Tensor& laid_out_value();
  /// The same, in one memory with the values of its aliases, unless views are copies.
  const Tensor& aliased_value();
  bool lies_as_stated() const;
  bool is_ordered_as_stated() const;
  const char* why_not_written() { return aliases_->why_not_written(value()); }
  /// Writes it: its aliases follow.
  void write(Tensor value);
  /// Gives it another value of another geometry.
  void resize(std::string_view op, Tensor value);
  /// Makes it another view of its memory, as t_ does.
  void become(const FunctionalTensorImpl& view);

  const intrusive_ptr<FunctionalStorage>& aliases() const { return aliases_; }
  const std::vector<ViewMeta>& views() const { return views_; }

 protected:
  void release_resources() noexcept override {
    value_ = Tensor();
    aliases_.reset();
    views_.clear();
    TensorImpl::release_resources();
  }

 private:
  void regenerate();
  void look_like(const Geometry& g) { set_geometry(g.sizes, g.strides, g.offset); }

  Tensor value_;
  intrusive_ptr<FunctionalStorage> aliases_;
  std::vector<ViewMeta> views_;  // from the base to this tensor
  std::uint64_t generation_ = 0;
};

/// A functional tensor that shows `t`, which is never written through it. Views of the result, and what operators
/// compute from it, are functional too. Undefined and functional tensors and wrapped numbers come back as they are.
/// Errors: TypeError for a symbolic tensor.
Tensor to_functional_tensor(const Tensor& t);
/// The plain tensor that a functional one stands for, all writes to it and its aliases included; with views kept it
/// lies in memory as the program's own tensor would. Another tensor comes back as it is.
Tensor from_functional_tensor(const Tensor& t);
bool is_functional_tensor(const Tensor& t);
/// Brings a functional tensor up to date with the writes to its aliases.
void sync(const Tensor& t);
/// The implementation. Throws TypeError for another tensor.
FunctionalTensorImpl& functional_impl(const Tensor& t);

namespace detail {
/// What functionalize() takes out on this thread now.
TENON_THREAD_WORD(Remove, removing, Remove::Mutations);
}  // namespace detail

}  // namespace tenon::functionalization
