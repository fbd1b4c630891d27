// Dispatch keys, key sets and the thread's include and exclude words.
#pragma once

#include <tenon/keys/autocast_state.hpp>
#include <tenon/keys/dispatch_key.hpp>
#include <tenon/keys/key_set.hpp>
#include <tenon/keys/local_keys.hpp>
