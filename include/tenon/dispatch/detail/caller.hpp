// Which line of a program an error came out of, by option: found from the stack and the program's debug information.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <tenon/base/error.hpp>
#if __has_include(<execinfo.h>) && __has_include(<link.h>)
#define TENON_INTERNAL_HAS_STACK 1
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#endif

namespace tenon::detail {

#if TENON_INTERNAL_HAS_STACK
/// The file that an address of code was loaded from, and the address in that file.
struct CodeAddress {
  std::string file;
  std::uintptr_t at = 0;
};
[[gnu::cold]] inline CodeAddress code_address(const void* of) {
  CodeAddress found{"", reinterpret_cast<std::uintptr_t>(of)};
  // Of executables the first object's name is empty. A plugin's base is above those of all objects that it is not in.
  auto look = [](dl_phdr_info* object, std::size_t, void* data) {
    auto& f = *static_cast<CodeAddress*>(data);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
      if (segment.p_type != PT_LOAD || f.at < begin || f.at - begin >= segment.p_memsz) continue;
      f.file = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
      f.at -= object->dlpi_addr;
      return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(look, &found) ? found : CodeAddress{};
}

/// `FILE:LINE` of the first function at these addresses, in hexadecimal, that is not the library's.
[[gnu::cold]] inline std::string line_outside(std::string file, const std::string& addresses) {
  if (file == "/proc/self/exe") {  // the command is another program
    char path[4096] = {};
    if (!realpath(file.c_str(), path)) return {};
    file = path;
  }
  if (file.empty() || file.find('\'') != file.npos) return {};
  std::FILE* lines = popen(concat("addr2line -i -e '", file, "'", addresses, " 2>/dev/null").c_str(), "r");
  if (!lines) return {};
  std::string found;
  char text[4200];
  while (std::fgets(text, sizeof(text), lines)) {
    std::string_view line(text);
    line = line.substr(0, line.find('\n'));
    line = line.substr(0, line.find(" (discriminator"));
    bool known = !line.starts_with("??") && !line.ends_with(":?") && !line.ends_with(":0");
    bool ours = line.find("include/tenon/") != line.npos || line.find("kernels_cpu/") != line.npos ||
                line.find("/c++/") != line.npos || line.find("/sysdeps/") != line.npos ||  // what calls main()
                line.find("/csu/libc-start.c") != line.npos;
    if (known && !ours && found.empty()) found = line;
  }
  pclose(lines);
  return found;
}

/// The same of a stack, whose frames hold where their calls return to. Costs a run of addr2line, which reads the
/// program's debug information: seconds of large programs.
[[gnu::cold]] inline std::string line_of_caller(void* const* frames, int count) {
  // Read once for all neighbours from one file.
  std::string file, addresses, line;
  for (int i = 0; i <= count && line.empty(); ++i) {
    CodeAddress next = i < count ? code_address(static_cast<const char*>(frames[i]) - 1) : CodeAddress{};
    if (next.file != file) {
      if (!addresses.empty()) line = line_outside(file, addresses);
      file = next.file;
      addresses.clear();
    }
    char digits[2 * sizeof(next.at) + 2];
    std::snprintf(digits, sizeof(digits), " %zx", static_cast<std::size_t>(next.at));
    addresses += digits;
  }
  return line;
}
#endif

/// The stack where a call was made, to ask later which line of the program that is.
class CallStack {
 public:
#if TENON_INTERNAL_HAS_STACK
  [[gnu::cold, gnu::noinline]] CallStack() : count_(backtrace(frames_, kMost)) {}
  /// `program.cpp:12`; empty if the program has no debug information, `addr2line` is missing or the caller lies deeper.
  [[gnu::cold]] std::string line() const {
    return count_ > 1 ? line_of_caller(frames_ + 1, count_ - 1) : std::string();
  }
  bool is_whole() const { return count_ < kMost; }

 private:
  static constexpr int kMost = 64;
  void* frames_[kMost];
  int count_;
#else
  std::string line() const { return {}; }
  bool is_whole() const { return false; }
#endif
};

/// Adds the line `in program.cpp:12` to an error where TENON_SHOW_CALLERS is set: the caller of the operator, if the
/// program was compiled with -g and `addr2line` is installed, or else that these are wanted.
[[gnu::cold]] inline void add_caller(Error& error) {
  const char* word = std::getenv("TENON_SHOW_CALLERS");
  if (!word || !*word || std::string_view(word) == "0") return;
  const CallStack stack;
  std::string line = stack.line();
  // Of a deeper stack the caller may be one of the frames that are left out.
  if (line.empty() && stack.is_whole())
    line = "an unknown line: TENON_SHOW_CALLERS names those of programs compiled with -g, where addr2line is installed";
  // An error that passes several calls has one caller.
  if (!line.empty() && std::string_view(error.what()).find(line) == std::string_view::npos) error.add_context(line);
}

}  // namespace tenon::detail

#undef TENON_INTERNAL_HAS_STACK
