// expect-error: meta_function_does_not_match_schema<split_op, .*argument<3>
// expect-error: expected<(std::)?optional<long( int)?> ?>, .*found<(std::)?optional<int>
#include <tenon/structured/structured.hpp>

using namespace tenon;

#ifdef FIXED
void meta(Outputs& out, const Tensor& x, std::optional<std::int64_t>) {
#else
void meta(Outputs& out, const Tensor& x, std::optional<int>) {
#endif
  out.set_output_strided(0, x.sizes(), {}, x.dtype());
}
void kernel(const Tensor&, std::optional<std::int64_t>, const Tensor&) {}
TENON_STRUCTURED(split, "my::split(Tensor x, int? at) -> Tensor", meta);
TENON_STRUCTURED_KERNEL(split, CPU, kernel);
