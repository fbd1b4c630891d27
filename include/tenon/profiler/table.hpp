// A profile as a table: a row for each operator, or for each with the shapes of its tensors or the place of its calls.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/profiler/profile.hpp>

namespace tenon::profiler {

/// What all calls of an operator took together, in nanoseconds and bytes.
struct Row {
  std::string name, shapes;
  std::string site;  ///< the ranges and calls around, the outermost first: `step > aten::linear`
  std::int64_t calls = 0;
  std::int64_t self = 0;   ///< without what ran inside
  std::int64_t total = 0;  ///< with it; a call inside another of the same row counts once
  std::int64_t bytes = 0;  ///< allocated by themselves
  std::int64_t flops = 0;  ///< with what ran inside; a call inside another of the same row counts once
};

/// What the rows of a table are ordered by: the largest come first, names by the alphabet.
enum class SortBy : std::uint8_t { Self, Total, Mean, Calls, Memory, Flops, Name };

/// Which rows a table has, and in which order.
struct TableOptions {
  bool by_shapes = false;  ///< a row for each list of shapes
  std::size_t most = 100;  ///< rows
  SortBy sort_by = SortBy::Self;
  bool by_sites = false;  ///< a row for each place: the ranges and calls around
};

/// The rows that the options ask for, all of them.
inline std::vector<Row> rows_of(const Profile& profile, const TableOptions& options) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, Row> rows;
  for (const Track& track : profile.tracks) {
    std::vector<const Row*> open;
    each_self_time(track, [&](std::size_t i, std::int64_t self) {
      const Event& e = track.events[i];
      open.resize(e.depth);
      std::uint32_t shapes = options.by_shapes ? e.shapes : 0;
      std::string site;
      if (options.by_sites && !open.empty()) site = detail::path_text(open.back()->site, open.back()->name);
      auto [at, first] = rows.try_emplace({e.name, shapes, site});
      Row& row = at->second;
      if (first) {
        row.name = profile.names[e.name];
        row.shapes = profile.shapes[shapes];
        row.site = std::move(site);
      }
      ++row.calls;
      row.self += self;
      row.bytes += e.bytes;
      if (std::find(open.begin(), open.end(), &row) == open.end()) {
        row.total += e.end - e.begin;
        row.flops += e.flops;
      }
      open.push_back(&row);
    });
  }
  std::vector<Row> list;
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  auto key = [&](const Row& row) -> std::int64_t {
    switch (options.sort_by) {
      case SortBy::Self: return row.self;
      case SortBy::Total: return row.total;
      case SortBy::Mean: return row.total / row.calls;
      case SortBy::Calls: return row.calls;
      case SortBy::Memory: return row.bytes;
      case SortBy::Flops: return row.flops;
      case SortBy::Name: break;
    }
    return 0;
  };
  std::sort(list.begin(), list.end(), [&](const Row& a, const Row& b) {
    return std::tuple(key(b), std::tie(a.name, a.shapes, a.site)) <
           std::tuple(key(a), std::tie(b.name, b.shapes, b.site));
  });
  return list;
}

/// Rows by self time, or what else is said. `by_shapes`: a row for each list of shapes.
inline std::vector<Row> rows_of(const Profile& profile, bool by_shapes = false, SortBy sort_by = SortBy::Self) {
  return rows_of(profile, TableOptions{.by_shapes = by_shapes, .sort_by = sort_by});
}

namespace detail {
inline std::string duration_text(std::int64_t ns) {
  char text[32];
  auto value = static_cast<double>(ns);
  if (ns < 1'000'000)
    std::snprintf(text, sizeof text, "%.3f us", value * 1e-3);
  else if (ns < 1'000'000'000)
    std::snprintf(text, sizeof text, "%.3f ms", value * 1e-6);
  else
    std::snprintf(text, sizeof text, "%.3f s", value * 1e-9);
  return text;
}
inline std::string bytes_text(std::int64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.2f %s" : "%.0f %s", value, units[unit]);
  return text;
}
inline std::string count_text(double count) {
  constexpr const char* units[] = {"", " k", " M", " G", " T", " P", " E"};
  int unit = 0;
  for (; count >= 1000 && unit < 6; ++unit) count /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.2f%s" : "%.0f%s", count, units[unit]);
  return text;
}
}  // namespace detail

/// The rows as text. A column that holds nothing is left out.
inline std::string table(const Profile& profile, const TableOptions& options) {
  std::vector<Row> rows = rows_of(profile, options);
  std::int64_t all = 0;
  bool memory = false, shapes = false, flops = false, sites = false;
  for (const Row& row : rows) {
    all += row.self;
    memory |= row.bytes != 0;
    flops |= row.flops != 0;
    shapes |= !row.shapes.empty();
    sites |= !row.site.empty();
  }
  std::vector<std::vector<std::string>> lines{{"Name", "Self %", "Self", "Total", "Calls", "Mean"}};
  if (memory) lines[0].push_back("Self memory");
  if (flops) lines[0].insert(lines[0].end(), {"Flops", "Flops/s"});
  if (shapes) lines[0].push_back("Shapes");
  if (sites) lines[0].push_back("Inside");
  for (const Row& row : rows) {
    if (lines.size() > options.most) break;
    char share[16];
    std::snprintf(share, sizeof share, "%.2f%%",
                  all ? 100. * static_cast<double>(row.self) / static_cast<double>(all) : 0.);
    lines.push_back({row.name, share, detail::duration_text(row.self), detail::duration_text(row.total),
                     std::to_string(row.calls), detail::duration_text(row.total / row.calls)});
    if (memory) lines.back().push_back(detail::bytes_text(row.bytes));
    if (flops && row.flops != 0) {
      double seconds = 1e-9 * static_cast<double>(std::max<std::int64_t>(row.total, 1));
      double count = static_cast<double>(row.flops);
      lines.back().insert(lines.back().end(), {detail::count_text(count), detail::count_text(count / seconds)});
    } else if (flops) {
      lines.back().insert(lines.back().end(), {"", ""});
    }
    if (shapes) lines.back().push_back(row.shapes);
    if (sites) lines.back().push_back(row.site);
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : lines) width = std::max(width, other[c].size());
      bool left = c == 0 || lines[0][c] == "Shapes" || lines[0][c] == "Inside";  // numbers stand at the right
      std::string gap(width - line[c].size(), ' ');
      text += (c ? "  " : "") + (left ? line[c] + gap : gap + line[c]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out + "Self time: " + detail::duration_text(all) + " of " + detail::duration_text(profile.duration) + "\n";
}

/// The same by self time, `most` rows at most.
inline std::string table(const Profile& profile, bool by_shapes = false, std::size_t most = 100) {
  return table(profile, TableOptions{.by_shapes = by_shapes, .most = most});
}

}  // namespace tenon::profiler
