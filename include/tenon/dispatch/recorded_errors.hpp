// Errors of static registrations, which must not end a program before it begins: kept until somebody asks.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// `Registry::get().errors()`. All members may be called from any thread.
class RecordedErrors {
 public:
  RecordedErrors();
  RecordedErrors(const RecordedErrors&) = delete;
  RecordedErrors& operator=(const RecordedErrors&) = delete;
  ~RecordedErrors();

  /// Remembers an error of a static registration; `check_registrations` reports it.
  void record(std::string ns, std::string message) noexcept;
  /// Throws RegistrationError with every recorded error of the namespace of `name`, or of all for an empty name. The
  /// errors of a namespace are thrown so once.
  void throw_for(std::string_view name = {});
  /// The recorded errors, which are forgotten.
  std::vector<std::string> take();
  /// With strict registration the program ends, with the whole list on standard error, at the first use of a registry
  /// that holds errors. TENON_STRICT_REGISTRATION=1 asks for it too.
  void set_strict(bool on);

 private:
  struct State;
  State* state_;
};

}  // namespace tenon
