// Lists every operator of the program: schema, tags, kernels by key with places, and what it has beside them.
// Usage: opdump [--json | --md | --lacks=KEY | --loops] [--dtypes] [--load=PLUGIN] [PART]: PART selects operators by a
// part of the name. With --dtypes each is called with every dtype to find those that it takes on the CPU. With --lacks
// the operators that have a kernel for the CPU and none that serves the back end KEY, a name a line; with --loops those
// that vmap runs once for each example.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include <tenon/dispatch/registry.hpp>
#include <tenon/func/batching.hpp>
#include <tenon/schema/alias.hpp>
#include <tenon/testing/samples.hpp>

namespace {

using namespace tenon;
using Json = nlohmann::ordered_json;

Json describe(const OperatorEntry& entry) {
  Json op;
  op["name"] = entry.name();
  op["schema"] = entry.has_schema() ? Json(schema::to_string(entry.schema())) : Json(nullptr);
  if (entry.has_schema()) op["defined"] = entry.definition_place().text();
  const OperatorFacts& facts = entry.facts();
  op["tags"] = Json::array();
  facts.tags.for_each([&](Tag tag) { op["tags"].push_back(to_string(tag)); });
  op["variants"] = Json::array();
  if (has_function(facts.variants)) op["variants"].push_back("function");
  if (has_method(facts.variants)) op["variants"].push_back("method");
  op["device_check"] = facts.device_check;
  op["device_guard"] = facts.device_guard;
  if (auto fake = entry.fake_kernel_module(); !fake.empty()) op["fake_kernel_module"] = fake;
  Json kernels = Json::object();
  for (const auto& [key, kernel] : entry.kernels()) {
    std::string forms = kernel->is_fallthrough ? "fallthrough" : "boxed";
    if (kernel->record.unboxed) forms += " unboxed";
    if (kernel->record.unboxed_sym) forms += " symint";
    kernels[std::string(to_string(key))].push_back(
        {{"forms", forms},
         {"place", kernel->place.text()},
         {"cpp_type", kernel->type ? Json(detail::cpp_type_name(*kernel->type->type)) : Json(nullptr)}});
  }
  op["kernels"] = std::move(kernels);
  auto own = [&](std::initializer_list<DispatchKey> keys) {
    for (DispatchKey k : keys)
      if (const auto* kernel = entry.kernel_at(k); kernel && !(*kernel)->is_fallthrough) return true;
    return false;
  };
  auto sibling = [&](const std::string& name) { return static_cast<bool>(Registry::get().find_schema(name)); };
  std::size_t dot = entry.name().find('.');
  std::string base(entry.name().substr(0, dot)), overload(dot == std::string::npos ? "" : entry.name().substr(dot));
  op["composite"] = own({DispatchKey::CompositeImplicitAutograd});
  // An out form's kernel for autograd is there to refuse tensors that require grad.
  bool out = false;
  for (std::size_t i = 0; entry.has_schema() && i < entry.schema().n_args(); ++i) out |= entry.schema().is_out(i);
  op["derivative"] =
      !out && own({DispatchKey::Autograd, DispatchKey::AutogradCPU, DispatchKey::CompositeImplicitAutograd});
  op["meta"] = own({DispatchKey::Meta, DispatchKey::CompositeExplicitAutograd, DispatchKey::CompositeImplicitAutograd});
  // One statement registers all forms of a structured operator.
  auto meta_of = [](const OperatorHandle& form) {
    const auto* kernel = form ? form.entry().kernel_at(DispatchKey::Meta) : nullptr;
    return kernel ? (*kernel)->place.text() : std::string();
  };
  std::string own_meta = meta_of(entry.handle());
  op["structured"] = false;
  for (const auto& form : {base + "_" + overload, base + ".out", base + overload + "_out"})
    if (!out && !own_meta.empty() && meta_of(Registry::get().find_schema(form)) == own_meta) op["structured"] = true;
  op["batch_rule"] = own({DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchBatchedDecomposition}) ||
                     (entry.has_schema() && (entry.has_tag(Tag::pointwise) || func::detail::find_rule(entry.schema())));
  op["in_place"] = sibling(base + "_" + overload);
  return op;
}

void print_md(const std::vector<Json>& all) {
  std::printf(
      "| operator | tags | variants | device check | device guard | kernels | derivative | meta | structured | batch rule "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Json& op : all) {
    std::string keys;
    for (const auto& [key, list] : op["kernels"].items()) {
      std::string place = list[0]["place"];
      if (place.starts_with("registered at ")) place = place.substr(14);
      keys += concat(keys.empty() ? "" : ", ", key, " (", place, ")");
    }
    auto joined = [&](const char* what) {
      std::string list;
      for (const std::string one : op[what]) list += concat(list.empty() ? "" : ", ", one);
      return list;
    };
    auto mark = [&](const char* what) { return op[what].get<bool>() ? "yes" : ""; };
    std::string schema =
        op["schema"].is_null() ? op["name"].get<std::string>() + " (not defined)" : op["schema"].get<std::string>();
    for (std::size_t i = 0; (i = schema.find('|', i)) != std::string::npos; i += 2) schema.insert(i, "\\");
    std::printf("| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", schema.c_str(), joined("tags").c_str(),
                joined("variants").c_str(), mark("device_check"), mark("device_guard"), keys.c_str(),
                mark("derivative"), mark("meta"), mark("structured"), mark("batch_rule"));
  }
}

/// The dtypes of calls that it accepts; empty for one without a kernel that serves the CPU, and where no call is found.
Json dtypes_of(const OperatorEntry& entry) {
  Json names = Json::array();
  if (entry.has_schema())
    for (ScalarType dtype : testing::accepted_dtypes(entry.name())) names.push_back(to_string(dtype));
  return names;
}

/// Whether a back end's tensors have no kernel where the CPU's have one.
bool lacks(const OperatorEntry& entry, DispatchKey key) {
  auto has = [&](DispatchKey k) {
    const auto* kernel = entry.kernel_at(k);
    return kernel && !(*kernel)->is_fallthrough;
  };
  return has(DispatchKey::CPU) && !has(key) && !has(DispatchKey::CompositeImplicitAutograd) &&
         !has(DispatchKey::CompositeExplicitAutograd) && !has(DispatchKey::CompositeExplicitAutogradNonFunctional);
}

int print_lacking(const std::string& back_end, const std::string& part) {
  DispatchKey key;
  try {
    key = parse_dispatch_key(back_end);
  } catch (const ValueError& e) { return std::fprintf(stderr, "opdump: %s\n", e.what()), 2; }
  for (const auto& op : Registry::get().operators())
    if (op.name().find(part) != std::string::npos && lacks(op.entry(), key))
      std::printf("%.*s\n", static_cast<int>(op.name().size()), op.name().data());
  return 0;
}

int print_loops(const std::string& part) {
  for (const std::string& name : func::operators_without_batching_rule())
    if (name.find(part) != std::string::npos) std::printf("%s\n", name.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool json = false, dtypes = false, loops = false;
  std::string lacking;
  std::string part;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0)
      json = true;
    else if (std::strcmp(argv[i], "--md") == 0)
      json = false;
    else if (std::strcmp(argv[i], "--dtypes") == 0)
      dtypes = true;
    else if (std::strcmp(argv[i], "--loops") == 0)
      loops = true;
    else if (std::strncmp(argv[i], "--lacks=", 8) == 0)
      lacking = argv[i] + 8;
    else if (std::strncmp(argv[i], "--load=", 7) == 0) {
      if (!dlopen(argv[i] + 7, RTLD_NOW)) return std::fprintf(stderr, "%s\n", dlerror()), 2;
    } else if (argv[i][0] == '-')
      return std::fprintf(stderr,
                          "usage: opdump [--json | --md | --lacks=KEY | --loops] [--dtypes] [--load=PLUGIN] [PART]\n"),
             2;
    else
      part = argv[i];
  }
  check_registrations();
  std::vector<Json> all;
  if (!lacking.empty()) return print_lacking(lacking, part);
  if (loops) return print_loops(part);
  for (const auto& op : Registry::get().operators())
    if (op.name().find(part) != std::string::npos) {
      all.push_back(describe(op.entry()));
      if (dtypes) all.back()["dtypes"] = dtypes_of(op.entry());
    }
  if (json)
    std::printf("%s\n", Json(all).dump(1).c_str());
  else
    print_md(all);
}
