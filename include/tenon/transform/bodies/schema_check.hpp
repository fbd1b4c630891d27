// The kernel that holds calls against their schemas, and its guard.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/schema/print.hpp>
#include <tenon/transform/detail/calls.hpp>
#include <tenon/transform/schema_check.hpp>

namespace tenon {
namespace schema_check {

using functionalization::detail::annotation;
using functionalization::detail::geometry_of;
using functionalization::detail::lies_at;
using functionalization::detail::run_on_meta;
using schema::SchemaView;
using tenon::detail::each_tensor;

constexpr DispatchKey kKey = DispatchKey::TESTING_ONLY_GenericMode;

inline std::uint64_t checksum(const StorageImpl& storage) {
  const char* p = static_cast<const char*>(storage.data());
  std::uint64_t h = 0;
  for (std::size_t left = storage.nbytes(); left > 0;) {
    std::uint64_t word = 0;
    std::size_t n = left < sizeof word ? left : sizeof word;
    std::memcpy(&word, p, n);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
    p += n;
    left -= n;
  }
  return h;
}
inline bool has_memory(const Tensor& t) { return t->storage() && t->storage()->nbytes() != 0; }
inline bool is_readable(const Tensor& t) { return t.device().is_cpu() && has_memory(t) && t->storage()->data(); }

/// `argument 1 'self'`.
inline std::string argument_words(const SchemaView& s, std::size_t i) {
  return concat("argument ", i + 1, " '", s.arg_name(i), "'");
}

/// A tensor of an argument, as it was before the call.
struct Given {
  Tensor tensor;
  std::size_t argument;
  Geometry geometry;
  intrusive_ptr<StorageImpl> storage;
  std::uint64_t sum;
  std::uint32_t version;
};

/// PyTorch's batch normalisation writes these in training, and its schemas do not say so.
inline bool is_running_statistic(const schema::SchemaView& s, std::size_t argument) {
  std::string_view op = s.base_name(), name = s.arg_name(argument);
  return (name == "running_mean" || name == "running_var") &&
         (op == "native_batch_norm" || op == "batch_norm" || op == "instance_norm");
}

/// Operators that return what they are given where nothing is to be done, of which neither schema nor tag says so, as
/// in PyTorch; and pieces that the caller promises to use no more as parts of one whole.
inline bool may_return_argument(std::string_view name) {
  for (std::string_view known : {"atleast_1d", "atleast_2d", "atleast_3d", "broadcast_tensors", "cummaxmin_backward",
                                 "meshgrid", "sum_to_size", "unsafe_split", "unsafe_split_with_sizes"})
    if (name == known) return true;
  return false;
}

class CheckedCall {
 public:
  CheckedCall(const OperatorHandle& op, const Stack& stack) : schema_(op.schema()) {
    may_alias_ = op.entry().has_tag("maybe_aliasing_or_mutating") || may_return_argument(schema_.base_name());
    std::size_t base = stack.size() - schema_.n_args();
    for (std::size_t i = 0; i < schema_.n_args(); ++i)
      each_tensor(stack[base + i], [&](const Tensor& t) {
        if (t->is_symbolic()) return;
        given_.push_back({t, i, geometry_of(t), t->storage(), is_readable(t) ? checksum(*t->storage()) : 0,
                          t->is_inference() ? 0 : t.version()});
      });
  }

  void check_arguments() const {
    const bool counts = !is_excluded(DispatchKey::ADInplaceOrView);
    for (const Given& g : given_) {
      const Tensor& t = g.tensor;
      bool same_elements = t->storage() == g.storage && (!is_readable(t) || checksum(*t->storage()) == g.sum);
      if (annotation(schema_, schema_.arg(g.argument)).write) {
        if (!same_elements && counts && t.keys().has(DispatchKey::ADInplaceOrView) && t.version() == g.version)
          fail<SchemaError>(schema_, ": ", argument_words(schema_, g.argument),
                            " was written and its version not counted: expected a version above ", g.version,
                            "; leave ADInplaceOrView to the library, or count the write");
      } else if (!is_written(g.storage) && !is_running_statistic(schema_, g.argument) &&
                 (!same_elements || !lies_at(t, g.geometry)))
        fail<SchemaError>(schema_, ": ", argument_words(schema_, g.argument), " was ",
                          same_elements ? "given another geometry" : "written",
                          ", and its type has no '!'; declare it 'Tensor(a!)', or write to a copy");
    }
  }

