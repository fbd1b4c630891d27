// Modules whose types are known at run time only, and lists of them.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

#include <tenon/nn/dynamic/detail/erased_call.hpp>
#include <tenon/nn/dynamic/hooks.hpp>
#include <tenon/nn/print.hpp>
#include <tenon/nn/state.hpp>

namespace tenon::nn {

namespace detail {

enum class TensorRole : std::uint8_t { Plain, Parameter, Buffer, Uninitialized };

/// A module of unknown type, as visitors meet it: its name, and the field `training` if it has one.
class ErasedModule {
 public:
  struct Table {
    const std::type_info* type;
    void (*train)(void* module, bool on);
    bool (*is_training)(const void* module);
    Described (*describe)(const void* module);
    void (*fit)(const void* module, const std::string& path, const NamedTensors& tensors);
    Tensor (*extra_state)(const void* module);
    void (*find_extra_state)(void* module, std::vector<ExtraState>& found, const std::string& path);
    void (*state_hook)(const void* module, NamedTensors& state, const std::string& prefix);
    void (*load_hook)(const void* module, NamedTensors& state, const std::string& prefix);
  };
  class Training {
   public:
    void operator=(bool on) const { of_->table_->train(of_->module_, on); }
    operator bool() const { return of_->table_->is_training(of_->module_); }

   private:
    explicit Training(const ErasedModule* of) : of_(of) {}
    const ErasedModule* of_;
    friend class ErasedModule;
  };
  ErasedModule(void* module, const Table* table) : training(this), module_(module), table_(table) {}
  ErasedModule(const ErasedModule&) = delete;

  const Training training;
  std::string name() const { return table_->describe(module_).name; }
  std::string extra_repr() const { return table_->describe(module_).extra; }
  void tenon_fit(const std::string& path, const NamedTensors& tensors) const { table_->fit(module_, path, tensors); }
  Tensor extra_state() const { return table_->extra_state(module_); }
  void tenon_extra_state(std::vector<ExtraState>& found, const std::string& path) const {
    table_->find_extra_state(module_, found, path);
  }
  void state_dict_post_hook(NamedTensors& state, const std::string& prefix) const {
    table_->state_hook(module_, state, prefix);
  }
  void load_state_dict_pre_hook(NamedTensors& state, const std::string& prefix) const {
    table_->load_hook(module_, state, prefix);
  }
  CalledLayer as_called() const { return {module_, table_->type}; }
  /// The module if it is an M, else null.
  template <class M>
  M* as() const {
    return *table_->type == typeid(M) ? static_cast<M*>(module_) : nullptr;
  }

