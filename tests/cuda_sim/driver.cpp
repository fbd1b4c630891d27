// Streams as queues of functions.
#include "driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <tenon/cuda/executor.hpp>

#include "cudart.hpp"

namespace fake {
namespace {

constexpr int kInvalid = 1, kLost = 46, kInvalidDevice = 101, kInvalidHandle = 400, kIllegalAddress = 700,
              kLaunchFailure = 719, kCaptureUnsupported = 900, kUnjoined = 904;

struct Stream;
struct Event {
  bool timed = false;
  int device = 0;
  Stream* stream = nullptr;
  unsigned recorded = 0, done = 0;  // tickets
  double time = 0;                  // milliseconds
};
struct Graph {
  std::vector<std::function<void()>> nodes;
};
struct Capture {
  Stream* origin;
  Graph graph;
  std::set<Stream*> open;  // forked, with work that the origin does not wait for yet
  std::set<const Event*> events;
  int mode, error = 0;
};
struct Item {
  std::function<void()> run;     // work, or
  std::shared_ptr<Event> event;  // an event to pass
  unsigned ticket = 0;
  bool waits = false;
};
struct Stream {
  int device = 0, priority = 0;
  std::deque<Item> work;
  Capture* capture = nullptr;
};

std::recursive_mutex mutex;
std::map<std::pair<int, void*>, Stream*> streams;  // default ones by device
std::map<void*, std::shared_ptr<Event>> events;
double clock = 0;
thread_local int device = 0;
thread_local int mode = 0;
thread_local Capture* captured = nullptr;

Stream& stream_of(void* handle) {
  if (handle) return *static_cast<Stream*>(handle);
  Stream*& s = streams[{device, nullptr}];
  if (!s) {
    s = new Stream;
    s->device = device;
  }
  return *s;
}
void run_one(Stream& s) {
  Item item = std::move(s.work.front());
  s.work.pop_front();
  if (item.run) {
    item.run();
    clock += 1;
  } else if (item.waits) {
    while (item.event->done < item.ticket) run_one(*item.event->stream);
  } else {
    item.event->done = item.ticket;
    item.event->time = clock;
  }
}
void run_all(Stream& s) {
  while (!s.work.empty()) run_one(s);
}
void give(Stream& s, Item item) {
  s.work.push_back(std::move(item));
  if (!driver().delayed) run_all(s);
}
/// Work of a stream, or of the graph that it captures.
void give_work(Stream& s, std::function<void()> run) {
  if (!s.capture) return give(s, {std::move(run), nullptr});
  s.capture->graph.nodes.push_back(std::move(run));
  if (&s != s.capture->origin) s.capture->open.insert(&s);
}
thread_local bool unlooked = false;  ///< whether a kernel was started since errors were looked for
int result(const char* name, int fault = 0) {
  Driver& d = driver();
  d.log.emplace_back(name);
  if (auto f = d.fails.find(name); f != d.fails.end()) {
    fault = f->second;
    d.fails.erase(f);
  }
  if (d.lost) fault = kLost;
  // A kernel that did not start is told by the next call, which is not to blame, where nobody looked before.
  if (d.strict && std::exchange(unlooked, false)) fault = kLaunchFailure;
  if (fault) d.error = fault;
  return fault;
}
/// What no capture of the thread allows.
int unless_capturing(const char* name) {
  if (!captured || mode == 2) return result(name);
  captured->error = kCaptureUnsupported;
  return result(name, kCaptureUnsupported);
}
bool is_plain_host(const void* p) {
  auto holds = [p](const std::map<void*, std::size_t>& blocks) {
    auto next = blocks.upper_bound(const_cast<void*>(p));
    if (next == blocks.begin()) return false;
    --next;
    return static_cast<const char*>(p) < static_cast<const char*>(next->first) + next->second;
  };
  return !holds(driver().blocks) && !holds(driver().pinned);
}
using Lock = std::lock_guard<std::recursive_mutex>;

/// Whether an argument of a launch points to memory of another device than that which runs it.
thread_local bool strays = false;
void look(const void* data, std::size_t bytes) {
  Lock lock(mutex);
  const std::map<void*, std::size_t>& blocks = driver().blocks;
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    void* word = nullptr;
    std::memcpy(&word, static_cast<const char*>(data) + at, sizeof word);
    auto next = blocks.upper_bound(word);
    if (next == blocks.begin()) continue;
    auto [block, size] = *std::prev(next);
    if (static_cast<char*>(word) < static_cast<char*>(block) + size && driver().device_of[block] != device)
      strays = true;
  }
}
/// A kernel runs on the current device, on a stream of it, in its memory; else the device would fault.
void submit(void* stream, std::function<void()> run) {
  Lock lock(mutex);
  ++driver().launches;
  unlooked = true;
  int fault = std::exchange(strays, false) ? kIllegalAddress : stream_of(stream).device != device ? kInvalidHandle : 0;
  if (fault)
    driver().error = fault;
  else
    give_work(stream_of(stream), std::move(run));
}
struct Install {
  Install() {
    tenon::cuda::Executor::settings().submit = &submit;
    tenon::cuda::Executor::settings().argument = &look;
  }
};
const Install install;

}  // namespace

