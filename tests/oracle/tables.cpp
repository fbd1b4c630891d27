// Makes the registrations of each line of a file, and compares the whole dispatch table with the recorded one.
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <tenon/library/library.hpp>

namespace {

using namespace tenon;
using Json = nlohmann::json;

Kernel kernel_of(bool fallthrough_kernel, std::string debug) {
  if (fallthrough_kernel) return Kernel(fallthrough()).debug(std::move(debug));
  return Kernel([](const OperatorHandle&, Stack&) {}).debug(std::move(debug));
}

/// The table as the file writes it: the origin of each entry, `CPU [kernel]` or `fallback`.
std::string origin(const OperatorTables::Computed& computed) {
  switch (computed.provenance) {
    case Provenance::Missing: return "missing";
    case Provenance::Fallback: return computed.kernel->is_fallthrough ? "fallback, a fallthrough" : "fallback";
    case Provenance::AmbiguousAutogradOther: return "ambiguous autogradother";
    default: return concat(computed.kernel->place.text(), " [", computed.provenance, "]");
  }
}

class Tables {
 public:
  explicit Tables(const Json& head) {
    for (const auto& name : head.at("keys_in_table_order")) keys_.push_back(name.get<std::string>());
    const Json& set = head.at("backend_fallbacks");
    // The program's own fallbacks are hidden as long as the comparison lasts.
    KeySet::full().for_each([&](DispatchKey key) {
      std::string name(to_string(key));
      if (!set.contains(name))
        return fallbacks_.push_back(Registry::get().override_fallback(key, std::nullopt, "no fallback"));
      bool falls = set.at(name) == "fallthrough";
      fallthrough_[name] = falls;
      fallbacks_.push_back(Registry::get().override_fallback(key, kernel_of(falls, "fallback"), "fallback"));
    });
  }

  /// An empty text, or the first few differences.
  std::string compare(const Json& line, int number) {
    Library library(Library::Kind::Fragment, "oracle");
    std::string name = "table_" + std::to_string(number);
    library.def(name + "(Tensor x) -> Tensor");
    for (const auto& key : line.at("register")) {
      std::string text = key.get<std::string>();
      library.impl(name, parse_dispatch_key(text), kernel_of(false, text));
    }
    std::map<std::string, std::string> expected;
    for (const auto& [from, names] : line.at("table").items())
      for (const auto& key : names) {
        std::string text = key.get<std::string>();
        expected[text] = from == "fallback" && fallthrough_[text] ? "fallback, a fallthrough" : from;
      }
    OperatorEntry& entry = Registry::get().find_op("oracle::" + name).entry();
    const detail::DispatchTable& built = Registry::get().tables().of(entry);
    std::string differences;
    int shown = 0, entries = 0;
    auto check = [&](DispatchKey key) {
      ++entries;
      std::string text(to_string(key));
      OperatorTables::Computed computed = Registry::get().tables().compute(entry, key);
      std::string want = expected.count(text) ? expected[text] : "missing", got = origin(computed);
      // What is published must say the same as what is computed.
      if ((built.slot[table_index(key)] != 0) != (computed.kernel != nullptr))
        got += ", and the published table differs";
      if (want != got && ++shown <= 3) differences += concat("\n  ", text, ": expected ", want, ", got ", got);
      expected.erase(text);
    };
    check(DispatchKey::Undefined);
    KeySet::full().for_each(check);
    if (entries != static_cast<int>(kTableSize))
      differences += concat("\n  ", entries, " entries compared instead of ", kTableSize);
    for (const auto& [key, from] : expected) differences += concat("\n  ", key, " is no key of ours");
    return differences;
  }

 private:
  std::vector<std::string> keys_;
  std::map<std::string, bool> fallthrough_;
  std::vector<Registration> fallbacks_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: tables FILE\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  std::string line;
  if (!file || !std::getline(file, line)) {
    std::fprintf(stderr, "cannot read %s\n", argv[1]);
    return 2;
  }
  Tables tables(Json::parse(line));
  int passed = 0, failed = 0;
  for (int number = 2; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    std::string differences;
    try {
      differences = tables.compare(Json::parse(line), number);
    } catch (const std::exception& error) { differences = std::string("\n  ") + error.what(); }
    if (differences.empty())
      ++passed;
    else if (++failed <= 20)
      std::printf("FAILED: line %d %s:%s\n", number, Json::parse(line).at("register").dump().c_str(),
                  differences.c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}
