// Random numbers within vmap.
#pragma once
#include <mutex>
#include <optional>

#include <tenon/func/interpret.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::func::detail {

/// Refuses random numbers where a level says so.
inline void check_randomness(const OperatorHandle& op, const Level& level) {
  if (level.randomness == Randomness::Error)
    fail<RandomnessError>("vmap: called random operation ", op.name(),
                          " while in randomness error mode; ask for Randomness::Different or Randomness::Same");
}

/// Whether the innermost batch has no random numbers.
inline bool refuses_random_numbers() {
  const Level* l = innermost_level;
  while (l && l->kind != LevelKind::Batch) l = l->outer;
  return l && l->randomness == Randomness::Error;
}

/// Lets every example draw the same numbers: the generator goes back before each but the first.
class SameNumbers {
 public:
  explicit SameNumbers(bool on) {
    if (on) copy(state_.emplace(), *default_generator().operator->());
  }
  void again() {
    if (state_) copy(*default_generator().operator->(), *state_);
  }

 private:
  static void copy(GeneratorImpl& to, GeneratorImpl& from) {
    std::lock_guard lock((&from == default_generator().operator->() ? from : to).mutex);
    to.set_state(from);
  }
  std::optional<GeneratorImpl> state_;  // which takes microseconds to make
};

/// Random numbers that no example asks for: for each of the batch, or once for all.
void run_random_for_all(const OperatorHandle& op, Stack& stack);

}  // namespace tenon::func::detail
