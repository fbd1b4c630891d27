// The lanes of a block as fibres, one at a time, in an order that a seed draws.
#pragma once
#include <ucontext.h>

#include <cstring>
#include <exception>
#include <memory>
#include <vector>

#include <tenon/cuda/detail/block.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENON_INTERNAL_FIBRES_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TENON_INTERNAL_FIBRES_ASAN 1
#endif
#ifdef TENON_INTERNAL_FIBRES_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace tenon::cuda::detail {

/// A stack and where it stands. Kept for the next lane when one ends.
struct Fibre {
  static constexpr std::size_t kStack = 256 << 10;  // bytes
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[kStack]};
  unsigned lane = 0;
};

class FibreBlock final : public Block {
 public:
  FibreBlock(std::int64_t blocks, unsigned threads, Body body, std::uint64_t seed)
      : Block(blocks, threads), body_(body), random_(seed * 2 + 1), lanes_(threads), shared_(kSharedBytes) {}

  /// Runs the lanes of one block; the text of a defect, empty if there is none.
  const std::string& run(std::int64_t block) {
    index = block;
    done_ = 0;
    shared_type_ = nullptr;
    std::memset(shared_.data(), 0xcb, shared_.size());  // odd numbers, large and negative, for whoever reads it unset
    runnable_.clear();
    ahead_.clear();
    choose_ahead();
    for (unsigned i = 0; i < threads; ++i) {
      lanes_[i] = {};
      go_on(i);
    }
    while (defect_.empty() && done_ < threads) {
      if (next_ < 0 && idle() && !release()) {
        if (defect_.empty()) diagnose();
        break;
      }
      if (!defect_.empty()) break;
      unsigned lane = next_ >= 0 ? static_cast<unsigned>(next_) : draw();
      next_ = -1;
      resume(lane);
      // The warp that is ahead does not wait for the others to wait.
      const LaneState& l = lanes_[waited_];
      if (waited_ / kLanes == ahead_warp_ && l.state == Waiting && l.wait.op != Wait::Barrier) meet(waited_);
    }
    return defect_;
  }

  void wait(unsigned thread, const Wait& wait) override {
    unsigned bit = thread % kLanes;
    if (wait.op != Wait::Barrier && !(wait.mask >> bit & 1))
      stop(thread, wait.site, "calls %s with a mask that lacks itself", wait.name());
    lanes_[thread].wait = wait;
    lanes_[thread].state = Waiting;
    waited_ = thread;
    leave(*lanes_[thread].fibre);
  }
  const void* result(unsigned thread) override { return lanes_[thread].result; }
  void* shared(unsigned thread, std::size_t bytes, const void* type, Site site) override {
    if (bytes > kSharedBytes) stop(thread, site, "asks for %zu bytes of shared memory", bytes);
    if (shared_type_ && shared_type_ != type) stop(thread, site, "asks for shared memory of a second type");
    shared_type_ = type;
    return shared_.data();
  }
  [[noreturn]] void stop(unsigned thread, Site site, const char* format, ...) override {
    std::va_list values;
    va_start(values, format);
    defect_ = defect_text(thread, site, format, values);
    va_end(values);
    for (;;) leave(*lanes_[thread].fibre);
  }

 private:
  static constexpr unsigned kLanes = 32;
  enum State : std::uint8_t { Ready, Waiting, Ended };
  struct LaneState {
    State state = Ready;
    Fibre* fibre = nullptr;
    Wait wait{};
    alignas(16) unsigned char result[Wait::kValue] = {};
  };

  std::uint64_t next_random() {
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
    return random_;
  }
  /// A warp that runs to the next barrier before others begin, or none: so the lack of a barrier shows whichever side
  /// comes first.
  void choose_ahead() {
    unsigned warps = (threads + kLanes - 1) / kLanes;
    ahead_warp_ = static_cast<unsigned>(next_random() % (2 * warps));
  }
  bool idle() const { return runnable_.empty() && ahead_.empty(); }
  unsigned draw() {
    std::vector<unsigned>& from = ahead_.empty() ? runnable_ : ahead_;
    std::size_t k = next_random() % from.size();
    unsigned lane = from[k];
    from[k] = from.back();
    from.pop_back();
    return lane;
  }

