// The handle that users hold: one pointer, counted. Operators are methods once their header is included.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <tenon/base/checked_element.hpp>
#include <tenon/base/scalar.hpp>
#include <tenon/base/sym_int.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/tensor/tensor_impl.hpp>

namespace tenon {

class Tensor;
class TensorIndex;
class TensorOptions;
class Node;
// A hook without its header is an error whose note shows this line.
class RemovableHandle;  // include <tenon/autograd/graph/hooks.hpp>
template <class T, std::size_t Rank>
class TensorAccessor;

namespace detail {
template <class T, class...>
struct dependent {
  using type = T;
};
template <class T, class... Context>
using dependent_t = typename dependent<T, Context...>::type;

/// The flag of index_put_, given by place or by the name that it has there.
template <class Flag>
constexpr bool accumulates(const Flag& flag) {
  if constexpr (requires { Flag::name(); }) {
    static_assert(Flag::name() == "accumulate", "tenon: the one keyword of index_put_ is accumulate");
    return flag.value;
  } else {
    static_assert(std::is_same_v<Flag, bool>, "tenon: index_put_ takes a bool, accumulate, last");
    return flag;
  }
}

[[noreturn, gnu::cold]] void undefined_tensor();
/// Throws TypeError if the tensor is one whose data nobody may ask for.
[[gnu::cold]] void check_without_data(const TensorImpl& t);
[[noreturn, gnu::cold]] void wrong_dtype(ScalarType expected, ScalarType got);
[[noreturn, gnu::cold]] void no_version();
}  // namespace detail

/// A reference to a tensor; copies share it. A default-constructed one is undefined: it has no dtype and no data.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(intrusive_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) noexcept = default;
  ~Tensor() = default;
  // A variable is a handle: assigning makes it refer to another tensor.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  /// What a call returned is a place: `x[0] = y` and `x.select(0, 0) = 5` write into its memory, as copy_ and fill_ do.
  /// An undefined one is assigned like a variable. Defined in tenon/ops/bodies/indexing.hpp.
  Tensor& operator=(const Tensor& source) &&;
  Tensor& operator=(Tensor&& source) &&;  // NOLINT(performance-noexcept-move-constructor): it copies elements
  Tensor& operator=(const Scalar& value) &&;

  bool defined() const { return static_cast<bool>(impl_); }
  void reset() { impl_.reset(); }
  /// What makes another tensor of this dtype, layout and device: tenon/tensor/tensor_options.hpp.
  TensorOptions options() const;
  TensorImpl* unsafe_impl() const { return impl_.get(); }
  /// The implementation. Throws ValueError for an undefined tensor.
  TensorImpl& impl() const {
    if (!impl_) [[unlikely]]
      detail::undefined_tensor();
    return *impl_;
  }
  TensorImpl* operator->() const { return impl_.get(); }
  const intrusive_ptr<TensorImpl>& impl_ptr() const { return impl_; }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  std::uint32_t use_count() const { return impl_ ? impl_->use_count() : 0; }

