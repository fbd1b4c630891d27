// The exceptions of the library and the one way to raise them.
#pragma once
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>

namespace tenon {

/// The root of every exception that tenon throws; `what()` is the whole message.
class Error : public std::exception {
 public:
  explicit Error(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  /// Adds a line `in LINE`: the call that the error came out of.
  void add_context(std::string_view line) { (message_ += kContext) += line; }
  /// `what()` without those lines.
  std::string_view summary() const { return std::string_view(message_).substr(0, message_.find(kContext)); }

 private:
  static constexpr std::string_view kContext = "\n  in ";
  std::string message_;
};

#define TENON_INTERNAL_ERROR(NAME) \
  class NAME : public Error {      \
   public:                         \
    using Error::Error;            \
  }
/// A dimension or an element index lies outside its range.
TENON_INTERNAL_ERROR(IndexError);
/// An argument has the right type and a value that the operator refuses.
TENON_INTERNAL_ERROR(ValueError);
/// An argument has the wrong type, dtype or kind.
TENON_INTERNAL_ERROR(TypeError);
/// No kernel, no derivative or no conversion exists for this combination.
TENON_INTERNAL_ERROR(NotImplementedError);
/// A schema does not parse, or two schemas contradict each other.
TENON_INTERNAL_ERROR(SchemaError);
/// A registration contradicts the registry.
TENON_INTERNAL_ERROR(RegistrationError);
/// A gradient was asked for that the recorded graph cannot give.
TENON_INTERNAL_ERROR(AutogradError);
/// An allocator could not give memory.
TENON_INTERNAL_ERROR(OutOfMemoryError);
/// A file is damaged, or does not hold what its header says.
TENON_INTERNAL_ERROR(FileError);
/// An invariant of tenon itself is broken: a defect of the library.
TENON_INTERNAL_ERROR(InternalError);
#undef TENON_INTERNAL_ERROR

namespace detail {

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, const std::string& text) { out += text; }
inline void append(std::string& out, const char* text) { out += text; }
inline void append(std::string& out, char c) { out += c; }
inline void append(std::string& out, bool value) { out += value ? "True" : "False"; }
template <class T>
  requires std::is_integral_v<T>
void append(std::string& out, T value) { out += std::to_string(value); }
/// With the fewest digits that give the number back: `0.1`, `1e-09`.
void append(std::string& out, double value);
void append(std::string& out, float value);
template <class T>
  requires requires(const T& t) { to_string(t); }
void append(std::string& out, const T& value) { out += to_string(value); }
template <class T>
  requires(requires(const T& t) {
    t.begin();
    t.end();
    t.size();
  } && !std::is_convertible_v<T, std::string_view>)
void append(std::string& out, const T& list) {
  out += '[';
  bool first = true;
  for (const auto& item : list) {
    if (!first) out += ", ";
    first = false;
    append(out, item);
  }
  out += ']';
}

/// A part of a text by address, so that one function joins parts of all types.
struct TextPart {
  void (*append)(std::string& out, const void* value) = nullptr;
  const void* value = nullptr;
};
template <class T>
[[gnu::cold]] void append_part(std::string& out, const void* value) {
  append(out, *static_cast<const T*>(value));
}
template <class T>
constexpr TextPart text_part(const T& value) {
  return {&append_part<T>, &value};
}
[[gnu::cold]] inline void append_text(std::string& out, const void* text) { out += static_cast<const char*>(text); }
constexpr TextPart text_part(const char* text) { return {&append_text, text}; }

[[gnu::cold, gnu::noinline]] inline std::string join(const TextPart* parts, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) parts[i].append(out, parts[i].value);
  return out;
}
template <class E>
[[noreturn, gnu::cold, gnu::noinline]] void raise(const TextPart* parts, std::size_t count) {
  throw E(join(parts, count));
}
/// Literals of all lengths are one type, so that errors of one shape share their code.
template <class E, class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void raise_parts(const Parts&... parts) {
  const TextPart list[] = {text_part(parts)..., {}};
  raise<E>(list, sizeof...(Parts));
}
template <class T>
constexpr const T& shared_form(const T& x) {
  return x;
}
template <std::size_t Size>
constexpr const char* shared_form(const char (&text)[Size]) {
  return text;
}

}  // namespace detail

/// The parts as one text: numbers in decimal, lists in brackets, everything that has a `to_string`.
template <class... Parts>
std::string concat(const Parts&... parts) {
  const detail::TextPart list[] = {detail::text_part(parts)..., {}};
  return detail::join(list, sizeof...(Parts));
}

/// Throws an `E` whose message is the concatenation of the parts; never returns.
template <class E = Error, class... Parts>
[[noreturn, gnu::cold, gnu::always_inline]] inline void fail(const Parts&... parts) {
  detail::raise_parts<E>(detail::shared_form(parts)...);
}

}  // namespace tenon

/// Throws InternalError, with the condition's text and these parts, unless an invariant of the library's own holds.
#define TENON_INTERNAL_ASSERT(CONDITION, ...)    \
  TENON_CHECK(CONDITION, ::tenon::InternalError, \
              "internal assertion failed: " #CONDITION __VA_OPT__(, ": ", ) __VA_ARGS__)

/// Throws `ERROR` with the concatenated parts unless the condition holds; the parts are evaluated only then.
#define TENON_CHECK(CONDITION, ERROR, ...) \
  do {                                     \
    if (!(CONDITION)) [[unlikely]]         \
      ::tenon::fail<ERROR>(__VA_ARGS__);   \
  } while (false)
