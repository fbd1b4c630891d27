// What programs that want the pack include: it registers, or they do not link.
#pragma once
#include <tenon/library/pack.hpp>

TENON_USE_PACK(demo);
