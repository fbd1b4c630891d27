// What is one per process although several shared objects include the headers.
#pragma once

/// Visible to other shared objects, whatever the unit's default is.
#define TENON_EXPORT __attribute__((visibility("default")))

/// TENON_THREAD_WORD(type, name, initial value...) declares a thread-local variable of the library,
/// constant-initialised so that no wrapper function stands before it. In a single program each unit brings it along.
/// With TENON_SHARED_RUNTIME defined for every unit, the shared object built from `runtime/` owns it.
/// TENON_PROCESS_WORD(type, name, initial value...) is the same without threads, and
/// TENON_PROCESS_OBJECT(type, name, arguments...) a function of that name, which makes the process's object at its
/// first call and returns it.
#if !defined(TENON_SHARED_RUNTIME)
#define TENON_THREAD_WORD(TYPE, NAME, ...) \
  inline constinit thread_local TYPE NAME TENON_TLS_MODEL { __VA_ARGS__ }
#define TENON_PROCESS_WORD(TYPE, NAME, ...) \
  inline constinit TYPE NAME { __VA_ARGS__ }
#define TENON_PROCESS_OBJECT(TYPE, NAME, ...) \
  inline TYPE& NAME() {                       \
    static TYPE object{__VA_ARGS__};          \
    return object;                            \
  }
#elif defined(TENON_INTERNAL_RUNTIME_OWNER)
#define TENON_THREAD_WORD(TYPE, NAME, ...)              \
  extern TENON_EXPORT constinit thread_local TYPE NAME; \
  constinit thread_local TYPE NAME { __VA_ARGS__ }
#define TENON_PROCESS_WORD(TYPE, NAME, ...) \
  extern TENON_EXPORT TYPE NAME;            \
  constinit TYPE NAME { __VA_ARGS__ }
#define TENON_PROCESS_OBJECT(TYPE, NAME, ...) \
  TENON_EXPORT TYPE& NAME();                  \
  TYPE& NAME() {                              \
    static TYPE object{__VA_ARGS__};          \
    return object;                            \
  }
#else
#define TENON_THREAD_WORD(TYPE, NAME, ...) extern TENON_EXPORT constinit thread_local TYPE NAME TENON_TLS_MODEL
#define TENON_PROCESS_WORD(TYPE, NAME, ...) extern TENON_EXPORT TYPE NAME
#define TENON_PROCESS_OBJECT(TYPE, NAME, ...) TENON_EXPORT TYPE& NAME();
#endif

/// A plugin that is opened at run time may set this to `__attribute__((tls_model("initial-exec")))`: calls are 2 ns
/// faster.
#ifndef TENON_TLS_MODEL
#define TENON_TLS_MODEL
#endif