  // ---- switching
  void resume(unsigned lane) {
    if (!lanes_[lane].fibre) {
      if (free_.empty()) free_.push_back(make_fibre());
      lanes_[lane].fibre = free_.back();
      free_.pop_back();
      lanes_[lane].fibre->lane = lane;
    }
    switch_to(main_, *lanes_[lane].fibre, lanes_[lane].fibre->stack.get(), Fibre::kStack);
  }
  Fibre* make_fibre() {
    fibres_.push_back(std::make_unique<Fibre>());
    Fibre* f = fibres_.back().get();
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack.get();
    f->context.uc_stack.ss_size = Fibre::kStack;
    f->context.uc_link = nullptr;
    auto self = reinterpret_cast<std::uintptr_t>(this), fibre = reinterpret_cast<std::uintptr_t>(f);
    makecontext(&f->context, reinterpret_cast<void (*)()>(&enter), 4, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self), static_cast<unsigned>(fibre >> 32), static_cast<unsigned>(fibre));
    return f;
  }
  static void enter(unsigned a, unsigned b, unsigned c, unsigned d) {
    auto* self = reinterpret_cast<FibreBlock*>(static_cast<std::uintptr_t>(a) << 32 | b);
    auto* fibre = reinterpret_cast<Fibre*>(static_cast<std::uintptr_t>(c) << 32 | d);
    self->arrived();
    self->live(*fibre);
  }
  /// Runs lane after lane.
  void live(Fibre& fibre) {
    for (;;) {
      try {
        body_.call(body_.data, *this, fibre.lane);
      } catch (const std::exception& e) { defect_ = lane_text(fibre.lane) + " throws: " + e.what(); }
      lanes_[fibre.lane].state = Ended;
      ++done_;
      if (defect_.empty() && !idle()) {
        unsigned lane = draw();
        if (!lanes_[lane].fibre) {
          lanes_[lane].fibre = &fibre;
          fibre.lane = lane;
          continue;
        }
        next_ = static_cast<int>(lane);
      }
      free_.push_back(&fibre);
      leave(fibre);
    }
  }
#ifdef TENON_INTERNAL_FIBRES_ASAN
  void switch_to(ucontext_t& from, Fibre& to, const void* stack, std::size_t bytes) {
    void* fake;
    __sanitizer_start_switch_fiber(&fake, stack, bytes);
    swapcontext(&from, &to.context);
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
  }
  void leave(Fibre& fibre) {
    void* fake;
    __sanitizer_start_switch_fiber(&fake, main_stack_, main_bytes_);
    swapcontext(&fibre.context, &main_);
    __sanitizer_finish_switch_fiber(fake, &main_stack_, &main_bytes_);
  }
  void arrived() { __sanitizer_finish_switch_fiber(nullptr, &main_stack_, &main_bytes_); }
  const void* main_stack_ = nullptr;
  std::size_t main_bytes_ = 0;
#else
  void switch_to(ucontext_t& from, Fibre& to, const void*, std::size_t) { swapcontext(&from, &to.context); }
  void leave(Fibre& fibre) { swapcontext(&fibre.context, &main_); }
  void arrived() {}