 private:
  void* module_;
  const Table* table_;
};
template <class M>
inline constexpr ErasedModule::Table erased_table = {
    &typeid(M),
    [](void* module, bool on) {
      if constexpr (requires(M & m) { m.training = on; }) static_cast<M*>(module)->training = on;
    },
    [](const void* module) {
      if constexpr (requires(const M& m) { static_cast<bool>(m.training); })
        return static_cast<bool>(static_cast<const M*>(module)->training);
      else
        return false;
    },
    [](const void* module) { return describe(*static_cast<const M*>(module)); },
    []([[maybe_unused]] const void* module, [[maybe_unused]] const std::string& path,
       [[maybe_unused]] const NamedTensors& tensors) {
      if constexpr (requires(const M& m) { m.tenon_fit(path, tensors); })
        static_cast<const M*>(module)->tenon_fit(path, tensors);
    },
    []([[maybe_unused]] const void* module) {
      if constexpr (has_extra_state<M>)
        return Tensor(static_cast<const M*>(module)->extra_state());
      else
        return Tensor();
    },
    [](void* module, std::vector<ExtraState>& found, const std::string& path) {
      find_extra_state(found, path, *static_cast<M*>(module));
    },
    []([[maybe_unused]] const void* module, [[maybe_unused]] NamedTensors& state,
       [[maybe_unused]] const std::string& prefix) {
      if constexpr (has_state_hook<M>) static_cast<const M*>(module)->state_dict_post_hook(state, prefix);
    },
    []([[maybe_unused]] const void* module, [[maybe_unused]] NamedTensors& state,
       [[maybe_unused]] const std::string& prefix) {
      if constexpr (has_load_hook<M>) static_cast<const M*>(module)->load_state_dict_pre_hook(state, prefix);
    }};

/// A visitor behind function pointers.
struct ErasedVisitor {
  void* visitor;
  void (*tensor)(void* visitor, const std::string& name, Tensor& t, TensorRole role);
  void (*module)(void* visitor, const std::string& name, const ErasedModule& m);
  void (*leave)(void* visitor, const std::string& name, const ErasedModule& m);
};
/// The tensors and modules of a known type, given to such a visitor.
struct ToErased {
  const ErasedVisitor& to;
  template <class T>
  void operator()(const std::string& name, T& x) const {
    if constexpr (std::is_same_v<T, const ErasedModule>)
      to.module(to.visitor, name, x);
    else if constexpr (std::is_base_of_v<Tensor, T>)
      to.tensor(to.visitor, name, x,
                std::is_same_v<T, Buffer>                   ? TensorRole::Buffer
                : std::is_same_v<T, Parameter>              ? TensorRole::Parameter
                : std::is_same_v<T, UninitializedParameter> ? TensorRole::Uninitialized
                                                            : TensorRole::Plain);
    else
      to.module(to.visitor, name, ErasedModule(&x, &erased_table<T>));
  }
  template <class T>
  void leave(const std::string& name, T& x) const {
    if constexpr (std::is_same_v<T, const ErasedModule>)
      to.leave(to.visitor, name, x);
    else
      to.leave(to.visitor, name, ErasedModule(&x, &erased_table<T>));
  }
};

struct AnyModuleTable {
  const std::type_info* type;
  void* (*copy)(const void* module);
  void (*destroy)(void* module) noexcept;
  bool (*call)(void* module, const std::vector<CallValue>& arguments, const TakeResult& take);
  void (*walk)(void* module, const std::string& path, const ErasedVisitor& visitor);
  Described (*describe)(const void* module);
};
template <class M>
inline constexpr AnyModuleTable any_module_table = {
    &typeid(M),
    [](const void* module) -> void* { return new M(*static_cast<const M*>(module)); },
    [](void* module) noexcept { delete static_cast<M*>(module); },
    &call_erased<M>,
    [](void* module, const std::string& path, const ErasedVisitor& visitor) {
      ToErased visit{visitor};
      descend(*static_cast<M*>(module), path, visit);
    },
    [](const void* module) { return describe(*static_cast<const M*>(module)); }};

}  // namespace detail

/// Any module: `std::vector<AnyModule> layers{Linear{64, 128}, ReLU{}}`. All that is done to modules by the functions
/// of this namespace works through it, under the names that the module has; it may stand wherever a module may, also as
/// a field. A copy shares the tensors, as a copy of a module does. It is called as the module is, with up to eight
/// tensors, and with other arguments where the module has one call operator or is a layer of this library. The call
/// gives the first tensor of the result; results() gives all of them, call<R>() the result itself. Errors: TypeError if
/// the module does not take such arguments or returns something else, and for an empty one.
class AnyModule : public WithHooks {
 public:
  AnyModule() = default;
  template <class M>
    requires(!std::is_same_v<std::remove_cvref_t<M>, AnyModule>)
  AnyModule(M&& module)
      : module_(new std::remove_cvref_t<M>(std::forward<M>(module))),
        table_(&detail::any_module_table<std::remove_cvref_t<M>>) {}
  AnyModule(const AnyModule& other)
      : WithHooks(other), module_(other.module_ ? other.table_->copy(other.module_) : nullptr), table_(other.table_) {}
  AnyModule(AnyModule&& other) noexcept
      : WithHooks(std::move(other)), module_(std::exchange(other.module_, nullptr)), table_(other.table_) {}
  AnyModule& operator=(AnyModule other) noexcept {
    std::swap(module_, other.module_);
    std::swap(table_, other.table_);
    std::swap(hooks_, other.hooks_);
    return *this;
  }
  ~AnyModule() {
    if (module_) table_->destroy(module_);
  }
  explicit operator bool() const { return module_ != nullptr; }

