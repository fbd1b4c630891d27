// What a profile's memory was at each time, and which calls held it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/profiler/profile.hpp>
#include <tenon/profiler/table.hpp>

namespace tenon::profiler {

/// What is held from a time on, of what was taken while the profile ran.
struct MemoryPoint {
  std::int64_t when = 0;   ///< nanoseconds from the profile's start
  std::int64_t bytes = 0;  ///< of all threads
};

/// Every change, in order; one point for each time.
inline std::vector<MemoryPoint> memory_timeline(const Profile& profile) {
  std::vector<MemoryPoint> changes;
  for (const Block& b : profile.blocks) {
    changes.push_back({b.taken, b.bytes});
    if (b.released >= 0) changes.push_back({b.released, -b.bytes});
  }
  std::sort(changes.begin(), changes.end(), [](const MemoryPoint& a, const MemoryPoint& b) { return a.when < b.when; });
  std::vector<MemoryPoint> timeline;
  std::int64_t held = 0;
  for (const MemoryPoint& change : changes) {
    held += change.bytes;
    if (timeline.empty() || timeline.back().when != change.when) timeline.push_back({change.when, 0});
    timeline.back().bytes = held;
  }
  return timeline;
}

/// When most was held, the first time of several.
inline MemoryPoint memory_peak(const Profile& profile) {
  MemoryPoint peak;
  for (const MemoryPoint& p : memory_timeline(profile))
    if (p.bytes > peak.bytes) peak = p;
  return peak;
}

/// A place in the program that holds memory: the ranges and calls around what took it, the outermost first.
struct MemorySite {
  std::string path;  ///< `forward > aten::linear > aten::addmm`; empty for what no call took
  std::int64_t blocks = 0, bytes = 0;
};

/// Who holds what is held at a time, the most first.
inline std::vector<MemorySite> memory_sites(const Profile& profile, std::int64_t when) {
  std::map<std::string, MemorySite> sites;
  for (const Block& b : profile.blocks) {
    if (b.taken > when || (b.released >= 0 && b.released <= when)) continue;
    std::string path;
    if (b.event >= 0) {
      // The events around one: before it, each at a smaller depth than the last.
      const std::vector<Event>& events = profile.tracks[b.track].events;
      auto depth = std::numeric_limits<std::uint32_t>::max();
      for (auto i = static_cast<std::size_t>(b.event) + 1; i-- > 0 && depth > 0;) {
        if (events[i].depth >= depth) continue;
        depth = events[i].depth;
        path = detail::path_text(profile.names[events[i].name], path);
      }
    }
    MemorySite& site = sites[path];
    site.path = path;
    ++site.blocks;
    site.bytes += b.bytes;
  }
  std::vector<MemorySite> list;
  for (auto& [path, site] : sites) list.push_back(std::move(site));
  std::sort(list.begin(), list.end(), [](const MemorySite& a, const MemorySite& b) {
    return std::tie(b.bytes, a.path) < std::tie(a.bytes, b.path);
  });
  return list;
}

/// The greatest memory as text, and who held it then: `most` places at most.
inline std::string memory_table(const Profile& profile, std::size_t most = 20) {
  MemoryPoint peak = memory_peak(profile);
  std::string out = "Most memory: " + detail::bytes_text(peak.bytes) + " at " + detail::duration_text(peak.when) +
                    " of " + detail::duration_text(profile.duration) + "\n";
  std::vector<MemorySite> sites = memory_sites(profile, peak.when);
  for (std::size_t i = 0; i < sites.size() && i < most; ++i) {
    std::string bytes = detail::bytes_text(sites[i].bytes);
    out += std::string(bytes.size() < 12 ? 12 - bytes.size() : 0, ' ') + bytes + " in " +
           std::to_string(sites[i].blocks) + (sites[i].blocks == 1 ? " block: " : " blocks: ") +
           (sites[i].path.empty() ? "no call" : sites[i].path) + "\n";
  }
  return out;
}

}  // namespace tenon::profiler
