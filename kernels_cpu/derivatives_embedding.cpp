// The derivatives of embeddings.
#include <tenon/autograd/derivatives/embedding.hpp>
