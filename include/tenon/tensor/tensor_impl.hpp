// What a tensor is: key set, dtype, device, sizes and strides in place, offset, storage, and the rest behind one
// pointer.
#pragma once
#include <cstdint>
#include <cstring>

#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/base/owned_ptr.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/base/sym_int.hpp>
#include <tenon/keys/key_set.hpp>
#include <tenon/tensor/geometry.hpp>
#include <tenon/tensor/storage.hpp>

namespace tenon {

/// What autograd keeps with a tensor; its real type is known to the autograd layer alone.
class AutogradMetaBase {
 public:
  virtual ~AutogradMetaBase() = default;
  /// Whether the tensor takes part in gradients, for a view also because its base does.
  virtual bool requires_grad() const = 0;
};

class TensorImpl;
namespace detail {
/// What CALL says of a tensor whose sizes, strides or offset are symbolic.
[[noreturn, gnu::cold]] void symbolic_geometry(const TensorImpl& t, const char* call, const char* instead);
/// Ends the lives of `count` SymInts.
void release_symbols(std::int64_t* first, std::size_t count) noexcept;
}  // namespace detail

/// A tensor on Meta may be symbolic: its extents are then a block of SymInts, followed by offset and count of elements.
/// It has a key of its own, so that only kernels that know of it meet it; these accessors do not ask, those of Tensor
/// do.
class TensorImpl : public RefCounted {
 public:
  TENON_INTERNAL_BLOCK_ALLOCATED
  static constexpr std::size_t kInPlace = 5;  ///< dimensions that need no memory of their own

  /// A tensor of sizes [0]; set_geometry gives it its shape.
  [[gnu::always_inline]] TensorImpl(intrusive_ptr<StorageImpl> storage, KeySet keys, ScalarType dtype, Device device)
      : storage_(std::move(storage)), keys_(keys), dtype_(dtype), device_(device) {
    extents_[0] = 0;
    extents_[1] = 1;
    dim_ = 1;
  }
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;
  ~TensorImpl() override {
    drop_autograd();
    if (extents_ != in_place_) drop_extents();
  }
  /// A tensor over the memory of `from` with its keys, dtype, layout and device, in one block with room for what
  /// autograd keeps with it: an alias is most often about to become a view. Its geometry is still to be set.
  [[gnu::always_inline]] static TensorImpl* make_alias_of(const TensorImpl& from) {
    return new (detail::take_block_of(kRoomyClass)) TensorImpl(from, AsAlias());
  }
  /// A CPU tensor with its storage and `bytes` of memory, at most kLargestShared of them, in one block from `Take`;
  /// null if that gives none.
  template <void* (*Take)(unsigned cls)>
  [[gnu::always_inline]] static TensorImpl* make_in_block(std::size_t bytes, KeySet keys, ScalarType dtype) {
    unsigned cls = detail::block_class(kSharedHeader + bytes);
    auto* block = static_cast<char*>(Take(cls));
    if (!block) [[unlikely]]
      return nullptr;
    auto* storage = new (block + kStorageAt) StorageImpl(block + kSharedHeader, bytes, cls, kStorageAt);
    auto* tensor = new (block) TensorImpl(intrusive_ptr<StorageImpl>::adopt(storage), keys, dtype, kCPU);
    tensor->block_class_ = cls;
    return tensor;
  }
  static const std::size_t kLargestShared;

  KeySet keys() const { return keys_; }
  void set_keys(KeySet keys) { keys_ = keys; }
  ScalarType dtype() const { return dtype_; }
  Device device() const { return device_; }
  Layout layout() const { return layout_; }
  std::int64_t dim() const { return dim_; }
  std::int64_t numel() const { return numel_; }
  IntArrayRef sizes() const { return {extents_, dim_}; }
  IntArrayRef strides() const { return {extents_ + dim_, dim_}; }
  std::int64_t storage_offset() const { return offset_; }
  const intrusive_ptr<StorageImpl>& storage() const { return storage_; }
  /// The first element; null on devices without data.
  [[gnu::always_inline]] void* data() const {
    char* start = storage_->data();
    if (offset_ == 0) [[likely]]
      return start;
    return moved(start);
  }

