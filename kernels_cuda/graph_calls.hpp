// What the table of the runtime says of graphs.
#pragma once
#include <cstdint>

namespace tenon::cuda {

void* graph_create();
void graph_destroy(void* graph);
void graph_begin(void* graph, std::uint64_t pool);
void graph_end(void* graph);
void graph_replay(void* graph);
std::uint64_t graph_pool(void* graph);

}  // namespace tenon::cuda
