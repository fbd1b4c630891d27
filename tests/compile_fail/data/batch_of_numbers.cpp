// A struct with a number, whose batch would need a tensor in its place.
// expect-error: a field of the batch cannot hold what the fields of the samples collate to; numbers become a Tensor
#include <tenon/data/collate.hpp>

struct Batch {
  tenon::Tensor image, label;
  TENON_FIELDS(image, label)
};
struct Sample {
#ifdef FIXED
  using batch_type = Batch;
#endif
  tenon::Tensor image;
  int label = 0;
  TENON_FIELDS(image, label)
};

auto batch_of(std::vector<Sample> samples) { return tenon::data::collate(std::move(samples)); }