  /// Whether a size, a stride or the offset is symbolic.
  bool is_symbolic() const { return symbolic_; }
  // The same for tensors of both kinds.
  SymIntArrayRef sym_sizes() const { return {reinterpret_cast<const SymInt*>(extents_), dim_}; }
  SymIntArrayRef sym_strides() const { return {reinterpret_cast<const SymInt*>(extents_ + dim_), dim_}; }
  SymInt sym_storage_offset() const;
  SymInt sym_numel() const;
  /// set_geometry for both kinds; changes the keys too. `known_contiguous`: row-major whatever the symbols are.
  void set_sym_geometry(SymIntArrayRef sizes, SymIntArrayRef strides, const SymInt& offset, bool known_contiguous);

  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const {
    if (format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve) return contiguous_;
    return format == MemoryFormat::ChannelsLast ? channels_last_ : channels_last_3d_;
  }
  bool is_non_overlapping_and_dense() const {
    return contiguous_ || tenon::is_non_overlapping_and_dense(sizes(), strides());
  }

  void set_contiguous(IntArrayRef sizes) { set_geometry(sizes, {}, offset_); }
  // The geometry of a tensor that was just made: at most kInPlace dimensions, offset 0 where none is given.
  void set_row_major(std::int64_t size) {
    dim_ = 1;
    in_place_[0] = numel_ = size;
    in_place_[1] = 1;
  }
  void set_row_major(std::int64_t rows, std::int64_t columns) {
    dim_ = 2;
    in_place_[0] = rows;
    in_place_[1] = columns;
    in_place_[2] = columns > 1 ? columns : 1;
    in_place_[3] = 1;
    numel_ = rows * columns;
  }
  void set_row_major(IntArrayRef sizes) {
    std::size_t n = sizes.size();
    dim_ = static_cast<std::uint32_t>(n);
    std::int64_t count = 1, step = 1;
    for (std::size_t d = n; d-- > 0;) {
      std::int64_t size = sizes[d];
      in_place_[d] = size;
      in_place_[n + d] = step;
      count *= size;
      step *= size > 1 ? size : 1;
    }
    numel_ = count;
    if (n >= 4) [[unlikely]]
      find_channels_last();
  }
  void set_strided(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) {
    std::size_t n = sizes.size();
    std::int64_t* to = place_extents(n, offset);
    for (std::size_t d = 0; d < n; ++d) {
      to[d] = sizes[d];
      to[n + d] = strides[d];
    }
    extents_are_placed();
  }
  /// Whether the extents lie in the tensor: then they are plain, and at most kInPlace.
  bool is_short() const { return extents_ == in_place_; }
  /// The same by hand: where `dim` sizes go, and behind them as many strides; `extents_are_placed` follows.
  [[gnu::always_inline]] std::int64_t* place_extents(std::size_t dim, std::int64_t offset) {
    dim_ = static_cast<std::uint32_t>(dim);
    offset_ = offset;
    return in_place_;
  }
  /// Of as many dimensions as a short tensor, whose extents they are until they are changed.
  [[gnu::always_inline]] std::int64_t* place_extents_of(const TensorImpl& from, std::int64_t offset) {
    std::memcpy(in_place_, from.in_place_, sizeof in_place_);  // all of them take less time than a loop
    return place_extents(from.dim_, offset);
  }
  [[gnu::always_inline]] void extents_are_placed() {
    std::size_t n = dim_;
    std::int64_t count = 1, step = 1;
    bool dense = true;
    for (std::size_t d = n; d-- > 0;) {
      std::int64_t size = in_place_[d];
      dense = dense && (size == 1 || in_place_[n + d] == step);
      count *= size;
      step *= size > 1 ? size : 1;
    }
    numel_ = count;
    contiguous_ = dense || count == 0;
    if (n >= 4) [[unlikely]]
      find_channels_last();
  }
  /// For those that are known to be row-major, and their product.
  [[gnu::always_inline]] void extents_are_row_major(std::int64_t numel) {
    numel_ = numel;
    if (dim_ >= 4) [[unlikely]]
      find_channels_last();
  }
  /// Strides may be empty for row-major ones. The lists may be this tensor's own.
  void set_geometry(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) {
    std::size_t n = sizes.size();
    std::int64_t* to = extents_;
    bool own = sizes.data() == extents_ || strides.data() == extents_ + dim_;
    DimVector copy_sizes, copy_strides;
    if (own) {
      copy_sizes = sizes;
      copy_strides = strides;
      sizes = copy_sizes;
      strides = copy_strides;
    }
    if (n != dim_ && (n > kInPlace || extents_ != in_place_)) {
      if (n > kInPlace)
        to = new std::int64_t[2 * n];
      else
        to = in_place_;
    }
    std::int64_t count = 1, step = 1;
    bool dense = true, zero = false;
    for (std::size_t d = n; d-- > 0;) {
      std::int64_t size = sizes[d], stride = strides.size() == n ? strides[d] : step;
      to[d] = size;
      to[n + d] = stride;
      dense = dense && (size == 1 || stride == step);
      zero = zero || size == 0;
      count *= size;
      step *= size > 1 ? size : 1;
    }
    if (to != extents_) {
      if (extents_ != in_place_) drop_extents();
      extents_ = to;
    }
    dim_ = static_cast<std::uint32_t>(n);
    numel_ = count;
    offset_ = offset;
    contiguous_ = dense || zero;
    find_channels_last();
  }
  void set_storage(intrusive_ptr<StorageImpl> storage) { storage_ = std::move(storage); }
  void set_dtype(ScalarType dtype) { dtype_ = dtype; }
  void set_layout(Layout layout) { layout_ = layout; }

