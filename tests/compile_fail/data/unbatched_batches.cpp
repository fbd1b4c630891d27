// Samples one by one, of a sampler that names batches.
// expect-error: Unbatched hands out samples, a batch sampler names batches
#include <tenon/data/data_loader.hpp>

using namespace tenon::data;

#ifdef FIXED
using Order = SequentialSampler;
inline Order order() { return Order(4); }
#else
using Order = BatchSampler<SequentialSampler>;
inline Order order() { return Order(SequentialSampler(4), 2, false); }
#endif

int first() {
  DataLoader loader(ListDataset<int>({1, 2, 3, 4}), order(), {}, Unbatched());
  return loader.pass().next().value_or(0);
}