int Driver::current() { return device; }
std::size_t Driver::used() const {
  std::size_t sum = 0;
  for (auto [p, bytes] : blocks) sum += bytes;
  return sum;
}
std::size_t Driver::calls(const std::string& name) const {
  return static_cast<std::size_t>(std::count(log.begin(), log.end(), name));
}
Driver& driver() {
  static auto* d = new Driver;
  return *d;
}
void finish() {
  Lock lock(mutex);
  for (auto& [place, s] : streams) run_all(*s);
}
std::size_t pending() {
  Lock lock(mutex);
  std::size_t n = 0;
  for (auto& [place, s] : streams) n += s->work.size();
  return n;
}
void reset() {
  finish();
  Driver fresh;
  fresh.blocks = driver().blocks;
  fresh.pinned = driver().pinned;
  fresh.device_of = driver().device_of;
  driver() = std::move(fresh);
  device = 0;
}

}  // namespace fake

namespace tenon::cuda {

using namespace fake;

const Cudart& cudart() {
  static constexpr Cudart table{
      .device_count =
          [](int* count) {
            *count = driver().devices;
            return result("device_count");
          },
      .get_device =
          [](int* index) {
            *index = device;
            return driver().devices ? 0 : result("get_device", 100);
          },
      .set_device =
          [](int index) {
            if (index >= driver().devices) return result("set_device", kInvalidDevice);
            device = index;
            return result("set_device");
          },
      .resident =
          [](int* multiprocessors, int* threads, int) {
            *multiprocessors = 2;
            *threads = 2048;
            return result("resident");
          },
      .device_synchronize =
          [] {
            Lock lock(mutex);
            if (int fault = unless_capturing("device_synchronize")) return fault;
            // A device cannot be waited for while one of its streams is captured, by whatever thread.
            for (auto& [place, s] : streams)
              if (s->device == device && s->capture) return result("device_synchronize", kCaptureUnsupported);
            for (auto& [place, s] : streams)
              if (s->device == device) run_all(*s);
            return 0;
          },
      .last_error =
          [] {
            unlooked = false;
            return std::exchange(driver().error, 0);
          },
      .error_text =
          [](int error) {
            switch (error) {
              case kCudaOutOfMemory: return "out of memory";
              case kCaptureUnsupported: return "operation not permitted when stream is capturing";
              case kUnjoined: return "capturing stream has unjoined work";
              case kInvalidHandle: return "invalid resource handle";
              case kLaunchFailure: return "unspecified launch failure";
              case kIllegalAddress: return "an illegal memory access was encountered";
              default: return "lost device";
            }
          },
      .malloc =
          [](void** data, std::size_t bytes) {
            Lock lock(mutex);
            if (int fault = unless_capturing("malloc")) return fault;
            if (driver().used() + bytes > driver().room) return result("malloc", kCudaOutOfMemory);
            *data = std::malloc(bytes);
            std::memset(*data, 0xcb, bytes);
            driver().blocks[*data] = bytes;
            driver().device_of[*data] = device;
            return 0;
          },
      .free =
          [](void* data) {
            Lock lock(mutex);
            if (int fault = unless_capturing("free")) return fault;
            finish();
            driver().blocks.erase(data);
            std::free(data);
            return 0;
          },
      .memory_device =
          [](int* index, const void* data) {
            Lock lock(mutex);
            auto next = driver().blocks.upper_bound(const_cast<void*>(data));
            *index = driver().device_of[std::prev(next)->first];
            return result("memory_device");
          },
      .memory_info =
          [](std::size_t* unused, std::size_t* whole) {
            *whole = driver().room;
            *unused = driver().room - driver().used();
            return result("memory_info");
          },
      .host_alloc =
          [](void** data, std::size_t bytes) {
            Lock lock(mutex);
            if (int fault = unless_capturing("host_alloc")) return fault;
            *data = std::malloc(bytes);
            driver().pinned[*data] = bytes;
            return 0;
          },
      .host_free =
          [](void* data) {
            Lock lock(mutex);
            finish();
            driver().pinned.erase(data);
            std::free(data);
            return result("host_free");
          },
      .memcpy_async =
          [](void* to, const void* from, std::size_t bytes, void* stream) {
            Lock lock(mutex);
            if (int fault = result("memcpy")) return fault;
            fake::Stream& s = stream_of(stream);
            // Of memory that is not pinned the driver takes a copy at once, and into such it copies before it comes
            // back.
            if (is_plain_host(from)) {
              std::vector<char> staged(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
              give_work(s, [=] { std::memcpy(to, staged.data(), bytes); });
            } else {
              give_work(s, [=] { std::memcpy(to, from, bytes); });
            }
            if (is_plain_host(to) && !s.capture) run_all(s);
            return 0;
          },
      .memcpy_peer_async =
          [](void* to, int, const void* from, int, std::size_t bytes, void* stream) {
            Lock lock(mutex);
            if (int fault = result("memcpy_peer")) return fault;
            give_work(stream_of(stream), [=] { std::memcpy(to, from, bytes); });
            return 0;
          },
      .stream_create =
          [](void** stream, int priority) {
            Lock lock(mutex);
            if (int fault = result("stream_create")) return fault;
            auto* s = new fake::Stream;
            s->device = device;
            s->priority = priority;
            streams[{device, s}] = s;
            *stream = s;
            return 0;
          },
      .stream_priorities =
          [](int* least, int* greatest) {
            *least = 0;
            *greatest = -2;
            return result("stream_priorities");
          },
      .stream_query =
          [](void* stream) {
            Lock lock(mutex);
            if (int fault = result("stream_query")) return fault;
            return stream_of(stream).work.empty() ? 0 : kCudaNotReady;
          },
      .stream_synchronize =
          [](void* stream) {
            Lock lock(mutex);
            fake::Stream& s = stream_of(stream);
            if (s.capture) {
              s.capture->error = kCaptureUnsupported;
              return result("synchronize", kCaptureUnsupported);
            }
            if (int fault = result("synchronize")) return fault;
            run_all(s);
            return 0;
          },
      .stream_wait =
          [](void* stream, void* event) {
            Lock lock(mutex);
            if (int fault = result("stream_wait")) return fault;
            fake::Stream& s = stream_of(stream);
            auto e = events.at(event);
            // An event of a capture takes the stream into it, or joins it.
            if (Capture* c = e->stream ? e->stream->capture : nullptr; c && c->events.count(e.get())) {
              if (&s == c->origin) c->open.erase(e->stream);
              s.capture = c;
            } else if (e->recorded && !s.capture) {
              give(s, {nullptr, e, e->recorded, true});
            }
            return 0;
          },
      .event_create =
          [](void** event, bool timed, bool) {
            Lock lock(mutex);
            if (int fault = result("event_create")) return fault;
            auto e = std::make_shared<fake::Event>();
            e->timed = timed;
            e->device = device;
            *event = e.get();
            events[*event] = e;
            return 0;
          },
      .event_record =
          [](void* event, void* stream) {
            Lock lock(mutex);
            if (int fault = result("event_record")) return fault;
            fake::Stream& s = stream_of(stream);
            auto e = events.at(event);
            if (e->device != s.device) return result("event_record", kInvalidHandle);
            e->stream = &s;
            if (s.capture) {
              s.capture->events.insert(e.get());
            } else {
              ++e->recorded;
              give(s, {nullptr, e, e->recorded, false});
            }
            return 0;
          },
      .event_query =
          [](void* event) {
            Lock lock(mutex);
            if (int fault = unless_capturing("event_query")) return fault;
            auto e = events.at(event);
            return e->done == e->recorded ? 0 : kCudaNotReady;
          },
      .event_synchronize =
          [](void* event) {
            Lock lock(mutex);
            if (int fault = unless_capturing("event_synchronize")) return fault;
            auto e = events.at(event);
            while (e->done < e->recorded) run_one(*e->stream);
            return 0;
          },
      .event_elapsed =
          [](float* milliseconds, void* from, void* to) {
            Lock lock(mutex);
            *milliseconds = static_cast<float>(events.at(to)->time - events.at(from)->time);
            return result("event_elapsed", events.at(to)->timed && events.at(from)->timed ? 0 : kInvalid);
          },
      .event_destroy =
          [](void* event) {
            Lock lock(mutex);
            return events.erase(event) ? result("event_destroy") : result("event_destroy", kInvalid);
          },
      .capture_begin =
          [](void* stream, int how) {
            Lock lock(mutex);
            if (int fault = result("capture_begin")) return fault;
            captured = new Capture{&stream_of(stream), {}, {}, {}, how};
            captured->origin->capture = captured;
            return 0;
          },
      .capture_end =
          [](void* stream, void** graph) {
            Lock lock(mutex);
            Capture* c = stream_of(stream).capture;
            captured = nullptr;
            for (auto& [place, s] : streams)
              if (s->capture == c) s->capture = nullptr;
            int fault = c->error ? c->error : c->open.empty() ? 0 : kUnjoined;
            *graph = fault ? nullptr : new Graph(std::move(c->graph));
            delete c;
            return result("capture_end", fault);
          },
      .capture_mode =
          [](int* how) {
            std::swap(*how, mode);
            return result("capture_mode");
          },
      .graph_instantiate =
          [](void** executable, void* graph) {
            if (int fault = result("graph_instantiate")) return fault;
            *executable = new Graph(*static_cast<Graph*>(graph));
            return 0;
          },
      .graph_launch =
          [](void* executable, void* stream) {
            Lock lock(mutex);
            if (int fault = result("graph_launch")) return fault;
            give_work(stream_of(stream), [nodes = static_cast<Graph*>(executable)->nodes] {
              for (const auto& run : nodes) run();
            });
            return 0;
          },
      .graph_destroy =
          [](void* graph) {
            delete static_cast<Graph*>(graph);
            return result("graph_destroy");
          },
      .executable_destroy =
          [](void* executable) {
            delete static_cast<Graph*>(executable);
            return result("executable_destroy");
          },
  };
  return table;
}

}  // namespace tenon::cuda
