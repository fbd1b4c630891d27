// Registers factories, copies and views.
#include <tenon/cpu/convert_ops.hpp>
#include <tenon/cpu/copy_kernels.hpp>
#include <tenon/cpu/factory.hpp>
#include <tenon/cpu/random.hpp>
#include <tenon/cpu/random_factory.hpp>
#include <tenon/cpu/view.hpp>
#include <tenon/cpu/view_more.hpp>
