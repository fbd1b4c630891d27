// Operators in static archives: a linker takes from an archive only what somebody names.
#pragma once

/// In one .cpp of a pack of operators, at global scope. The blocks that shall come with it stand in the same file, or
/// in files whose packs it names by TENON_USE_PACK.
#define TENON_PACK(NAME)                   \
  extern "C" const char tenon_pack_##NAME; \
  const char tenon_pack_##NAME = 0

/// In the program that wants the pack, at global scope: the pack's blocks register, or the link fails with
/// `undefined reference to tenon_pack_NAME`.
#define TENON_USE_PACK(NAME)               \
  extern "C" const char tenon_pack_##NAME; \
  [[gnu::used]] static const char* const tenon_use_of_pack_##NAME = &tenon_pack_##NAME
