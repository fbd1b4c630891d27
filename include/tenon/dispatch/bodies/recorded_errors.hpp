// Bodies of errors that are kept.
#pragma once
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/dispatch/recorded_errors.hpp>

namespace tenon {

struct RecordedErrors::State {
  struct Entry {
    std::string ns, message;
    bool reported;
  };
  std::mutex mutex;
  std::vector<Entry> entries;
  std::atomic<bool> any{false}, strict{false};

  std::string list(std::string_view ns, bool only_new) {
    std::string text;
    for (Entry& e : entries)
      if ((ns.empty() || e.ns == ns) && !(only_new && std::exchange(e.reported, true))) ((text += "\n  ") += e.message);
    return text;
  }
};

TENON_COLD_BODY RecordedErrors::RecordedErrors() : state_(new State) {
  const char* strict = std::getenv("TENON_STRICT_REGISTRATION");
  state_->strict = strict && std::strcmp(strict, "0") != 0;
}
TENON_COLD_BODY RecordedErrors::~RecordedErrors() { delete state_; }

TENON_COLD_BODY void RecordedErrors::record(std::string ns, std::string message) noexcept {
  std::lock_guard lock(state_->mutex);
  state_->entries.push_back({std::move(ns), std::move(message), false});
  state_->any.store(true, std::memory_order_release);
}
TENON_COLD_BODY void RecordedErrors::throw_for(std::string_view name) {
  if (!state_->any.load(std::memory_order_acquire)) return;
  std::string_view ns = name.substr(0, name.find(':'));
  std::lock_guard lock(state_->mutex);
  if (state_->strict) {
    std::fputs(("tenon: registrations failed:" + state_->list({}, false) + "\n").c_str(), stderr);
    std::abort();
  }
  // The first use of a namespace throws, and every check of the whole.
  if (std::string text = state_->list(ns, !ns.empty()); !text.empty())
    fail<RegistrationError>("registrations failed:", text);
}
TENON_COLD_BODY std::vector<std::string> RecordedErrors::take() {
  std::lock_guard lock(state_->mutex);
  std::vector<std::string> all;
  for (auto& e : state_->entries) all.push_back(std::move(e.message));
  state_->entries.clear();
  state_->any.store(false, std::memory_order_release);
  return all;
}
TENON_COLD_BODY void RecordedErrors::set_strict(bool on) { state_->strict.store(on); }

}  // namespace tenon
