// What a profile holds: what ran on each thread, from when to when, inside of what.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tenon::profiler {

/// A call of an operator, or a range of the user's.
struct Event {
  std::int64_t begin = 0, end = -1;  ///< nanoseconds from the profile's start
  std::int64_t bytes = 0;            ///< allocated on the CPU while it ran and no event inside it did
  std::int64_t flops = 0;            ///< operations of a product or a convolution, where they are asked for
  std::uint64_t recorded = 0;        ///< the number of the last node of an autograd graph that it made; 0: none
  std::uint64_t differentiates = 0;  ///< the number of the node whose backward pass it ran in; 0: none
  std::uint32_t name = 0;            ///< in `Profile::names`
  std::uint32_t shapes = 0;          ///< in `Profile::shapes`; 0: not asked for
  std::uint32_t depth = 0;           ///< 0 for an event inside no other
  bool range = false;                ///< the user's, not a call
};

/// One thread's events in the order in which they began: what follows one at a greater depth ran inside it.
struct Track {
  std::string name;
  std::vector<Event> events;
};

/// Memory that a CPU tensor took, and when it was given back.
struct Block {
  std::int64_t taken = 0, released = -1;  ///< nanoseconds from the profile's start; -1: not while it ran
  std::int64_t bytes = 0;
  std::uint32_t track = 0;  ///< whose thread took it
  std::int64_t event = -1;  ///< the innermost of that track at that time; -1: none
};

/// What a profiler recorded. Events name operators and shapes by their places in the lists here.
struct Profile {
  std::vector<std::string> names;       ///< `aten::add.Tensor`, each once
  std::vector<std::string> shapes{""};  ///< `[2, 3], [3]`, each once
  std::vector<Track> tracks;
  std::int64_t duration = 0;    ///< nanoseconds
  std::vector<Block> blocks{};  ///< in the order in which they were taken, where memory is asked for
};

namespace detail {
/// Calls within calls: `step > aten::linear`.
inline std::string path_text(const std::string& outer, const std::string& inner) {
  return outer.empty() || inner.empty() ? outer + inner : outer + " > " + inner;
}
}  // namespace detail

/// Calls `f(index, self)` for each event of a track, with the nanoseconds in which no event inside it ran.
template <class F>
void each_self_time(const Track& track, F f) {
  std::vector<std::int64_t> self(track.events.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < track.events.size(); ++i) {
    const Event& e = track.events[i];
    open.resize(e.depth);
    self[i] = e.end - e.begin;
    if (!open.empty()) self[open.back()] -= e.end - e.begin;
    open.push_back(i);
  }
  for (std::size_t i = 0; i < self.size(); ++i) f(i, self[i]);
}

/// An arrow from the event that recorded a node to the first that ran in the node's backward pass.
struct Arrow {
  std::size_t from, to;  ///< in the track's events
};
/// The arrows within a track, by where they lead.
inline std::vector<Arrow> arrows_of(const Track& track) {
  std::unordered_map<std::uint64_t, std::size_t> made;  // by the innermost event: it begins last
  std::vector<Arrow> arrows;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < track.events.size(); ++i) {
    const Event& e = track.events[i];
    if (e.differentiates && e.differentiates != before)
      if (auto at = made.find(e.differentiates); at != made.end()) arrows.push_back({at->second, i});
    before = e.differentiates;
    if (e.recorded) made[e.recorded] = i;
  }
  return arrows;
}

}  // namespace tenon::profiler
