// Functions that are compiled once per program: their headers declare them, the headers under bodies/ define them.
#pragma once

/// Stands before each definition in a header under bodies/. Several units may include it; the linker keeps one copy. In
/// the compiled library each stands in one unit: there a definition is an ordinary one, and a second one an error.
/// With TENON_ONE_UNIT one unit of the program alone includes bodies, and what it does not use costs no code.
/// TENON_COLD_BODY is for what runs while a program starts, fails or explains itself, TENON_COLD for templates of that
/// kind: such a unit compiles them for size.
#ifdef TENON_ONE_UNIT
#define TENON_BODY inline
#define TENON_COLD [[gnu::cold]]
#define TENON_COLD_BODY [[gnu::cold]] inline
#elif defined(TENON_KERNELS_COMPILED)
#define TENON_BODY
#define TENON_COLD
#define TENON_COLD_BODY
#else
#define TENON_BODY [[gnu::weak]]
#define TENON_COLD
#define TENON_COLD_BODY TENON_BODY
#endif
