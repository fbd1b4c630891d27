// Registers embeddings.
#include <tenon/composite/embedding.hpp>
#include <tenon/cpu/embedding_bag.hpp>
