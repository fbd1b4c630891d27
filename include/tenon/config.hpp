// What this program has of the library: version and revision, compilers, instruction sets, what it is linked with.
#pragma once
#include <string>

#include <tenon/base/selection.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/version.hpp>

/// Adds a line for each fact of the compiled library; not there in a program of headers alone.
extern "C" [[gnu::weak]] void tenon_library_facts(std::string& lines);
/// The first seven digits of the revision that the compiled library was made from, or an empty text.
extern "C" [[gnu::weak]] const char* tenon_library_revision();

namespace tenon {

/// `0.1.0+git1234567`, as PyTorch's `__version__`; `0.1.0` where the revision is not known: headers alone, an archive.
inline std::string version() {
  std::string text = std::to_string(TENON_VERSION_MAJOR) + "." + std::to_string(TENON_VERSION_MINOR) + "." +
                     std::to_string(TENON_VERSION_PATCH);
  const char* revision = tenon_library_revision ? tenon_library_revision() : "";
  return *revision ? text + "+git" + revision : text;
}

namespace detail {
inline std::string compiler_text() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}
inline std::string options_text() {
  std::string text = "C++ " + std::to_string(__cplusplus);
#ifdef __OPTIMIZE__
  text += ", optimised";
#else
  text += ", not optimised";
#endif
#ifndef NDEBUG
  text += ", with assertions";
#endif
#if defined(__SANITIZE_ADDRESS__)
  text += ", AddressSanitizer";
#elif defined(__SANITIZE_THREAD__)
  text += ", ThreadSanitizer";
#endif
  return text;
}
}  // namespace detail

/// All of it as text, a line for each fact, for reports of defects. What it says of the headers holds for the unit that
/// calls it.
inline std::string config() {
  std::string lines = "tenon " + version() + "\n";
  lines += "headers: compiled by " + detail::compiler_text() + ", " + detail::options_text() + "\n";
  if (tenon_library_facts)
    tenon_library_facts(lines);
  else
    lines += "compiled kernels: none, headers alone\n";
  constexpr const char* selected = TENON_SELECTED_OPERATORS;
  if (selected) lines += "operators: a selection\n";
  if (detail::selected_dtypes != ~std::uint64_t{0}) lines += "dtypes: a selection\n";
#ifdef TENON_SHARED_RUNTIME
  lines += "runtime: shared by several objects\n";
#endif
  return lines;
}

}  // namespace tenon
