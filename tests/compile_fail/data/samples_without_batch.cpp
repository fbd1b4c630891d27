// Samples that nobody knows how to join.
// expect-error: samples of this type have no batch: return tensors, numbers, texts, tuples, lists, maps or structs with
// TENON_FIELDS
#include <tenon/data/data_loader.hpp>

struct Word {
  int letters = 0;
};

auto batch_of(std::vector<Word> words) {
#ifdef FIXED
  std::vector<int> letters;
  for (const Word& w : words) letters.push_back(w.letters);
  return tenon::data::DefaultCollate()(letters);
#else
  return tenon::data::DefaultCollate()(words);
#endif
}
