// What a profile holds: what ran on each thread, from when to when, inside of what.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::profiler {

/// A call of an operator, or a range of the user's.
struct Event {
  std::int64_t begin = 0, end = -1;  ///< nanoseconds from the profile's start
  std::int64_t bytes = 0;            ///< allocated on the CPU while it ran and no event inside it did
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

struct Profile {
  std::vector<std::string> names;       ///< `aten::add.Tensor`, each once
  std::vector<std::string> shapes{""};  ///< `[2, 3], [3]`, each once
  std::vector<Track> tracks;
  std::int64_t duration = 0;  ///< nanoseconds
};

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

}  // namespace tenon::profiler
