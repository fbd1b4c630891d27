// Boxed values and the adaptors between boxed and unboxed kernels.
#pragma once

#include <tenon/boxing/box.hpp>
#include <tenon/boxing/convert.hpp>
#include <tenon/boxing/kernel.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/boxing/signature.hpp>
#include <tenon/boxing/unbox.hpp>
#include <tenon/boxing/value.hpp>
#include <tenon/boxing/value_text.hpp>
