// A small vector moves its elements as bytes, so they must be trivially copyable.
// expect-error: tenon: a SmallVector moves its elements as bytes
#include <string>

#include <tenon/base/dim_vector.hpp>

#ifdef FIXED
tenon::SmallVector<char, 8> letters;
#else
tenon::SmallVector<std::string, 8> words;
#endif