  void check_results(const Stack& stack) const {
    // Called so because they share memory that the caller promises to use no more, or may return what they are given.
    if (schema_.base_name().starts_with("_unsafe_") || may_alias_) return;
    const std::size_t n = schema_.n_returns(), base = stack.size() - n;
    for (std::size_t k = 0; k < n; ++k)
      each_tensor(stack[base + k], [&](const Tensor& t) {
        if (!has_memory(t)) return;
        const Given* shared = nullptr;
        for (const Given& g : given_) {
          if (t->storage() != g.storage) continue;
          if (share_a_set(schema_.ret(k), schema_.arg(g.argument))) return;
          if (!shared) shared = &g;
        }
        if (shared)
          fail<SchemaError>(schema_, ": result ", k, " shares memory with ", argument_words(schema_, shared->argument),
                            ", and no alias set says so; declare both 'Tensor(a)', or return a copy");
        for (std::size_t j = 0; j < k; ++j)
          each_tensor(stack[base + j], [&](const Tensor& other) {
            if (t->storage() == other->storage() && !share_a_set(schema_.ret(j), schema_.ret(k)))
              fail<SchemaError>(schema_, ": results ", j, " and ", k,
                                " share memory, and no alias set says so; declare both 'Tensor(a)', or return copies");
          });
      });
  }

  /// `looks`: the results as Meta computed them.
  void check_meta(const Stack& stack, const Stack& looks) const {
    const std::size_t n = schema_.n_returns(), base = stack.size() - n;
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Tensor> expected, got;
      each_tensor(looks[k], [&](const Tensor& t) { expected.push_back(t); });
      each_tensor(stack[base + k], [&](const Tensor& t) { got.push_back(t); });
      if (expected.size() != got.size())
        fail<SchemaError>(schema_, ": result ", k, ": the Meta kernel returns ", expected.size(), " tensors, got ",
                          got.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        if (std::string e = words(expected[i]), g = words(got[i]); e != g)
          fail<SchemaError>(schema_, ": result ", k, ": the Meta kernel computes ", e, ", got ", g);
    }
  }

 private:
  /// Where there is one element or none, strides mean nothing.
  static std::string words(const Tensor& t) {
    std::vector<std::int64_t> strides;
    for (std::int64_t d = 0; d < t.dim(); ++d) strides.push_back(t.numel() < 2 || t.size(d) == 1 ? 0 : t.stride(d));
    return concat(t.dtype(), " of shape ", t.sizes(), " and strides ", IntArrayRef(strides));
  }
  bool is_written(const intrusive_ptr<StorageImpl>& storage) const {
    for (const Given& g : given_)
      if (g.storage && g.storage == storage && annotation(schema_, schema_.arg(g.argument)).write) return true;
    return false;
  }
  bool share_a_set(const schema::Argument& a, const schema::Argument& b) const {
    return (sets_of(a) & sets_of(b)) != 0 || ((sets_of(a) | sets_of(b)) & schema::wildcard_alias) != 0;
  }
  schema::AliasSet sets_of(const schema::Argument& a) const {
    const schema::TypeNode* node = &schema_.type(a);
    schema::AliasSet sets = node->before | node->after;
    while (node->child >= 0) {
      node = &schema_.node(node->child);
      sets |= node->before | node->after;
    }
    return sets;
  }

  const SchemaView& schema_;
  std::vector<Given> given_;
  bool may_alias_ = false;
};

inline void check_call(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  const KeySet below = keys & KeySet::full_after(kKey);
  CheckedCall call(op, stack);
  Stack looks;
  std::string refusal;
  if (below.has(DispatchKey::CPU)) {
    ExcludeDispatchKeyGuard guard(KeySet(kKey) | key_sets::autograd_and_inplace_or_view);
    try {
      looks = run_on_meta(op, Stack(stack.end() - static_cast<std::ptrdiff_t>(s.n_args()), stack.end()), true);
    } catch (const Error& e) { refusal = e.what(); }
  }
  op.redispatch_boxed(below, stack);
  if (!refusal.empty()) fail<SchemaError>(s, ": the Meta kernel refuses a call that succeeds: ", refusal);
  call.check_arguments();
  call.check_results(stack);
  if (!looks.empty()) call.check_meta(stack, looks);
}

inline void install_fallback() {
  // A type of its own, by which it is known again.
  static const Kernel kernel([](const OperatorHandle& op, KeySet keys, Stack& stack) { check_call(op, keys, stack); });
  static Registration fallback;
  Registry& registry = Registry::get();
  Registry::Lock lock(registry);
  const Kernel::State* there = registry.tables().fallback_at(kKey);
  if (there && there->record.boxed != kernel.state()->record.boxed)
    fail<RegistrationError>("SchemaCheckGuard: the key ", kKey, " has another fallback (", there->place,
                            "); end that registration, or give your mode TESTING_ONLY_GenericWrapper");
  if (!there) fallback = registry.add_fallback(kKey, kernel, Place(__FILE__, __LINE__));
}

}  // namespace schema_check

TENON_COLD_BODY SchemaCheckGuard::SchemaCheckGuard() {
  schema_check::install_fallback();
  set_included(schema_check::kKey, true);
}

}  // namespace tenon
