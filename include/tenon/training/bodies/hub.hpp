// The list of models and the folder of their weights.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include <tenon/base/body.hpp>
#include <tenon/training/hub.hpp>

namespace tenon::training::hub {

namespace detail {

struct Model {
  std::string help;
  Maker make;
};
/// Never destroyed: static objects may take their models out at any time.
struct Models {
  std::mutex mutex;
  std::map<std::string, Model> by_name;
  std::string folder;
};
inline Models& models() {
  static auto* all = new Models;
  return *all;
}
inline void check_name(const std::string& name) {
  bool good = !name.empty() && name.front() != '.';
  for (char c : name)
    good = good && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                    c == '-' || c == '.');
  TENON_CHECK(good, ValueError, "hub: expected a name of letters, digits, '_', '-' and '.', got '", name, "'");
}
inline Model model_of(const std::string& name) {
  Models& all = models();
  std::lock_guard lock(all.mutex);
  auto at = all.by_name.find(name);
  if (at != all.by_name.end()) return at->second;
  std::string known;
  for (const auto& [other, model] : all.by_name) known += (known.empty() ? "" : ", ") + other;
  fail<ValueError>("hub: no model named '", name, "'; there ", known.empty() ? "are none" : "are: ", known);
}

TENON_COLD_BODY void add(const std::string& name, std::string help, Maker make) {
  check_name(name);
  Models& all = models();
  std::lock_guard lock(all.mutex);
  bool added = all.by_name.emplace(name, Model{std::move(help), make}).second;
  TENON_CHECK(added, ValueError, "hub: there is a model named '", name, "' already");
}
TENON_COLD_BODY void remove(const std::string& name) noexcept {
  Models& all = models();
  std::lock_guard lock(all.mutex);
  all.by_name.erase(name);
}
TENON_COLD_BODY std::string path_to_write(const std::string& name) {
  std::string path = weights_path(name), folder = dir();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  TENON_CHECK(!error, FileError, folder, ": cannot be made: ", error.message());
  return path;
}

}  // namespace detail

TENON_COLD_BODY std::vector<std::string> list() {
  detail::Models& all = detail::models();
  std::lock_guard lock(all.mutex);
  std::vector<std::string> names;
  for (const auto& [name, model] : all.by_name) names.push_back(name);
  return names;
}
TENON_COLD_BODY std::string help(const std::string& name) { return detail::model_of(name).help; }

TENON_COLD_BODY std::string dir() {
  detail::Models& all = detail::models();
  std::lock_guard lock(all.mutex);
  if (!all.folder.empty()) return all.folder;
  auto word = [](const char* variable) {
    const char* text = std::getenv(variable);
    return std::string(text ? text : "");
  };
  if (std::string own = word("TENON_HUB_DIR"); !own.empty()) return own;
  std::filesystem::path cache = word("XDG_CACHE_HOME");
  if (cache.empty()) cache = std::filesystem::path(word("HOME")) / ".cache";
  return (cache / "tenon" / "hub").string();
}
TENON_COLD_BODY void set_dir(std::string path) {
  detail::Models& all = detail::models();
  std::lock_guard lock(all.mutex);
  all.folder = std::move(path);
}
TENON_COLD_BODY std::string weights_path(const std::string& name) {
  detail::check_name(name);
  return (std::filesystem::path(dir()) / (name + ".safetensors")).string();
}

TENON_COLD_BODY nn::AnyModule make(const std::string& name) { return detail::model_of(name).make(); }
TENON_COLD_BODY nn::AnyModule load(const std::string& name) {
  nn::AnyModule module = make(name);
  std::string path = weights_path(name);
  std::error_code error;
  TENON_CHECK(std::filesystem::exists(path, error), FileError, path, ": no weights of the model '", name,
              "' are there; hub::publish() writes them, hub::set_dir() names another folder");
  nn::load(module, path);
  return module;
}

}  // namespace tenon::training::hub
