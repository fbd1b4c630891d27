// The registration of `empty.memory_format` as the walkthroughs follow it: one definition and the blocks of several
// keys, in any order: what the registry then holds, and the line that each step prints where the environment asks.
#include <algorithm>
#include <functional>

#include "../child.hpp"
#include "support.hpp"

using namespace support;
using K = DispatchKey;

namespace {

const std::string arguments =
    "(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
    "MemoryFormat? memory_format=None) -> Tensor";
int chosen = 0;
template <int N>
Tensor empty(SymIntArrayRef, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>,
             std::optional<bool>, std::optional<MemoryFormat>) {
  chosen = N;
  return tensor_of(K::CPU);
}
std::string call() {
  chosen = 0;
  boxed(op("_test::empty", "memory_format"), Value::list({Value(2)}), Value(), Value(), Value(), Value(), Value());
  return std::to_string(chosen);
}
std::string at_line(int line) { return concat("registered at ", __FILE__, ":", line); }

}  // namespace

TEST_CASE("W2: a definition and the blocks of its kernels, in every order", "[library][walkthrough]") {
  PlainFallbacks fallbacks;
  int defined = 0, selects = 0, cpu_line = 0, skipped = 0;
  const std::function<Library()> blocks[] = {
      [&] {
        Library m = def();
        defined = __LINE__ + 1;
        m.def("empty.memory_format" + arguments, {"core", "pt2_compliant_tag"});
        return m;
      },
      [&] {
        Library m = impl(K::BackendSelect);
        selects = __LINE__ + 1;
        m.impl("_test::empty.memory_format", TENON_FN(&empty<1>));
        return m;
      },
      [&] {
        Library m = impl(K::CPU);
        cpu_line = __LINE__ + 1;
        m.impl("empty.memory_format", TENON_FN(&empty<2>));
        return m;
      },
      [&] {
        Library m = fragment();
        skipped = __LINE__ + 1;
        for (K k : {K::Conjugate, K::ZeroTensor, K::Negative}) m.impl("empty.memory_format", k, fallthrough());
        return m;
      },
  };
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::string first;
  do {
    std::vector<Library> made;
    bool is_defined = false;
    for (std::size_t i : order) {
      made.push_back(blocks[i]());
      is_defined = is_defined || i == 0;
      if (!is_defined)
        CHECK_ERROR(
            op("_test::empty", "memory_format"), NotImplementedError,
            "Could not find schema for _test::empty.memory_format but we found an implementation; did you forget to def() the operator?");
    }
    OperatorEntry& e = entry("_test::empty.memory_format");
    CHECK(schema::to_string(op("_test::empty", "memory_format").schema()) == "_test::empty.memory_format" + arguments);
    CHECK(e.definition_place().text() == at_line(defined));
    CHECK(e.tags() == TagSet{Tag::core, Tag::pt2_compliant_tag});
    CHECK(call() == "1");
    std::string state = dump_state(e);
    if (first.empty()) first = state;
    CHECK(state == first);
    made.clear();
    CHECK_FALSE(Registry::get().find_op("_test::empty.memory_format"));
  } while (std::next_permutation(order.begin(), order.end()));
  std::string type =
      " :: (SymInt[] _0, ScalarType? _1, Layout? _2, Device? _3, bool? _4, MemoryFormat? _5) -> Tensor [ boxed symint ]\n";
  std::string expected = "name: _test::empty.memory_format\nschema: _test::empty.memory_format" + arguments +
                         "\ndebug: " + at_line(defined) +
                         "\nalias analysis kind: FROM_SCHEMA\nBackendSelect: " + at_line(selects) + type;
  for (const char* key : {"Conjugate", "Negative", "ZeroTensor"})
    expected += std::string(key) + ": " + at_line(skipped) + " :: (none) [ fallthrough ]\n";
  CHECK(first == expected + "CPU: " + at_line(cpu_line) + type);
}

TEST_CASE("W2: a second kernel at a key hides the first, which returns when it ends", "[library][walkthrough]") {
  PlainFallbacks fallbacks;
  Warnings quiet;
  Library m = fragment();
  m.def("empty.memory_format" + arguments).impl("empty.memory_format", K::CatchAll, TENON_FN(&empty<1>));
  CHECK(entry("_test::empty.memory_format").kernel_at(K::CompositeImplicitAutograd));
  CHECK(call() == "1");
  {
    Library again = impl();
    again.impl("empty.memory_format", TENON_FN(&empty<2>));
    CHECK(call() == "2");
  }
  CHECK(call() == "1");
}

TEST_CASE("W2: the keys of an operator's kernels are listed in the order of the table", "[library][walkthrough]") {
  Library m = fragment();
  m.def("empty.memory_format" + arguments);
  for (K k : {K::MkldnnCPU, K::QuantizedMeta, K::Meta, K::QuantizedCUDA, K::CUDA, K::QuantizedCPU, K::CPU})
    m.impl("empty.memory_format", k, TENON_FN(&empty<1>));
  std::vector<std::string> listed;
  KeySet::full().for_each([&](K k) {
    if (entry("_test::empty.memory_format").kernel_at(k)) listed.emplace_back(to_string(k));
  });
  CHECK(listed ==
        std::vector<std::string>{"CPU", "CUDA", "Meta", "QuantizedCPU", "QuantizedCUDA", "QuantizedMeta", "MkldnnCPU"});
}

namespace {
std::string place(int line) { return concat(" @ registered at ", __FILE__, ":", line, "\n"); }
std::string registration_lines;  // what the hidden test expects to be printed

void register_all() {
  constexpr int first = __LINE__;
  Library lib = def();
  lib.def("empty.memory_format" + arguments);
  Library bottom = impl(K::CPU);
  bottom.impl("empty.memory_format", TENON_FN(&empty<2>));
  lib.def("plain(Tensor self) -> Tensor");
  Library fall = fragment();
  fall.impl("empty.memory_format", K::Conjugate, fallthrough());
  registration_lines = concat("register Def _test::empty memory_format with _test::empty.memory_format", arguments,
                              place(first + 2), "register Impl _test::empty memory_format - CPU", place(first + 4),
                              "register Def _test::plain with _test::plain(Tensor self) -> Tensor", place(first + 5),
                              "register Impl _test::empty memory_format - Conjugate", place(first + 7));
}
}  // namespace

TEST_CASE("the registrations of a program that shows them", "[.][registration_child]") { register_all(); }

TEST_CASE("W2: the environment's switch prints a line for each registration", "[library][walkthrough]") {
  register_all();
  std::string all = child("TENON_SHOW_REGISTRATIONS=1", "registration_child"), own;
  // The library's own come first, when the program starts.
  CHECK(all.find("register Def aten::empty memory_format with aten::empty.memory_format" + arguments + " @ ") !=
        all.npos);
  CHECK(all.find("register Impl aten::empty memory_format - CPU @ registered at ") != all.npos);
  CHECK(all.find("register Fallback - BackendSelect @ registered at ") != all.npos);
  for (std::size_t at = 0, end; (end = all.find('\n', at)) != all.npos; at = end + 1)
    if (std::string line = all.substr(at, end - at + 1); line.find(" _test") != line.npos) own += line;
  const std::string lib = "register lib _test @ registered at ";
  CHECK(own.substr(0, lib.size()) == lib);
  CHECK(own.substr(own.find('\n') + 1) == registration_lines);
  CHECK(child("TENON_SHOW_REGISTRATIONS=0", "registration_child") == "");
}
