// Registers embeddings.
#include <tenon/composite/embedding.hpp>
