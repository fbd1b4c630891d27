// A profile as Chrome's JSON trace, which chrome://tracing, Perfetto and others open.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <tenon/profiler/memory.hpp>
#include <tenon/profiler/profile.hpp>

namespace tenon::profiler {

namespace detail {
inline void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}
inline void append_microseconds(std::string& out, std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03d", static_cast<long long>(ns / 1000), static_cast<int>(ns % 1000));
  out += text;
}
}  // namespace detail

/// The trace's text: a complete event (`"ph": "X"`) for each call and range, the threads' names, arrows (`s`, `f`) from
/// calls to those of their backward pass, and a counter (`C`) of memory. Times are in microseconds from the profile's
/// start, with three decimals. Names must be UTF-8.
inline std::string chrome_trace(const Profile& profile) {
  std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  const char* separator = "\n";
  std::size_t arrows = 0;
  for (std::size_t t = 0; t < profile.tracks.size(); ++t) {
    const Track& track = profile.tracks[t];
    std::string place = ",\"pid\":1,\"tid\":" + std::to_string(t + 1);
    out += separator + ("{\"name\":\"thread_name\",\"ph\":\"M\"" + place) + ",\"args\":{\"name\":";
    detail::append_json(out, track.name);
    out += "}}";
    separator = ",\n";
    for (const Event& e : track.events) {
      out += ",\n{\"name\":";
      detail::append_json(out, profile.names[e.name]);
      out += e.range ? ",\"cat\":\"range\",\"ph\":\"X\"" : ",\"cat\":\"operator\",\"ph\":\"X\"";
      out += place + ",\"ts\":";
      detail::append_microseconds(out, e.begin);
      out += ",\"dur\":";
      detail::append_microseconds(out, e.end - e.begin);
      std::string arguments;
      auto argument = [&](const char* name) -> std::string& {
        arguments += arguments.empty() ? ",\"args\":{" : ",";
        return arguments += name;
      };
      if (e.shapes) detail::append_json(argument("\"shapes\":"), profile.shapes[e.shapes]);
      if (e.bytes) argument("\"bytes\":") += std::to_string(e.bytes);
      if (e.flops) argument("\"flops\":") += std::to_string(e.flops);
      out += arguments + (arguments.empty() ? "}" : "}}");
    }
    for (const Arrow& arrow : arrows_of(track)) {
      ++arrows;
      for (bool end : {false, true}) {
        out += end ? ",\n{\"name\":\"backward\",\"cat\":\"backward\",\"ph\":\"f\",\"bp\":\"e\",\"id\":"
                   : ",\n{\"name\":\"backward\",\"cat\":\"backward\",\"ph\":\"s\",\"id\":";
        out += std::to_string(arrows) + place + ",\"ts\":";
        detail::append_microseconds(out, track.events[end ? arrow.to : arrow.from].begin);
        out += "}";
      }
    }
  }
  for (const MemoryPoint& p : memory_timeline(profile)) {
    out += separator + std::string("{\"name\":\"memory\",\"ph\":\"C\",\"pid\":1,\"ts\":");
    separator = ",\n";
    detail::append_microseconds(out, p.when);
    out += ",\"args\":{\"bytes\":" + std::to_string(p.bytes) + "}}";
  }
  return out + "\n]}\n";
}

}  // namespace tenon::profiler
