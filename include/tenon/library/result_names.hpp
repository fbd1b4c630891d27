// The names of operators' results, written by `./dev lists` from the schemas.
#pragma once
#include <tenon/library/results.hpp>

// What programs may have defined is set aside.
#pragma push_macro("H")
#pragma push_macro("L")
#pragma push_macro("LD")
#pragma push_macro("LU")
#pragma push_macro("P")
#pragma push_macro("Q")
#pragma push_macro("R")
#pragma push_macro("S")
#pragma push_macro("U")
#pragma push_macro("V")
#pragma push_macro("Vh")
#pragma push_macro("a")
#undef H
#undef L
#undef LD
#undef LU
#undef P
#undef Q
#undef R
#undef S
#undef U
#undef V
#undef Vh
#undef a

TENON_RESULT_NAME(H)
TENON_RESULT_NAME(L)
TENON_RESULT_NAME(LD)
TENON_RESULT_NAME(LU)
TENON_RESULT_NAME(P)
TENON_RESULT_NAME(Q)
TENON_RESULT_NAME(R)
TENON_RESULT_NAME(S)
TENON_RESULT_NAME(U)
TENON_RESULT_NAME(V)
TENON_RESULT_NAME(Vh)
TENON_RESULT_NAME(a)
TENON_RESULT_NAME(bin_edges)
TENON_RESULT_NAME(buffer)
TENON_RESULT_NAME(cloned_coefficient)
TENON_RESULT_NAME(eigenvalues)
TENON_RESULT_NAME(eigenvectors)
TENON_RESULT_NAME(exponent)
TENON_RESULT_NAME(found_inf_out)
TENON_RESULT_NAME(grad_bias)
TENON_RESULT_NAME(grad_input)
TENON_RESULT_NAME(grad_key)
TENON_RESULT_NAME(grad_query)
TENON_RESULT_NAME(grad_value)
TENON_RESULT_NAME(grad_weight)
TENON_RESULT_NAME(growth_tracker_out)
TENON_RESULT_NAME(hist)
TENON_RESULT_NAME(indices)
TENON_RESULT_NAME(info)
TENON_RESULT_NAME(inverse)
TENON_RESULT_NAME(is_target)
TENON_RESULT_NAME(logabsdet)
TENON_RESULT_NAME(logsumexp)
TENON_RESULT_NAME(mantissa)
TENON_RESULT_NAME(mask)
TENON_RESULT_NAME(max)
TENON_RESULT_NAME(min)
TENON_RESULT_NAME(noise_out)
TENON_RESULT_NAME(output)
TENON_RESULT_NAME(pivots)
TENON_RESULT_NAME(rank)
TENON_RESULT_NAME(residuals)
TENON_RESULT_NAME(result)
TENON_RESULT_NAME(running_mean_out)
TENON_RESULT_NAME(running_var_out)
TENON_RESULT_NAME(self_out)
TENON_RESULT_NAME(sign)
TENON_RESULT_NAME(singular_values)
TENON_RESULT_NAME(solution)
TENON_RESULT_NAME(tau)
TENON_RESULT_NAME(total_weight)
TENON_RESULT_NAME(values)

#pragma pop_macro("H")
#pragma pop_macro("L")
#pragma pop_macro("LD")
#pragma pop_macro("LU")
#pragma pop_macro("P")
#pragma pop_macro("Q")
#pragma pop_macro("R")
#pragma pop_macro("S")
#pragma pop_macro("U")
#pragma pop_macro("V")
#pragma pop_macro("Vh")
#pragma pop_macro("a")
