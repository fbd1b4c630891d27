// Registers random numbers, distributions and dropout.
#include <tenon/composite/distributions.hpp>
#include <tenon/composite/dropout.hpp>
#include <tenon/composite/functional.hpp>
#include <tenon/composite/philox.hpp>
#include <tenon/composite/random.hpp>
#include <tenon/cpu/distributions.hpp>
#include <tenon/cpu/philox.hpp>
#include <tenon/cpu/random.hpp>
