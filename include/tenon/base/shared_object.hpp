// What is one per process although several shared objects include the headers.
#pragma once

/// Visible to other shared objects, whatever the unit's default is.
#define TENON_EXPORT __attribute__((visibility("default")))

/// TENON_THREAD_WORD(type, name, initial value...) declares a thread-local variable of the library,
/// constant-initialised so that no wrapper function stands before it. In a single program each unit brings it along.
/// With TENON_SHARED_RUNTIME defined for every unit, the shared object built from `runtime/` owns it.
#if !defined(TENON_SHARED_RUNTIME)
#define TENON_THREAD_WORD(TYPE, NAME, ...) \
  inline constinit thread_local TYPE NAME TENON_TLS_MODEL { __VA_ARGS__ }
#elif defined(TENON_INTERNAL_RUNTIME_OWNER)
#define TENON_THREAD_WORD(TYPE, NAME, ...)              \
  extern TENON_EXPORT constinit thread_local TYPE NAME; \
  constinit thread_local TYPE NAME { __VA_ARGS__ }
#else
#define TENON_THREAD_WORD(TYPE, NAME, ...) extern TENON_EXPORT constinit thread_local TYPE NAME TENON_TLS_MODEL
#endif

/// A plugin that is opened at run time may set this to `__attribute__((tls_model("initial-exec")))`: calls are 2 ns
/// faster.
#ifndef TENON_TLS_MODEL
#define TENON_TLS_MODEL
#endif