  KeySet keys() const { return impl_ ? impl_->keys() : KeySet(); }
  ScalarType dtype() const { return impl().dtype(); }
  ScalarType scalar_type() const { return dtype(); }  // so it is called where PyTorch's C++ asks
  Device device() const { return impl().device(); }
  Layout layout() const { return impl().layout(); }
  std::int64_t dim() const { return impl().dim(); }
  // These throw TypeError for a symbolic tensor.
  std::int64_t numel() const { return plain_impl("numel()", "sym_numel()").numel(); }
  IntArrayRef sizes() const { return plain_impl("sizes()", "sym_sizes()").sizes(); }
  IntArrayRef strides() const { return plain_impl("strides()", "sym_strides()").strides(); }
  /// The size of one dimension; negative ones count from the end. Throws IndexError.
  std::int64_t size(std::int64_t d) const { return sizes()[static_cast<std::size_t>(wrap_dim(d, dim(), false))]; }
  std::int64_t stride(std::int64_t d) const { return strides()[static_cast<std::size_t>(wrap_dim(d, dim(), false))]; }
  std::int64_t storage_offset() const {
    return plain_impl("storage_offset()", "sym_storage_offset()").storage_offset();
  }
  /// Whether a size, a stride or the offset is symbolic; only Meta tensors are.
  bool is_symbolic() const { return impl().is_symbolic(); }
  // The same as SymInts, for plain and for symbolic tensors.
  SymIntArrayRef sym_sizes() const { return impl().sym_sizes(); }
  SymIntArrayRef sym_strides() const { return impl().sym_strides(); }
  SymInt sym_size(std::int64_t d) const { return sym_sizes()[static_cast<std::size_t>(wrap_dim(d, dim(), false))]; }
  SymInt sym_stride(std::int64_t d) const { return sym_strides()[static_cast<std::size_t>(wrap_dim(d, dim(), false))]; }
  SymInt sym_numel() const { return impl().sym_numel(); }
  /// The bytes of the elements, without gaps between them.
  SymInt sym_nbytes() const { return sym_numel() * static_cast<std::int64_t>(element_size()); }
  SymInt sym_storage_offset() const { return impl().sym_storage_offset(); }
  std::size_t element_size() const { return item_size(dtype()); }
  std::size_t nbytes() const { return static_cast<std::size_t>(numel()) * element_size(); }
  Storage storage() const { return Storage(impl().storage()); }
  /// Of a symbolic tensor: whether that holds whatever the symbols are.
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const { return impl().is_contiguous(format); }
  bool is_non_overlapping_and_dense() const {
    return plain_impl("is_non_overlapping_and_dense()", "sym_strides()").is_non_overlapping_and_dense();
  }
  bool is_floating_point() const { return is_floating_type(dtype()); }
  bool is_complex() const { return is_complex_type(dtype()); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  /// The number of the device; -1 on the CPU.
  std::int64_t get_device() const { return is_cpu() ? -1 : device().index; }
  bool is_meta() const { return device().is_meta(); }
  /// Whether it was made in inference mode, outside of which no gradient is recorded through it.
  bool is_inference() const { return impl().is_inference(); }
  bool is_conj() const { return keys().has(DispatchKey::Conjugate); }
  bool is_neg() const { return keys().has(DispatchKey::Negative); }
  bool _is_zerotensor() const { return keys().has(DispatchKey::ZeroTensor); }
  /// The format that the strides follow, for results that shall keep it.
  MemoryFormat suggest_memory_format() const;

  /// The first element, untyped; null without data. Throws TypeError for a symbolic and for a functional tensor.
  void* data_ptr() const {
    void* p = impl().data();
    if (!p) [[unlikely]]
      detail::check_without_data(impl());
    return p;
  }
  /// The first element as `T`. Throws TypeError if the dtype is another.
  template <class T>
  T* data_ptr() const {
    if (dtype() != scalar_type_v<T>) [[unlikely]]
      detail::wrong_dtype(scalar_type_v<T>, dtype());
    return static_cast<T*>(data_ptr());
  }
  /// The same by what is done with it; data_ptr() is mutable_data_ptr().
  const void* const_data_ptr() const { return data_ptr(); }
  void* mutable_data_ptr() const { return data_ptr(); }
  template <class T>
  const T* const_data_ptr() const {
    return data_ptr<std::remove_const_t<T>>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }
  /// The one element as a number, or as a C++ type. Throws ValueError for another count of elements, and where the type
  /// cannot hold the number.
  Scalar item() const;
  template <class T>
  T item() const {
    return checked_element<T>(item());
  }

  /// The elements by indices, `x.accessor<float, 2>()[i][j]`: tenon/tensor/accessor.hpp. Throws TypeError for another
  /// dtype, ValueError for another number of dimensions. A temporary has none: it would be gone.
  template <class T, std::size_t Rank>
  TensorAccessor<T, Rank> accessor() const&;
  template <class T, std::size_t Rank>
  TensorAccessor<T, Rank> accessor() const&& = delete;
  /// All elements in row-major order: tenon/ops/elements.hpp.
  template <class T>
  std::vector<T> to_vector() const;

  /// The part that an index names: `x[i]` drops the first dimension, `x[i][j]` two. Views but where a tensor indexes.
  Tensor operator[](std::int64_t i) const;
  Tensor operator[](const TensorIndex& i) const;
  /// `x.index({0, Slice(1, 5), None, mask, Ellipsis})`: numbers, slices, None and Ellipsis make a view, tensors of
  /// integers and masks a copy, as in PyTorch. A list of optional tensors is the operator `aten::index.Tensor`'s.
  /// Errors: IndexError in PyTorch's words; ValueError for a slice whose step is below 1.
  Tensor index(std::initializer_list<TensorIndex> indices) const;
  template <class Self = Tensor, class List>
  Tensor index(List&& list) const {
    if constexpr (std::is_convertible_v<List, ArrayRef<detail::dependent_t<TensorIndex, Self>>>)
      return at_index(list);
    else
      return detail::dependent_t<ops::index_function, Self>{}(*this, static_cast<List&&>(list));
  }
  /// Writes a tensor, broadcast, or a number where `index` with the same list would read; `"accumulate"_a = true` or a
  /// last `true` adds it instead, once for each time that an element is named.
  Tensor& index_put_(std::initializer_list<TensorIndex> indices, const Tensor& value) const;
  Tensor& index_put_(std::initializer_list<TensorIndex> indices, const Scalar& value) const;
  template <class Self = Tensor, class Bare, class Accumulate>
  Tensor& index_put_(std::initializer_list<TensorIndex> indices, const Bare& value, Accumulate&& accumulate) const {
    return index_put_<Self>(ArrayRef<detail::dependent_t<TensorIndex, Self>>(indices.begin(), indices.size()), value,
                            static_cast<Accumulate&&>(accumulate));
  }
  template <class Self = Tensor, class List, class Bare, class... A>
  Tensor& index_put_(List&& list, const Bare& value, A&&... args) const {
    if constexpr (std::is_convertible_v<List, ArrayRef<detail::dependent_t<TensorIndex, Self>>>)
      return put_at_index(list, value, detail::accumulates(args)...);
    else
      return detail::dependent_t<ops::index_put__function, Self>{}(*this, static_cast<List&&>(list), value,
                                                                   static_cast<A&&>(args)...);
  }

  // Autograd; defined in tenon/autograd/bodies/meta.hpp.
  bool requires_grad() const { return impl_ && impl_->requires_grad(); }
  /// Makes a leaf collect its gradient. Throws AutogradError for integers, bools and non-leaves.
  const Tensor& set_requires_grad(bool on) const;
  const Tensor& requires_grad_(bool on = true) const;
  /// The gradient that backward() accumulated, or an undefined tensor.
  Tensor& grad() const;
  intrusive_ptr<Node> grad_fn() const;
  bool is_leaf() const;
  bool is_view() const;
  /// Keeps the gradient of a tensor that is no leaf in its grad(), too. Throws AutogradError if it requires no grad.
  void retain_grad() const;
  bool retains_grad() const;
  /// Defined in tenon/autograd/graph/hooks.hpp, which says what hooks are.
  template <class F>
  RemovableHandle register_hook(F&& hook) const;
  template <class F>
  RemovableHandle register_post_accumulate_grad_hook(F&& hook) const;
  /// Computes the gradients of this tensor with respect to the leaves it came from, and adds them to their grad().
  void backward(const Tensor& gradient = {}, bool retain_graph = false, bool create_graph = false,
                ArrayRef<Tensor> inputs = {}) const;
  /// How often this tensor's memory was written in place. Throws AutogradError for an inference tensor.
  std::uint32_t version() const {
    if (impl().is_inference()) [[unlikely]]
      detail::no_version();
    return impl().storage()->version();
  }

#define X(NAME)                                                                                 \
  template <class Self = Tensor, class... A>                                                    \
  decltype(auto)(NAME)(A && ... args) const {                                                   \
    return detail::dependent_t<ops::NAME##_function, Self>{}(*this, static_cast<A&&>(args)...); \
  }
  TENON_FOR_EACH_METHOD(X)
#undef X
#define X(NAME)                                                                                       \
  template <class Self = Tensor, class... A>                                                          \
  decltype(auto)(NAME)(std::initializer_list<std::int64_t> list, A && ... args) const {               \
    return detail::dependent_t<ops::NAME##_function, Self>{}(*this, list, static_cast<A&&>(args)...); \
  }
  TENON_FOR_EACH_METHOD_OF_LIST(X)
#undef X
#define X(NAME)                                                                                  \
  template <class Self = Tensor, class First, class... A>                                        \
  decltype(auto)(NAME)(First && first, A && ... args) const {                                    \
    return detail::dependent_t<ops::NAME##_function, Self>{}(static_cast<First&&>(first), *this, \
                                                             static_cast<A&&>(args)...);         \
  }
  TENON_FOR_EACH_METHOD_SELF_SECOND(X)
#undef X
#define X(NAME)                                                                                           \
  template <class Self = Tensor, class... A>                                                              \
  decltype(auto)(NAME)(SymIntList list, A && ... args) const {                                            \
    return detail::dependent_t<ops::NAME##_function, Self>{}(*this, list.ref, static_cast<A&&>(args)...); \
  }
  X(expand)
  X(new_empty)
  X(new_full)
  X(new_ones)
  X(new_zeros)
  X(reshape)
  X(split_with_sizes)
  X(view)
#undef X
  template <class Self = Tensor>
  Tensor cpu() const {
    return to<Self>(kCPU);
  }
  template <class Self = Tensor>
  Tensor cuda() const {
    return to<Self>(kCUDA);
  }
  /// The tensor itself, without a call, where it already has the format.
  template <class Self = Tensor>
  Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const {
    if (format != MemoryFormat::Preserve && is_contiguous(format)) return *this;
    return detail::dependent_t<ops::contiguous_function, Self>{}(*this, format);
  }
  template <class Self = Tensor, class A>
    requires(!std::is_same_v<std::remove_cvref_t<A>, MemoryFormat>)
  Tensor contiguous(A&& keyword)
  const { return detail::dependent_t<ops::contiguous_function, Self>{}(*this, static_cast<A&&>(keyword)); }
  // Two lists side by side, `x.roll({1, 1}, {0, 1})`, and a list that comes second, `x.unflatten(0, {2, 3})`.
#define X(NAME)                                                                                               \
  template <class Self = Tensor, class... A>                                                                  \
  decltype(auto) NAME(std::initializer_list<std::int64_t> first, std::initializer_list<std::int64_t> second,  \
                      A&&... args) const {                                                                    \
    return detail::dependent_t<ops::NAME##_function, Self>{}(*this, IntArrayRef(first.begin(), first.size()), \
                                                             IntArrayRef(second.begin(), second.size()),      \
                                                             static_cast<A&&>(args)...);                      \
  }
  X(as_strided)
  X(as_strided_)
  X(moveaxis)
  X(movedim)
  X(new_empty_strided)
  X(roll)
