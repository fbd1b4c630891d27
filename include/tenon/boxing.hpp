// Boxed values and the adaptors between boxed and unboxed kernels.
#pragma once

#include <tenon/boxing/await.hpp>
#include <tenon/boxing/box.hpp>
#include <tenon/boxing/capsule.hpp>
#include <tenon/boxing/convert.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/enum_member.hpp>
#include <tenon/boxing/foreign.hpp>
#include <tenon/boxing/future.hpp>
#include <tenon/boxing/kernel.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/boxing/plain_types.hpp>
#include <tenon/boxing/quantizer.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/boxing/rref.hpp>
#include <tenon/boxing/signature.hpp>
#include <tenon/boxing/stack.hpp>
#include <tenon/boxing/unbox.hpp>
#include <tenon/boxing/value.hpp>
#include <tenon/boxing/value_text.hpp>
