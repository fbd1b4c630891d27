// Functions that are compiled once per program: their headers declare them, the headers under bodies/ define them.
#pragma once

/// Stands before each definition in a header under bodies/. Several units may include it; the linker keeps one copy.
#define TENON_BODY [[gnu::weak]]