#undef X
#define X(NAME)                                                                                        \
  template <class Self = Tensor, class First, class... A>                                              \
  decltype(auto) NAME(First&& first, std::initializer_list<std::int64_t> list, A&&... args) const {    \
    return detail::dependent_t<ops::NAME##_function, Self>{}(*this, static_cast<First&&>(first), list, \
                                                             static_cast<A&&>(args)...);               \
  }
  X(norm)
  X(rot90)
  X(unflatten)
#undef X

 private:
  [[gnu::always_inline]] const TensorImpl& plain_impl(const char* call, const char* instead) const {
    const TensorImpl& t = impl();
    if (t.is_symbolic()) [[unlikely]]
      detail::symbolic_geometry(t, call, instead);
    return t;
  }

  Tensor at_index(ArrayRef<TensorIndex> indices) const;
  Tensor& put_at_index(ArrayRef<TensorIndex> indices, const Tensor& value, bool accumulate = false) const;
  Tensor& put_at_index(ArrayRef<TensorIndex> indices, const Scalar& value, bool accumulate = false) const;

  intrusive_ptr<TensorImpl> impl_;
};
static_assert(sizeof(Tensor) == sizeof(void*), "tenon: a tensor handle travels in one register");

using TensorList = ArrayRef<Tensor>;

}  // namespace tenon
