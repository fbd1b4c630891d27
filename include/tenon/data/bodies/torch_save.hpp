// The parts of a file of torch.save(), one after the other.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

#include <tenon/base/body.hpp>
#include <tenon/data/detail/pickle_writer.hpp>
#include <tenon/data/detail/zip_writer.hpp>
#include <tenon/data/torch_save.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/io/detail/header_json.hpp>

namespace tenon::data {

namespace detail {

inline PickleWriter pickle_of(const NamedTensors& tensors) {
  std::unordered_set<std::string_view> names;
  for (const auto& [name, t] : tensors)
    TENON_CHECK(names.insert(name).second, ValueError, "save_torch(): expected one tensor named '", name, "', got two");
  PickleWriter pickle(&::tenon::detail::is_utf8);
  pickle.ordered_dict(tensors);
  return pickle;
}
inline PickleWriter pickle_of(const Value& value) {
  PickleWriter pickle(&::tenon::detail::is_utf8);
  pickle.value(value);
  return pickle;
}
template <class Write>
void write_torch(PickleWriter pickle, Write write) {
  // The alignment at which readers may map tensors, and what the file says of itself.
  ZipWriter zip(write, 64);
  zip.add("archive/data.pkl", pickle.finish());
  zip.add("archive/.format_version", "1");
  zip.add("archive/.storage_alignment", "64");
  zip.add("archive/byteorder", "little");
  for (std::size_t i = 0; i < pickle.storages().size(); ++i) {
    const Storage& s = pickle.storages()[i];
    zip.add("archive/data/" + std::to_string(i), {static_cast<const char*>(s.data()), s.nbytes()});
  }
  zip.add("archive/version", "3\n");
  zip.finish();
}
inline std::string torch_bytes(PickleWriter pickle) {
  std::string out;
  write_torch(std::move(pickle), [&](const char* bytes, std::size_t n) { out.append(bytes, n); });
  return out;
}
inline void torch_to_file(const std::string& path, PickleWriter pickle) {
  ::tenon::detail::FileWriter file(path);
  write_torch(std::move(pickle), [&](const char* bytes, std::size_t n) { file.write(bytes, n); });
  file.finish();
}

}  // namespace detail

TENON_COLD_BODY void save_torch(const std::string& path, const NamedTensors& tensors) {
  detail::torch_to_file(path, detail::pickle_of(tensors));
}
TENON_COLD_BODY void save_torch(const std::string& path, const Value& value) {
  detail::torch_to_file(path, detail::pickle_of(value));
}
TENON_COLD_BODY std::string encode_torch(const NamedTensors& tensors) {
  return detail::torch_bytes(detail::pickle_of(tensors));
}
TENON_COLD_BODY std::string encode_torch(const Value& value) { return detail::torch_bytes(detail::pickle_of(value)); }

}  // namespace tenon::data