  bool is_wrapped_number() const { return wrapped_number_; }
  /// A number that was made a tensor takes part in type promotion as a number.
  void set_wrapped_number(bool on) { wrapped_number_ = on; }
  bool is_inference() const { return inference_; }
  void set_inference(bool on) { inference_ = on; }

  bool requires_grad() const { return autograd_ && autograd_->requires_grad(); }
  AutogradMetaBase* autograd() const { return autograd_; }
  void set_autograd(OwnedPtr<AutogradMetaBase> meta) {
    drop_autograd();
    autograd_ = meta.release();
  }
  /// Gives a tensor for which autograd keeps nothing yet a `Meta`, in the tensor's room if it has some.
  template <class Meta, class... A>
  [[gnu::always_inline]] Meta& make_autograd(const A&... args) {
    static_assert(sizeof(Meta) <= kAutogradRoom, "tenon: what autograd keeps with a view lies in the tensor's block");
    Meta* made = roomy_ ? new (room()) Meta(args...) : new Meta(args...);
    autograd_ = made;
    return *made;
  }

 protected:
  void release_resources() noexcept override {
    storage_.reset();
    drop_autograd();
  }
  void destroy() noexcept override {
    // Nobody else knows the storage in the tensor's block, and nothing holds more than the block. Asked in words as
    // they were written: a tensor often ends right after it began, while its bytes are on their way to memory.
    StorageImpl* own = home();
    if (block_class_ != kNoBlock && storage_.get() == own && own->has_counts(1, 2) &&
        own->data() == reinterpret_cast<char*>(this) + kSharedHeader && extents_ == in_place_) [[likely]] {
      // By calls that are the last: no register is saved for a tensor that ends at once.
      if (autograd_) return destroy_after_autograd();
      detail::give_block_of(static_cast<void*>(this), block_class_);
    } else {
      destroy_parts();
    }
  }

