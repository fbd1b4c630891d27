// What the run of the engine that a thread is in can be asked from within.
#pragma once
#include <any>
#include <cstdint>
#include <functional>
#include <memory>

#include <tenon/autograd/engine.hpp>

namespace tenon::autograd {

/// Calls `f` when the run that this thread is in has ended without an error; to be called by hooks and nodes. Callbacks
/// may queue others. Throws AutogradError outside of a run.
void queue_callback(std::function<void()> f);
/// The number of the run that this thread is in, unlike that of every other; 0 outside of a run.
std::uint64_t current_run_number();
/// Whether the run that this thread is in comes by a node: one that its roots lead to, and where only some gradients
/// are asked for, that leads to these. Throws AutogradError outside of a run. Cost: in a run for all leaves the first
/// call looks through the graph.
bool run_comes_by(const Node& node);
/// What the owner keeps in the run that this thread is in: empty at first, it ends with the run, by an error too.
/// Throws AutogradError outside of a run.
std::any& kept_in_run(std::shared_ptr<const void> owner);
/// Whether a gradient is asked for that lies behind edge `i` of the node that this thread's run is at. True outside of
/// a run, and in one for all leaves.
bool run_asks_for_edge(unsigned i);
/// The node that this thread's run is at; null outside of a run.
const Node* current_node();

}  // namespace tenon::autograd
