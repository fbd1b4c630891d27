// Parts joined into one file, and taken out of it again or not at all.
#pragma once
#include <optional>

#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/size.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/training/checkpoint.hpp>

namespace tenon::training {

namespace detail {

TENON_COLD_BODY Tensor number_as_tensor(double value) { return scalar_tensor(value, kDouble); }
TENON_COLD_BODY Tensor number_as_tensor(std::int64_t value) { return scalar_tensor(value, kLong); }
TENON_COLD_BODY const Tensor& single(const NamedTensors& tensors, const std::string& part) {
  TENON_CHECK(tensors.size() == 1 && tensors[0].first.empty(), ValueError, "load_checkpoint(): part '", part,
              "': expected one tensor, got ", tensors.size(), tensors.size() == 1 ? " with a name of its own" : "");
  return tensors[0].second;
}
inline void check_number(const Tensor& t, const std::string& part, ScalarType dtype) {
  TENON_CHECK(t.numel() == 1 && t.dtype() == dtype, ValueError, "load_checkpoint(): part '", part,
              "': expected one number of dtype ", dtype, ", got ", t.dtype(), " of shape ", t.sizes());
}
TENON_COLD_BODY void number_from_tensor(const Tensor& t, const std::string& part, double& to) {
  check_number(t, part, kDouble);
  to = t.item<double>();
}
TENON_COLD_BODY void number_from_tensor(const Tensor& t, const std::string& part, std::int64_t& to) {
  check_number(t, part, kLong);
  to = t.item<std::int64_t>();
}
TENON_COLD_BODY void number_too_large(std::int64_t value, const std::string& part) {
  fail<ValueError>("load_checkpoint(): part '", part, "': ", value, " does not fit the variable's type");
}

/// Metadata that names the parts; the rest of the keys are the caller's.
inline constexpr const char* kParts = "tenon.checkpoint";

inline void check_names(const char* function, const std::vector<CheckpointPart>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& name = parts[i].name();
    TENON_CHECK(!name.empty() && name.find_first_of(".,") == std::string::npos, ValueError, function,
                ": expected names of parts without points and commas, got '", name, "'");
    for (std::size_t j = 0; j < i; ++j)
      TENON_CHECK(parts[j].name() != name, ValueError, function, ": expected one part '", name, "', got two");
  }
}
inline NamedTensors copied(NamedTensors tensors) {
  for (auto& [name, t] : tensors) t = ops::clone(ops::detach(t));
  return tensors;
}

}  // namespace detail

TENON_COLD_BODY void save_checkpoint(const std::string& path, const std::vector<CheckpointPart>& parts,
                                     const Metadata& metadata) {
  detail::check_names("save_checkpoint()", parts);
  NamedTensors all;
  std::string names;
  for (const CheckpointPart& part : parts) {
    names += (names.empty() ? "" : ",") + part.name();
    for (auto& [name, t] : part.state())
      all.emplace_back(name.empty() ? part.name() : part.name() + "." + name, ops::detach(t));
  }
  Metadata with_names = metadata;
  with_names.emplace_back(detail::kParts, names);
  save_safetensors(path, all, with_names);
}

TENON_COLD_BODY Metadata load_checkpoint(const std::string& path, const std::vector<CheckpointPart>& parts) {
  detail::check_names("load_checkpoint()", parts);
  SafetensorsFile file = SafetensorsFile::open(path);
  std::optional<std::string_view> names = file.metadata(detail::kParts);
  TENON_CHECK(names, FileError, path, ": expected a checkpoint, got a safetensors file without parts");
  std::vector<NamedTensors> found(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& own = parts[i].name();
    std::string list = "," + std::string(*names) + ",";
    TENON_CHECK(list.find("," + own + ",") != std::string::npos, FileError, path, ": expected a part '", own, "', got ",
                *names);
    for (const SafetensorsEntry& e : file.entries())
      if (e.name == own || e.name.rfind(own + ".", 0) == 0)
        found[i].emplace_back(e.name == own ? "" : e.name.substr(own.size() + 1), file.tensor(e));
  }
  // A part that does not fit is brought back, and those before it: the last first, since parts may share tensors.
  std::vector<NamedTensors> before;
  try {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].fit_lazy(found[i]);
      before.push_back(detail::copied(parts[i].state()));
      parts[i].load_state(found[i]);
    }
  } catch (...) {
    for (std::size_t i = before.size(); i-- > 0;) parts[i].load_state(before[i]);
    throw;
  }
  Metadata rest;
  for (const auto& entry : file.metadata())
    if (entry.first != detail::kParts) rest.push_back(entry);
  return rest;
}

}  // namespace tenon::training
