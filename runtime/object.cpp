// What each object that links libtenon.so has to itself: in place of libtenon_runtime_core.a, whose bodies are in
// there.
#include <tenon/base/shared_object.hpp>

extern "C" {
// What a unit for the shared runtime asks for.
[[gnu::visibility("hidden")]] void tenon_bodies_share_their_registry() {}

// The same name as in core/dispatch.cpp: beside another registry in the object the linker refuses this one.
[[gnu::visibility("hidden")]] extern const char
    tenon_two_registries_compile_without_TENON_SHARED_RUNTIME_and_link_the_program_with_rdynamic_see_docs_plugins_md;
const char
    tenon_two_registries_compile_without_TENON_SHARED_RUNTIME_and_link_the_program_with_rdynamic_see_docs_plugins_md =
        0;
}
