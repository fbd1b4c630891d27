// Registers search in sorted sequences, membership, unique elements and histograms on the CPU.
#include <tenon/cpu/histogram.hpp>
#include <tenon/cpu/histogramdd.hpp>
#include <tenon/cpu/search.hpp>
#include <tenon/cpu/unique.hpp>
