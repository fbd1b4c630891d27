// Registers what is made of other operators: factories, conversions, elements read, and what is made of views.
#include <tenon/composite/assertions.hpp>
#include <tenon/composite/backward_names.hpp>
#include <tenon/composite/convert.hpp>
#include <tenon/composite/factory.hpp>
#include <tenon/composite/flatten_dense.hpp>
#include <tenon/composite/memory.hpp>
#include <tenon/composite/named_forms.hpp>
#include <tenon/composite/older_names.hpp>
#include <tenon/composite/sharing.hpp>
#include <tenon/composite/size.hpp>
#include <tenon/composite/strided_factory.hpp>
#include <tenon/composite/symbolic.hpp>
#include <tenon/composite/truth.hpp>
#include <tenon/composite/types.hpp>
#include <tenon/composite/view.hpp>
#include <tenon/composite/view_gradients.hpp>
