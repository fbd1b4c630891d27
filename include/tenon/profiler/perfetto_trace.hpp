// A profile as Perfetto's own trace, which ui.perfetto.dev opens: at most 40 bytes a call.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/profiler/memory.hpp>
#include <tenon/profiler/profile.hpp>

namespace tenon::profiler {

namespace detail {

/// A message of protobuf's wire format, written field by field (protobuf.dev/programming-guides/encoding).
class ProtobufWriter {
 public:
  ProtobufWriter& number(unsigned field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
    return *this;
  }
  ProtobufWriter& fixed64(unsigned field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3 | 1);
    append_little_endian<8>(bytes_, value);
    return *this;
  }
  ProtobufWriter& text(unsigned field, std::string_view value) {
    varint(std::uint64_t{field} << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtobufWriter& message(unsigned field, const ProtobufWriter& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

/// Numbers of fields in perfetto/protos/perfetto/trace/perfetto_trace.proto.
namespace perfetto {
enum TraceField : unsigned { Packet = 1 };
enum PacketField : unsigned {
  Timestamp = 8,
  SequenceId = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  PacketDefaults = 59,
  TrackDescriptor = 60
};
enum EventField : unsigned {
  Annotation = 4,
  Type = 9,
  NameId = 10,
  TrackUuid = 11,
  CounterValue = 30,
  FlowIds = 47,
  TerminatingFlowIds = 48
};
enum EventType : unsigned { Begin = 1, End = 2, CounterChange = 4 };
enum InternedField : unsigned { EventNames = 2, AnnotationNames = 3 };
enum EntryField : unsigned { Id = 1, Name = 2 };
enum DescriptorField : unsigned { Uuid = 1, TrackName = 2, Process = 3, ThreadField = 4, Counter = 8 };
enum CounterField : unsigned { Unit = 3, UnitBytes = 3 };
enum ThreadDescriptor : unsigned { Pid = 1, Tid = 2, ThreadName = 5 };
enum ProcessDescriptor : unsigned { ProcessPid = 1, ProcessName = 6 };
enum AnnotationField : unsigned { AnnotationNameId = 1, UintValue = 3, StringValue = 6 };
enum Flags : unsigned { StateCleared = 1, NeedsState = 2 };
enum AnnotationName : unsigned { Shapes = 1, Bytes = 2, Flops = 3 };
constexpr unsigned kEventDefaults = 11, kProcess = 1;
}  // namespace perfetto

/// A track that counts the memory that is held, beside those of the threads.
inline void append_memory(ProtobufWriter& trace, const Profile& profile) {
  namespace p = perfetto;
  std::vector<MemoryPoint> timeline = memory_timeline(profile);
  if (timeline.empty()) return;
  std::uint64_t sequence = profile.tracks.size() + 1, track = profile.tracks.size() + 2;
  ProtobufWriter descriptor, unit;
  descriptor.number(p::Uuid, track)
      .text(p::TrackName, "memory")
      .message(p::Counter, unit.number(p::Unit, p::UnitBytes));
  trace.message(p::Packet, ProtobufWriter()
                               .number(p::SequenceId, sequence)
                               .number(p::SequenceFlags, p::StateCleared)
                               .message(p::TrackDescriptor, descriptor));
  for (const MemoryPoint& point : timeline) {
    ProtobufWriter event;
    event.number(p::Type, p::CounterChange)
        .number(p::TrackUuid, track)
        .number(p::CounterValue, static_cast<std::uint64_t>(point.bytes));
    trace.message(p::Packet, ProtobufWriter()
                                 .number(p::Timestamp, static_cast<std::uint64_t>(point.when))
                                 .number(p::SequenceId, sequence)
                                 .message(p::TrackEvent, event));
  }
}
/// The process that the tracks of its threads belong to.
inline void append_process(ProtobufWriter& trace, const Profile& profile) {
  namespace p = perfetto;
  ProtobufWriter process, descriptor;
  process.number(p::ProcessPid, p::kProcess).text(p::ProcessName, "tenon");
  descriptor.number(p::Uuid, profile.tracks.size() + 1).message(p::Process, process);
  trace.message(p::Packet, ProtobufWriter().message(p::TrackDescriptor, descriptor));
}
/// The first packet of a thread's sequence: its name, and the texts that its events name by number.
inline void append_thread(ProtobufWriter& trace, const Profile& profile, const Track& track, std::uint64_t sequence) {
  namespace p = perfetto;
  ProtobufWriter thread, descriptor, names, defaults;
  thread.number(p::Pid, p::kProcess).number(p::Tid, sequence).text(p::ThreadName, track.name);
  descriptor.number(p::Uuid, sequence).message(p::ThreadField, thread);
  auto name = [&](p::InternedField field, std::uint64_t id, std::string_view text) {
    names.message(field, ProtobufWriter().number(p::Id, id).text(p::Name, text));
  };
  std::vector<bool> named(profile.names.size());
  for (const Event& e : track.events) {
    if (named[e.name]) continue;
    named[e.name] = true;
    name(p::EventNames, e.name + 1u, profile.names[e.name]);
  }
  name(p::AnnotationNames, p::Shapes, "shapes");
  name(p::AnnotationNames, p::Bytes, "bytes");
  name(p::AnnotationNames, p::Flops, "flops");
  defaults.message(p::kEventDefaults, ProtobufWriter().number(p::TrackUuid, sequence));
  trace.message(p::Packet, ProtobufWriter()
                               .number(p::SequenceId, sequence)
                               .number(p::SequenceFlags, p::StateCleared)
                               .message(p::TrackDescriptor, descriptor)
                               .message(p::PacketDefaults, defaults)
                               .message(p::InternedData, names));
}
/// The beginning of a call, with what is known of it.
inline ProtobufWriter begin_of(const Event& e, const Profile& profile) {
  namespace p = perfetto;
  ProtobufWriter event;
  event.number(p::Type, p::Begin).number(p::NameId, e.name + 1u);
  if (e.shapes)
    event.message(
        p::Annotation,
        ProtobufWriter().number(p::AnnotationNameId, p::Shapes).text(p::StringValue, profile.shapes[e.shapes]));
  for (auto [name, value] : {std::pair{p::Bytes, e.bytes}, {p::Flops, e.flops}})
    if (value)
      event.message(
          p::Annotation,
          ProtobufWriter().number(p::AnnotationNameId, name).number(p::UintValue, static_cast<std::uint64_t>(value)));
  return event;
}
/// Beginnings and ends of a thread's calls. `last_arrow`: the trace's arrows are numbered on from it.
inline void append_events(ProtobufWriter& trace, const Profile& profile, const Track& track, std::uint64_t sequence,
                          std::uint64_t& last_arrow) {
  namespace p = perfetto;
  auto packet = [&](std::int64_t when, const ProtobufWriter& event) {
    trace.message(p::Packet, ProtobufWriter()
                                 .number(p::Timestamp, static_cast<std::uint64_t>(when))
                                 .number(p::SequenceId, sequence)
                                 .number(p::SequenceFlags, p::NeedsState)
                                 .message(p::TrackEvent, event));
  };
  // An arrow has a number of its own in the trace; several may leave an event, one leads to it.
  std::vector<Arrow> arrows = arrows_of(track);
  std::vector<std::vector<std::uint64_t>> leaving(arrows.empty() ? 0 : track.events.size());
  std::vector<std::uint64_t> arriving(leaving.size());
  for (const Arrow& arrow : arrows) {
    leaving[arrow.from].push_back(++last_arrow);
    arriving[arrow.to] = last_arrow;
  }
  std::vector<std::size_t> open;
  auto end_to = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back())
      packet(track.events[open.back()].end, ProtobufWriter().number(p::Type, p::End));
  };
  for (std::size_t i = 0; i < track.events.size(); ++i) {
    const Event& e = track.events[i];
    end_to(e.depth);
    open.push_back(i);
    ProtobufWriter event = begin_of(e, profile);
    if (!arrows.empty()) {
      for (std::uint64_t arrow : leaving[i]) event.fixed64(p::FlowIds, arrow);
      if (arriving[i]) event.fixed64(p::TerminatingFlowIds, arriving[i]);
    }
    packet(e.begin, event);
  }
  end_to(0);
}

}  // namespace detail

/// The trace's bytes: one sequence of packets for each thread, whose names are written once. Times are nanoseconds from
/// the profile's start.
inline std::string perfetto_trace(const Profile& profile) {
  detail::ProtobufWriter trace;
  if (!profile.tracks.empty()) detail::append_process(trace, profile);
  std::uint64_t sequence = 0, last_arrow = 0;
  for (const Track& track : profile.tracks) {
    detail::append_thread(trace, profile, track, ++sequence);
    detail::append_events(trace, profile, track, sequence, last_arrow);
  }
  detail::append_memory(trace, profile);
  return trace.bytes();
}

}  // namespace tenon::profiler
