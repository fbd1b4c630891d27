// Registers axes, joins, splits, repetitions, differences and second names, which are made of other operators.
#include <tenon/composite/axes.hpp>
#include <tenon/composite/diagonal.hpp>
#include <tenon/composite/difference.hpp>
#include <tenon/composite/matching.hpp>
#include <tenon/composite/pad.hpp>
#include <tenon/composite/pixels.hpp>
#include <tenon/composite/repeat.hpp>
#include <tenon/composite/second_names.hpp>
#include <tenon/composite/packed_sequence.hpp>
#include <tenon/composite/sequences.hpp>
#include <tenon/composite/split.hpp>
#include <tenon/composite/stacks.hpp>
#include <tenon/composite/turn.hpp>
#include <tenon/composite/weight_norm.hpp>
