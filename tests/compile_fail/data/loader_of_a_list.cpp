// A loader of what is neither a data set nor a stream.
// expect-error: a DataLoader takes a data set with size\(\) and get\(i\), or, with data/stream_loader.hpp included, a
// stream with begin\(seed, epoch\)
#include <tenon/data/data_loader.hpp>

#ifdef FIXED
using Samples = tenon::data::ListDataset<int>;
#else
using Samples = std::vector<int>;
#endif

void no_pass(tenon::data::DataLoader<Samples>& loader) { static_cast<void>(loader.end()); }