 private:
  struct AsAlias {};
  [[gnu::always_inline]] TensorImpl(const TensorImpl& from, AsAlias)
      : storage_(from.storage_),
        keys_(from.keys_),
        dim_(0),
        dtype_(from.dtype_),
        layout_(from.layout_),
        device_(from.device_),
        inference_(from.inference_),
        roomy_(true) {}
  [[gnu::noinline]] void* moved(char* start) const {
    return start ? start + static_cast<std::size_t>(offset_) * item_size(dtype_) : nullptr;
  }
  void find_channels_last() {
    channels_last_ = dim_ == 4 && is_contiguous_geometry(sizes(), strides(), MemoryFormat::ChannelsLast);
    channels_last_3d_ = dim_ == 5 && is_contiguous_geometry(sizes(), strides(), MemoryFormat::ChannelsLast3d);
  }
  void drop_extents() noexcept {
    if (symbolic_) detail::release_symbols(extents_, 2 * dim_ + 2);
    delete[] extents_;
  }
  void* room() noexcept { return reinterpret_cast<char*>(this) + kRoomAt; }
  [[gnu::always_inline]] void drop_autograd() noexcept {
    AutogradMetaBase* old = autograd_;
    if (!old) return;
    autograd_ = nullptr;
    if (static_cast<void*>(old) == room())
      old->~AutogradMetaBase();
    else
      delete old;
  }
  /// The storage of the tensor's block; only to be read if there is one.
  StorageImpl* home() noexcept { return reinterpret_cast<StorageImpl*>(reinterpret_cast<char*>(this) + kStorageAt); }
  [[gnu::noinline]] void destroy_after_autograd() noexcept {
    // What autograd keeps holds neither the storage nor, any more, the tensor.
    drop_autograd();
    detail::give_block_of(static_cast<void*>(this), block_class_);
  }
  [[gnu::noinline]] void destroy_parts() noexcept {
    if (roomy_ && extents_ == in_place_) {
      drop_autograd();
      storage_.reset();
      return detail::give_block_of(static_cast<void*>(this), kRoomyClass);
    }
    if (roomy_) {
      this->~TensorImpl();
      return detail::give_block_of(static_cast<void*>(this), kRoomyClass);
    }
    if (block_class_ == kNoBlock) {
      delete this;
      return;
    }
    StorageImpl* block = home();
    this->~TensorImpl();
    block->release_weak();
  }

  intrusive_ptr<StorageImpl> storage_;
  AutogradMetaBase* autograd_ = nullptr;  // owned
  KeySet keys_;
  std::int64_t offset_ = 0, numel_ = 0;
  std::int64_t* extents_ = in_place_;  // sizes, then strides
  std::uint32_t dim_;
  ScalarType dtype_;
  Layout layout_ = Layout::Strided;
  Device device_;
  bool contiguous_ = true, channels_last_ = false, channels_last_3d_ = false, wrapped_number_ = false,
       inference_ = false, symbolic_ = false, roomy_ = false;
  static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};
  std::uint32_t block_class_ = kNoBlock;  // of the block that it shares with its storage
  std::int64_t in_place_[2 * kInPlace];

  static const std::size_t kStorageAt, kSharedHeader;  // where storage and memory lie in a shared block
  static constexpr std::size_t kAutogradRoom = 128;    // bytes
  static const std::size_t kRoomAt;                    // at a cache line: stores across two of them are slow
  static const unsigned kRoomyClass;                   // of the block of a tensor with that room
};
static_assert(sizeof(TensorImpl) <= 192, "tenon: a tensor is three cache lines, the size of its free list");
inline constexpr std::size_t TensorImpl::kStorageAt = sizeof(TensorImpl);
inline constexpr std::size_t TensorImpl::kSharedHeader =
    (sizeof(TensorImpl) + sizeof(StorageImpl) + detail::kBlockAlignment - 1) & ~(detail::kBlockAlignment - 1);
inline constexpr std::size_t TensorImpl::kRoomAt =
    (sizeof(TensorImpl) + detail::kBlockAlignment - 1) & ~(detail::kBlockAlignment - 1);
inline constexpr unsigned TensorImpl::kRoomyClass = detail::block_class(kRoomAt + kAutogradRoom);
inline constexpr std::size_t TensorImpl::kLargestShared = detail::kLargestBlock - kSharedHeader;
static_assert(alignof(StorageImpl) <= alignof(TensorImpl), "tenon: a storage may lie behind a tensor");

}  // namespace tenon
