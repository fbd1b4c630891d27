// Throwing an error anew with another text, as an object that nobody else has.
#pragma once
#include <exception>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include <tenon/base/error.hpp>
#include <tenon/base/linalg_error.hpp>

namespace tenon::detail {

template <class... E>
void throw_if_same(const std::exception& e, const std::string& text) {
  ((typeid(e) == typeid(E) ? throw E(text) : void()), ...);
}
/// Throws an error of the same type with that text; returns for one of a type of a user's own.
inline void throw_same_type(const Error& e, const std::string& text) {
  throw_if_same<IndexError, ValueError, TypeError, NotImplementedError, SchemaError, RegistrationError, AutogradError,
                OutOfMemoryError, FileError, InternalError, LinAlgError, Error>(e, text);
}
/// The same of the standard's types that hold a text.
inline void throw_same_standard_type(const std::exception& e, const std::string& text) {
  throw_if_same<std::runtime_error, std::logic_error, std::invalid_argument, std::domain_error, std::length_error,
                std::out_of_range, std::range_error, std::overflow_error, std::underflow_error>(e, text);
}

/// Throws a copy of the exception: an error gets words added where it passes, which others that it was thrown to are
/// not to see. One of a type of a user's own is thrown as it is.
[[noreturn, gnu::cold]] inline void rethrow_copy(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& e) {
    throw_same_type(e, e.what());
    throw;
  }
}

}  // namespace tenon::detail