#endif

  // ---- meeting
  void go_on(unsigned lane) {
    lanes_[lane].state = Ready;
    (lane / kLanes == ahead_warp_ ? ahead_ : runnable_).push_back(lane);
  }
  bool waits(unsigned lane, Wait::Op op) const {
    return lane < threads && lanes_[lane].state == Waiting && lanes_[lane].wait.op == op;
  }
  /// Lets those go on for whom all have come; false if there are none.
  bool release() {
    bool all = true, any = false;
    for (unsigned i = 0; i < threads; ++i) all = all && waits(i, Wait::Barrier);
    if (all) {
      for (unsigned i = 1; i < threads; ++i)
        if (!(lanes_[i].wait.site == lanes_[0].wait.site)) return false;
      choose_ahead();
      for (unsigned i = 0; i < threads; ++i) go_on(i);
      return true;
    }
    for (unsigned i = 0; i < threads; ++i)
      if (lanes_[i].state == Waiting && lanes_[i].wait.op != Wait::Barrier) any = meet(i) || any;
    return any;
  }
  bool meet(unsigned lane) {
    const Wait& w = lanes_[lane].wait;
    unsigned first = lane / kLanes * kLanes, bits = 0;
    for (unsigned b = 0; b < kLanes; ++b) {
      if (!(w.mask >> b & 1)) continue;
      if (!waits(first + b, w.op)) return false;
      const Wait& other = lanes_[first + b].wait;
      if (other.mask != w.mask || !(other.site == w.site)) return false;
      if (other.argument) bits |= 1u << b;
    }
    for (unsigned b = 0; b < kLanes; ++b) {
      if (!(w.mask >> b & 1)) continue;
      LaneState& to = lanes_[first + b];
      if (w.op == Wait::Ballot) {
        std::memcpy(to.result, &bits, sizeof bits);
      } else if (w.op == Wait::Xor) {
        unsigned from = b ^ to.wait.argument;
        if (from >= kLanes || !(w.mask >> from & 1)) {
          defect_ = lane_text(first + b) + " reads from lane " + std::to_string(first + from) +
                    ", which its mask does not name, in shfl_xor() at " + to.wait.site.text();
          return false;
        }
        std::memcpy(to.result, lanes_[first + from].wait.value, Wait::kValue);
      }
    }
    unsigned mask = w.mask;
    for (unsigned b = 0; b < kLanes; ++b)
      if (mask >> b & 1) go_on(first + b);
    return true;
  }

  // ---- what is wrong where nobody can go on
  std::string place_of(unsigned lane) const {
    if (lane >= threads) return "lane " + std::to_string(lane) + " does not exist";
    const LaneState& l = lanes_[lane];
    if (l.state == Ended) return "lane " + std::to_string(lane) + " ended";
    return "lane " + std::to_string(lane) + " waits in " + l.wait.name() + " at " + l.wait.site.text();
  }
  void diagnose() {
    std::string where = " in block " + std::to_string(index) + ": ";
    for (unsigned i = 0; i < threads; ++i) {
      if (lanes_[i].state != Waiting || lanes_[i].wait.op == Wait::Barrier) continue;
      const Wait& w = lanes_[i].wait;
      for (unsigned b = 0; b < kLanes; ++b) {
        unsigned other = i / kLanes * kLanes + b;
        bool there = waits(other, w.op) && lanes_[other].wait.mask == w.mask && lanes_[other].wait.site == w.site;
        if (w.mask >> b & 1 && !there) {
          defect_ = "a lane is missing from a mask" + where + place_of(i) + ", " + place_of(other);
          return;
        }
      }
    }
    for (unsigned i = 0; i < threads; ++i)
      for (unsigned k = 0; k < threads; ++k) {
        if (!waits(i, Wait::Barrier) || i == k ||
            (waits(k, Wait::Barrier) && lanes_[k].wait.site == lanes_[i].wait.site))
          continue;
        defect_ =
            (lanes_[k].state == Ended ? "a lane ended before a barrier" : "a barrier is not reached by all lanes") +
            where + place_of(i) + ", " + place_of(k);
        return;
      }
    defect_ = "deadlock" + where + place_of(0);
  }

  Body body_;
  std::uint64_t random_;
  std::vector<LaneState> lanes_;
  std::vector<unsigned char> shared_;
  const void* shared_type_ = nullptr;
  std::vector<unsigned> runnable_, ahead_;
  unsigned ahead_warp_ = 0, waited_ = 0;
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<Fibre*> free_;
  ucontext_t main_;
  unsigned done_ = 0;
  int next_ = -1;
  std::string defect_;
};

inline std::string run_fibres(std::int64_t blocks, unsigned threads, Body body, std::uint64_t seed) {
  FibreBlock block(blocks, threads, body, seed);
  // A seed draws the order of the blocks too, as far as an odd step and a start do.
  for (std::int64_t i = 0; i < blocks; ++i)
    if (const std::string& defect = block.run(seed & 1 ? i : blocks - 1 - i); !defect.empty()) return defect;
  return {};
}

}  // namespace tenon::cuda::detail
#undef TENON_INTERNAL_FIBRES_ASAN
