// Bodies of registration.
#pragma once
#include <algorithm>
#include <exception>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/kernel_check.hpp>
#include <tenon/library/library.hpp>

namespace tenon {

namespace detail {

/// `ns::text`, or the text itself without a namespace. Most need no memory of the heap.
class Qualified {
 public:
  Qualified(std::string_view ns, std::string_view text) : text_(text) {
    if (ns.empty()) return;
    std::size_t size = ns.size() + 2 + text.size();
    char* to = memory_;
    if (size > sizeof memory_) {
      more_.resize(size);
      to = more_.data();
    }
    text_ = {to, size};
    to = std::copy_n("::", 2, std::copy(ns.begin(), ns.end(), to));
    std::copy(text.begin(), text.end(), to);
  }
  Qualified(const Qualified&) = delete;
  Qualified& operator=(const Qualified&) = delete;
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::string more_;
  char memory_[512];
};

}  // namespace detail

TENON_COLD_BODY Library::Library(Library&&) noexcept = default;
TENON_COLD_BODY Library& Library::operator=(Library&&) noexcept = default;
TENON_COLD_BODY void Library::reset() { registrations_.undo_to(0); }

TENON_COLD_BODY std::string_view Library::kind_name() const {
  return kind_ == Kind::Def ? "TENON_LIBRARY" : kind_ == Kind::Impl ? "TENON_LIBRARY_IMPL" : "TENON_LIBRARY_FRAGMENT";
}

TENON_COLD_BODY std::string Library::context() const {
  return concat("(Error occurred while processing ", kind_name(), " block at ", place_.file(), ":", place_.line(), ")");
}

TENON_COLD_BODY Library::Library(Kind kind, std::string ns, std::optional<DispatchKey> key, const char* file, int line)
    : kind_(kind),
      ns_(std::move(ns)),
      key_(key && *key != DispatchKey::Undefined ? key : std::nullopt),
      place_{file, line} {
  if (kind_ != Kind::Impl && ns_ == "_")
    fail<RegistrationError>(
        kind_name(), ": cannot define ", kind_name(), " with the wildcard namespace _ (every ", kind_name(),
        " defines operators for a distinct namespace!) Did you mean to use TENON_LIBRARY_IMPL instead?  ", context());
  if (kind_ == Kind::Def) registrations_.push(Registry::get().add_library(ns_, place_.text()));
}

namespace detail {

/// Throws for a tag that there is not.
TENON_COLD_BODY TagSet tags_of(const std::vector<std::string>& names, std::string_view op, const std::string& context) {
  TagSet tags;
  for (const std::string& name : names) {
    auto tag = tag_from_name(name);
    if (!tag) {
      std::string known;
      for (std::string_view one : kTagNames) known += concat(known.empty() ? "" : ", ", one);
      fail<RegistrationError>("def(\"", op, "\"): there is no tag '", name, "'; the tags are ", known, ".  ", context);
    }
    tags = tags.with(*tag);
  }
  return tags;
}

/// What the schema of a declared operator says: its form, and that PyTorch's own are fit for its compiler.
TENON_COLD_BODY TagSet tags_by_schema(const schema::SchemaView& schema) {
  TagSet tags;
  bool out = false, written = false;
  for (std::size_t i = 0; i < schema.n_args(); ++i) {
    out |= schema.is_out(i);
    written |= schema.args[i].write;
  }
  std::string_view name = schema.operator_name();
  if (out)
    tags = tags.with(Tag::out);
  else if (written && name.substr(0, name.find('.')).ends_with('_'))
    tags = tags.with(Tag::inplace);
  return schema.namespace_name() == "aten" ? tags.with(Tag::pt2_compliant_tag) : tags;
}

}  // namespace detail

TENON_COLD_BODY void Library::define(const schema::SchemaView& view, bool lasting, const SignatureInfo* declared,
                                     const OperatorFacts& facts, Place&& place, bool inferred) {
  if (kind_ == Kind::Impl)
    fail<RegistrationError>(
        "def(\"", view.operator_name(),
        "\"): Cannot define an operator inside of a TENON_LIBRARY_IMPL block.  All def()s should be placed in the (unique) TENON_LIBRARY block for their namespace.  ",
        context());
  if (view.namespace_name() != ns_)
    fail<RegistrationError>(
        "Explicitly provided namespace (", view.namespace_name(),
        ") in schema string does not match namespace of enclosing ", kind_name(), " block (", ns_,
        ").  Move this definition to the (unique) TENON_LIBRARY block corresponding to this namespace (and consider deleting the namespace from your schema string.)  ",
        context());
  registrations_.push(Registry::get().define(
      view, lasting, declared, facts, std::move(place),
      inferred ? std::string_view("CONSERVATIVE") : std::string_view("FROM_SCHEMA"), fake_module_));
}

TENON_COLD_BODY Library& Library::def(std::string_view text, std::vector<std::string> tags, const char* file,
                                      int line) & {
  if (kind_ == Kind::Impl)
    fail<RegistrationError>(
        "def(\"", text,
        "\"): Cannot define an operator inside of a TENON_LIBRARY_IMPL block.  All def()s should be placed in the (unique) TENON_LIBRARY block for their namespace.  ",
        context());
  bool qualified = text.find("::") != text.npos && detail::name_in(text).find("::") != text.npos;
  detail::Qualified full(qualified ? std::string_view() : ns_,
                         qualified ? text : text.substr(std::min(text.find_first_not_of(' '), text.size())));
  schema::ParsedSchema parsed(full.text(), schema::TypeVariables::ByNamespace);
  define(parsed.view(), false, nullptr, {.tags = detail::tags_of(tags, parsed.view().operator_name(), context())},
         Place{file, line});
  return *this;
}

TENON_COLD_BODY Library& Library::def(std::string_view text, Kernel kernel, std::vector<std::string> tags,
                                      const char* file, int line) & {
  auto parsed = schema::parse_name_or_schema(text, schema::TypeVariables::ByNamespace);
  Place place{file, line};
  std::string name;
  const SignatureInfo* type = kernel.state()->type;
  bool inferred = !parsed.schema;
  if (inferred) {
    if (!type)
      fail<RegistrationError>(
          "def(\"", text,
          "\"): Full schema string was not specified, and we couldn't infer schema either.  Please explicitly provide a schema string.  ",
          context());
    parsed.schema = schema::FunctionSchema::parse(detail::inferred_schema_text(*type, schema::to_string(parsed.name)));
  }
  auto schema = parsed.schema.with_namespace(ns_);
  name = schema.view().operator_name();
  std::size_t before = registrations_.size();
  define(schema.view(), false, type, {.tags = detail::tags_of(tags, name, context())}, Place(place), inferred);
  try {
    impl_full(name, block_key(), std::move(kernel), std::move(place));
  } catch (...) {
    registrations_.undo_to(before);
    throw;
  }
  return *this;
}

TENON_COLD_BODY Library& Library::impl(std::string_view name, Kernel kernel, const char* file, int line) & {
  return impl(name, block_key(), std::move(kernel), file, line);
}

TENON_COLD_BODY Library& Library::impl(std::string_view name, RegistrationKey key, Kernel kernel, const char* file,
                                       int line) & {
  schema::Head head = schema::parse_name(name);
  if (!head.ok()) (void)schema::parse_operator_name(name);  // throws with the right words
  schema::SchemaView view{name, &head, nullptr, nullptr, nullptr};
  if (head.namespace_length != 0 && view.namespace_name() != ns_)
    fail<RegistrationError>(
        "impl(\"", name, "\", ...): Explicitly provided namespace (", view.namespace_name(),
        ") in operator name does not match namespace of enclosing ", kind_name(), " block (", ns_,
        ").  Move this definition to the ", kind_name(),
        " block corresponding to this namespace (and consider deleting the namespace from your schema string.)  ",
        context());
  DispatchKey k = key;
  if (key_ && k != *key_ && k != DispatchKey::Undefined)
    fail<RegistrationError>("impl(\"", name, "\", ...): Explicitly provided dispatch key (", k,
                            ") is inconsistent with the dispatch key of the enclosing ", kind_name(), " block (", *key_,
                            ").  Please declare a separate ", kind_name(),
                            " block for this dispatch key and move your impl() there.  ", context());
  std::string_view own = view.operator_name();
  if (head.namespace_length != 0) {
    impl_full(own, k, std::move(kernel), Place{file, line});
    return *this;
  }
  impl_full(detail::Qualified(ns_, own).text(), k, std::move(kernel), Place{file, line});
  return *this;
}

TENON_COLD_BODY void Library::impl_full(std::string_view full_name, DispatchKey key, Kernel kernel, Place place) {
  if (key == DispatchKey::Undefined) key = block_key();
  registrations_.push(Registry::get().implement(full_name, key, std::move(kernel), std::move(place)));
}

TENON_COLD_BODY void Library::impl_entry(std::string_view full_name, DispatchKey key, const detail::TypedEntry& entry,
                                         const void* data, const Place& place) {
  impl_full(full_name, key, Kernel(entry, data), place);
}
TENON_COLD_BODY void Library::impl_fallthrough(std::string_view full_name, DispatchKey key, const Place& place) {
  impl_full(full_name, key, Kernel(fallthrough()), place);
}
TENON_COLD_BODY Library& Library::define_declared(const schema::SchemaView& schema, const SignatureInfo& declared,
                                                  const OperatorFacts& declared_facts,
                                                  const std::vector<std::string>* tags, CallSite here) {
  OperatorFacts facts = declared_facts;
  facts.tags = facts.tags | detail::tags_by_schema(schema);
  if (tags) facts.tags = facts.tags | detail::tags_of(*tags, schema.operator_name(), context());
  define(schema, true, &declared, facts, here);
  return *this;
}
TENON_COLD_BODY Library& Library::impl_declared(const std::string_view& full_name, const RegistrationKey* key,
                                                const detail::TypedEntry& entry, CallSite here) {
  impl_full(full_name, key ? DispatchKey(*key) : block_key(), Kernel(entry), here);
  return *this;
}

TENON_COLD_BODY Library& Library::fallback(Kernel kernel, const char* file, int line) & {
  if (kind_ != Kind::Impl)
    fail<RegistrationError>("fallback(...): Cannot define an operator inside of a ", kind_name(),
                            " block.  Did you mean to call this function inside a TENON_LIBRARY_IMPL block?  ",
                            context());
  if (ns_ != "_")
    fail<RegistrationError>(
        "fallback(...): Fallback functions which apply to only a single namespace (you specified ", ns_,
        ") are not supported.  If you intended to apply this fallback function globally, please define a separate block:\n\n    TENON_LIBRARY_IMPL(_, ",
        block_key(), ", m) { m.fallback(...); }\n\n", context());
  registrations_.push(Registry::get().add_fallback(block_key(), std::move(kernel), Place{file, line}));
  return *this;
}

namespace detail {

TENON_COLD_BODY StaticLibrary::StaticLibrary(Library::Kind kind, const char* ns, std::optional<DispatchKey> key,
                                             void (*block)(Library&), const char* file, int line) noexcept {
  try {
    library_.emplace(kind, ns, key, file, line);
    block(*library_);
  } catch (const std::exception& e) {
    library_.reset();
    Registry::get().errors().record(ns, concat(e.what(), " [", file, ":", line, "]"));
  } catch (...) {
    library_.reset();
    Registry::get().errors().record(ns, concat("the block threw what is no std::exception [", file, ":", line, "]"));
  }
}

}  // namespace detail
}  // namespace tenon
