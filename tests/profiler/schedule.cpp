// Which steps are profiled, and what becomes of their profiles.
#include <tenon/profiler/schedule.hpp>

#include <string>
#include <vector>

#include <tenon/profiler/table.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::profiler;

namespace {
std::string actions(const ScheduleOptions& options, int steps) {
  Schedule says = schedule(options);
  std::string out;
  for (int i = 0; i < steps; ++i) out += ".wrS"[static_cast<int>(says(i))];
  return out;
}
std::vector<std::string> outermost(const Profile& p) {
  std::vector<std::string> out;
  for (const Event& e : p.tracks.at(0).events)
    if (e.depth == 0) out.push_back(p.names[e.name]);
  return out;
}
using Names = std::vector<std::string>;
}  // namespace

TEST_CASE("a schedule names the steps that PyTorch's does", "[profiler][schedule]") {
  CHECK(actions({.wait = 1, .warmup = 1, .active = 2, .repeat = 2, .skip_first = 1}, 12) == "..wrS.wrS...");
  CHECK(actions({}, 4) == "SSSS");
  CHECK(actions({.wait = 2, .active = 1}, 7) == "..S..S.");
  CHECK(actions({.wait = 2, .warmup = 1, .active = 1, .repeat = 2, .skip_first = 1, .skip_first_wait = true}, 10) ==
        ".wS..wS...");
  CHECK_THROWS_WITH(schedule({.wait = 1, .active = 0}),
                    "schedule: expected active above 0 and the others not below 0, got wait=1, warmup=0, active=0, "
                    "repeat=0, skip_first=0");
  CHECK_THROWS_WITH(schedule({.skip_first = -1}),
                    "schedule: expected active above 0 and the others not below 0, got wait=0, warmup=0, active=1, "
                    "repeat=0, skip_first=-1");
}

TEST_CASE("each cycle gives one profile of its active steps", "[profiler][schedule]") {
  Tensor x = ops::ones({3});
  std::vector<Profile> profiles;
  auto keep = [&](const Profile& p) { profiles.push_back(p); };
  StepProfiler steps(schedule({.wait = 1, .warmup = 1, .active = 2}), keep, {.shapes = true});
  std::vector<bool> on;
  for (int i = 0; i < 9; ++i) {
    on.push_back(steps.current() != nullptr);
    CHECK(steps.step_num() == i);
    ops::exp(x);
    steps.step();
  }
  CHECK(on == std::vector<bool>{false, true, true, true, false, true, true, true, false});
  REQUIRE(profiles.size() == 2);
  CHECK(outermost(profiles[0]) == Names{"ProfilerStep#2", "ProfilerStep#3"});
  CHECK(outermost(profiles[1]) == Names{"ProfilerStep#6", "ProfilerStep#7"});
  REQUIRE(steps.profile());
  CHECK(outermost(*steps.profile()) == outermost(profiles[1]));
  std::vector<Row> rows = rows_of(profiles[0], true, SortBy::Calls);
  CHECK(rows.at(0).name == "aten::exp");
  CHECK(rows[0].calls == 2);
  CHECK(rows[0].shapes == "[3]");
  // The end gives what a cycle has of its active steps, and nothing of a warm-up.
  steps.stop();
  CHECK(profiles.size() == 2);
  StepProfiler part(schedule({.active = 3}), keep);
  part.step();
  part.stop();
  REQUIRE(profiles.size() == 3);
  CHECK(outermost(profiles[2]) == Names{"ProfilerStep#0", "ProfilerStep#1"});
  CHECK(!part.current());
}

TEST_CASE("steps that are all profiled alone give a profile each", "[profiler][schedule]") {
  std::vector<Names> seen;
  StepProfiler steps(schedule({}), [&](const Profile& p) { seen.push_back(outermost(p)); });
  for (int i = 0; i < 3; ++i) steps.step();
  CHECK(seen == std::vector<Names>{{"ProfilerStep#0"}, {"ProfilerStep#1"}, {"ProfilerStep#2"}});
}