  template <class... X>
  Tensor operator()(const X&... x) const {
    return with_kept([&](auto&... kept) { return results_of({detail::CallValue(kept)...}).front(); }, x...);
  }
  /// All tensors that the module returns, in a row.
  std::vector<Tensor> results(std::vector<Tensor> inputs) const;
  /// What the module returns: `rnn.call<std::tuple<nn::PackedSequence, Tensor>>(packed)`.
  template <class R, class... X>
  R call(const X&... x) const {
    std::optional<R> out;
    auto take = [&](const detail::CallValue& result) {
      if (R* is = result.as<R>()) out.emplace(std::move(*is));
    };
    with_kept([&](auto&... kept) { invoke({detail::CallValue(kept)...}, take); }, x...);
    TENON_CHECK(out, TypeError, "AnyModule: ", table_->describe(module_).name, " returns another type");
    return std::move(*out);
  }

  /// The module if it is an M, else null.
  template <class M>
  M* as() {
    return module_ && *table_->type == typeid(M) ? static_cast<M*>(module_) : nullptr;
  }
  template <class M>
  const M* as() const {
    return module_ && *table_->type == typeid(M) ? static_cast<const M*>(module_) : nullptr;
  }

  template <class This, class F>
  static void tenon_walk(This& self, const std::string& path, F& visit) {
    self.template visit_inside<std::is_const_v<This>>(path, visit);
  }
  detail::Described tenon_describe() const {
    return module_ ? table_->describe(module_) : detail::Described{"AnyModule", {}, {}};
  }

 private:
  template <class F, class... X>
  static decltype(auto) with_kept(F&& f, const X&... x) {
    std::tuple<detail::kept_argument_t<X>...> kept{detail::kept(x)...};
    return std::apply(f, kept);
  }
  void invoke(std::vector<detail::CallValue> arguments, const detail::TakeResult& take) const;
  std::vector<Tensor> results_of(std::vector<detail::CallValue> arguments) const;
  template <bool Const, class F>
  void visit_inside(const std::string& path, F& visit) const {
    if (!module_) return;
    detail::ErasedVisitor erased{&visit,
                                 [](void* visitor, const std::string& name, Tensor& t, detail::TensorRole role) {
                                   F& f = *static_cast<F*>(visitor);
                                   auto give = [&]<class T>(T& x) {
                                     if constexpr (Const)
                                       f(name, std::as_const(x));
                                     else
                                       f(name, x);
                                   };
                                   switch (role) {
                                     case detail::TensorRole::Buffer: return give(static_cast<Buffer&>(t));
                                     case detail::TensorRole::Parameter: return give(static_cast<Parameter&>(t));
                                     case detail::TensorRole::Uninitialized:
                                       return give(static_cast<detail::UninitializedParameter&>(t));
                                     case detail::TensorRole::Plain: return give(t);
                                   }
                                 },
                                 [](void* visitor, const std::string& name, const detail::ErasedModule& m) {
                                   (*static_cast<F*>(visitor))(name, m);
                                 },
                                 [](void* visitor, const std::string& name, const detail::ErasedModule& m) {
                                   if constexpr (requires(F & f) { f.leave(name, m); })
                                     static_cast<F*>(visitor)->leave(name, m);
                                 }};
    table_->walk(module_, path, erased);
  }

  void* module_ = nullptr;
  const detail::AnyModuleTable* table_ = nullptr;
};

/// Modules that are called by what they are in.
using ModuleList = std::vector<AnyModule>;

/// Modules by name, in the order in which they were added.
class ModuleDict {
 public:
  using value_type = std::pair<std::string, AnyModule>;
  using mapped_type = AnyModule;
  ModuleDict() = default;
  ModuleDict(std::initializer_list<value_type> items) {
    for (const auto& [name, module] : items) (*this)[name] = module;
  }
  /// The module of that name; an empty one is added if there is none.
  AnyModule& operator[](std::string_view name);
  /// Throws IndexError if there is none.
  AnyModule& at(std::string_view name);
  const AnyModule& at(std::string_view name) const { return const_cast<ModuleDict*>(this)->at(name); }
  bool contains(std::string_view name) const;
  bool erase(std::string_view name);
  std::size_t size() const { return items_.size(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<value_type> items_;
};

/// Modules one after another whose number is known at run time only, named 0, 1, ..
struct SequentialList {
  ModuleList parts;
  Tensor operator()(Tensor x) const {
    Calling call(this);
    for (const AnyModule& part : parts) x = part(x);
    return call(std::move(x));
  }
  ModuleList& tenon_items() { return parts; }
  const ModuleList& tenon_items() const { return parts; }
  detail::Described tenon_describe() const {
    detail::Described d = detail::describe(parts);
    d.name = "Sequential";
    return d;
  }
};

}  // namespace tenon::nn
