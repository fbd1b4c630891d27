// Checkpoints: a run goes on to the bit, a crash leaves the old file or the new one.
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>
#include <tenon/nn/dynamic/lazy.hpp>
#include <tenon/training.hpp>

#include "../catch.hpp"

using namespace tenon;
using training::load_checkpoint, training::save_checkpoint;

namespace {

/// A folder that goes with its object.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tenon_checkpoint" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
};

struct Net {
  nn::Linear first{3, 4};
  nn::BatchNorm1d norm{4};
  nn::Dropout drop{0.3};
  nn::Linear second{4, 1};
  Tensor operator()(const Tensor& x) { return second(drop(ops::relu(norm(first(x))))); }
  TENON_FIELDS(first, norm, drop, second)
};

/// A run with all that a run has.
struct Run {
  Net net;
  optim::Adam adam{nn::parameters(net), {.lr = 0.01}};
  optim::StepLR schedule{adam, {.step_size = 3, .gamma = 0.5}};
  data::DataLoader<data::TensorDataset<1>> loader;
  std::int64_t steps = 0;
  double best = 1e9;

  explicit Run(int workers)
      : loader(data::TensorDataset(ops::arange(33.0).view({11, 3})),
               {.batch_size = 3, .shuffle = true, .num_workers = workers, .seed = 4}) {}
  std::vector<training::CheckpointPart> parts() {
    return {{"model", net},
            {"optimizer", adam},
            {"schedule", schedule},
            {"loader", loader},
            {"generator", default_generator()},
            {"steps", steps},
            {"best", best}};
  }
  /// The losses up to a step; `each` is called with each of them.
  std::vector<double> train(std::int64_t until, const std::function<void(double)>& each = {}) {
    std::vector<double> losses;
    while (steps < until) {
      for (Tensor& x : loader) {
        adam.zero_grad();
        Tensor loss = net(x / 30).square().mean();
        loss.backward();
        adam.step();
        schedule.step();
        losses.push_back(loss.item<double>());
        best = std::min(best, losses.back());
        ++steps;
        if (each) each(losses.back());
        if (steps == until) break;
      }
    }
    return losses;
  }
};

}  // namespace

TEST_CASE("a run that is saved and loaded at any step goes on to the bit", "[training][checkpoint]") {
  Folder folder;
  std::string path = folder.file("run.safetensors");
  manual_seed(1);
  std::vector<double> expected = Run(0).train(11);
  for (std::int64_t stop : {0, 1, 3, 4, 6, 8}) {
    manual_seed(1);
    Run first(1);
    std::vector<double> losses = first.train(stop);
    save_checkpoint(path, first.parts(), {{"note", "test"}});

    manual_seed(77);
    Run second(2);
    second.train(2);
    Metadata metadata = load_checkpoint(path, second.parts());
    CHECK(metadata == Metadata{{"note", "test"}});
    CHECK(second.steps == stop);
    CHECK(second.best == first.best);
    std::vector<double> rest = second.train(11);
    losses.insert(losses.end(), rest.begin(), rest.end());
    CHECK(losses == expected);
  }
}

namespace {

/// A child that trains to the end, from the checkpoint if there is one, and saves after each step.
pid_t train_in_child(const std::string& path, int workers) {
  constexpr std::int64_t kSteps = 11;
  pid_t child = ::fork();
  if (child != 0) return child;
  try {
    manual_seed(1);
    Run run(workers);
    Tensor losses = ops::zeros({kSteps}, "dtype"_a = kDouble);
    std::vector<training::CheckpointPart> parts = run.parts();
    parts.emplace_back("losses", losses);
    if (std::filesystem::exists(path)) load_checkpoint(path, parts);
    run.train(kSteps, [&](double loss) {
      losses.data_ptr<double>()[run.steps - 1] = loss;
      save_checkpoint(path, parts);
    });
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    ::_exit(3);
  }
  ::_exit(0);
}
int end_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}
std::string bytes_of(const std::string& path) { return std::string(data::MappedFile(path).bytes()); }

}  // namespace

TEST_CASE("a training that is killed at a hundred random moments ends with the same bytes", "[training][checkpoint]") {
  Folder folder;
  std::string whole = folder.file("whole.safetensors"), path = folder.file("run.safetensors");
  auto start = std::chrono::steady_clock::now();
  REQUIRE(end_of(train_in_child(whole, 0)) == 0);
  std::chrono::duration<double> needed = std::chrono::steady_clock::now() - start;
  const std::string expected = bytes_of(whole);

  data::Random random(5, 0, 0);
  int kills = 0, chains = 0;
  while (kills < 100) {
    std::filesystem::remove(path);
    // Each child goes on where the last was killed, until one ends by itself.
    for (;;) {
      pid_t child = train_in_child(path, (kills + chains) % 3);
      std::this_thread::sleep_for(needed * random.uniform(0, 0.6));
      ::kill(child, SIGKILL);
      int status = end_of(child);
      if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        ++kills;
        continue;
      }
      REQUIRE(status == 0);
      break;
    }
    ++chains;
    REQUIRE(bytes_of(path) == expected);
  }
}

TEST_CASE("parts are loaded alone, and one that does not fit leaves all as they were", "[training][checkpoint]") {
  Folder folder;
  std::string path = folder.file("run.safetensors");
  manual_seed(1);
  Run run(0);
  run.train(3);
  save_checkpoint(path, run.parts());
  CHECK(SafetensorsFile::open(path).find("model.first.weight") != nullptr);

  Net other;
  load_checkpoint(path, {{"model", other}});
  CHECK(ops::equal(other.second.weight, run.net.second.weight));

  Run changed(0);
  changed.train(1);
  Tensor before = changed.net.first.weight.detach().clone();
  double flag = 3;
  nn::Linear unlike{3, 4};
  CHECK_THROWS_AS(load_checkpoint(path, {{"model", changed.net}, {"optimizer", changed.adam}, {"generator", unlike}}),
                  ValueError);
  CHECK(ops::equal(changed.net.first.weight, before));
  // Parts that share tensors are brought back in the order in which they were taken away.
  Net shared;
  Tensor own = shared.first.weight.detach().clone();
  std::string twice = folder.file("twice.safetensors");
  save_checkpoint(twice, {{"model", run.net}, {"head", run.net.first}, {"generator", run.net.first}});
  CHECK_THROWS_AS(load_checkpoint(twice, {{"model", shared}, {"head", shared.first}, {"generator", shared.second}}),
                  ValueError);
  CHECK(ops::equal(shared.first.weight, own));
  CHECK_ERROR_CONTAINS(load_checkpoint(path, {{"steps", flag}}), ValueError,
                       "load_checkpoint(): part 'steps': expected one number of dtype");
  CHECK(flag == 3);
  CHECK_ERROR_CONTAINS(load_checkpoint(path, {{"nothing", flag}}), FileError,
                       ": expected a part 'nothing', got model,optimizer,schedule,loader,generator,steps,best");
  CHECK_ERROR(save_checkpoint(path, {{"a.b", flag}}), ValueError,
              "save_checkpoint(): expected names of parts without points and commas, got 'a.b'");
  CHECK_ERROR(save_checkpoint(path, {{"a", flag}, {"a", flag}}), ValueError,
              "save_checkpoint(): expected one part 'a', got two");
  std::int64_t large = std::int64_t{1} << 40;
  int small = 3;
  save_checkpoint(path, {{"count", large}});
  CHECK_ERROR(load_checkpoint(path, {{"count", small}}), ValueError,
              "load_checkpoint(): part 'count': 1099511627776 does not fit the variable's type");
  CHECK(small == 3);
  nn::save(other, path);
  CHECK_ERROR_CONTAINS(load_checkpoint(path, {{"model", other}}), FileError,
                       "expected a checkpoint, got a safetensors file without parts");
}

namespace {

/// What the saved number is after a child that saved 2 over 1 was made to fail by `spoil`, and how the child ended.
struct Outcome {
  double value;
  int status;
};
template <class F>
Outcome save_in_child(const std::string& path, F spoil) {
  Tensor weight = ops::full({1000}, 1.0);
  save_checkpoint(path, {{"weight", weight}});
  weight.fill_(2.0);
  pid_t child = ::fork();
  if (child == 0) {
    spoil();
    try {
      save_checkpoint(path, {{"weight", weight}});
    } catch (const FileError&) { ::_exit(3); }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Tensor loaded = ops::zeros({1000});
  load_checkpoint(path, {{"weight", loaded}});
  CHECK(ops::all(ops::eq(loaded, loaded.select(0, 0))).item<bool>());
  return {loaded.select(0, 0).item<double>(), status};
}
/// From now on the process may write files of this size only: what goes beyond fails, or kills.
void limit_file_size(rlim_t bytes, bool kill) {
  ::signal(SIGXFSZ, kill ? SIG_DFL : SIG_IGN);
  rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}
/// From now on a call of the system ends the process.
void die_at(std::vector<int> calls) {
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (int call : calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) ::_exit(4);
}

}  // namespace

TEST_CASE("a crash or an error at any write leaves the old checkpoint, and none leaves the new one",
          "[training][checkpoint]") {
  Folder folder;
  std::string path = folder.file("run.safetensors");
  Outcome whole = save_in_child(path, [] {});
  CHECK(whole.value == 2);
  CHECK(whole.status == 0);
  auto size = static_cast<rlim_t>(std::filesystem::file_size(path));
  for (rlim_t bytes = 0; bytes < size; bytes += bytes < 160 ? 8 : 509)
    for (bool kill : {false, true}) {
      Outcome o = save_in_child(path, [&] { limit_file_size(bytes, kill); });
      CHECK(o.value == 1);
      CHECK((kill ? WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGXFSZ
                  : WIFEXITED(o.status) && WEXITSTATUS(o.status) == 3));
    }
  Outcome enough = save_in_child(path, [&] { limit_file_size(size, true); });
  CHECK(enough.value == 2);
  CHECK(enough.status == 0);
}

TEST_CASE("a crash before, in and after the renaming leaves the old or the new checkpoint", "[training][checkpoint]") {
  Folder folder;
  std::string path = folder.file("run.safetensors");
  std::vector<int> renames{SYS_renameat, SYS_renameat2};
#ifdef SYS_rename
  renames.push_back(SYS_rename);
#endif
  struct {
    std::vector<int> calls;
    double left;
  } cases[] = {{{SYS_openat}, 1}, {{SYS_write, SYS_writev}, 1}, {{SYS_fsync}, 1}, {renames, 1}, {{SYS_exit_group}, 2}};
  for (const auto& [calls, left] : cases) {
    Outcome o = save_in_child(path, [&, &calls = calls] { die_at(calls); });
    CHECK(o.value == left);
    // Where the system refuses filters there is nothing to see.
    if (WIFEXITED(o.status) && WEXITSTATUS(o.status) == 4) continue;
    CHECK((WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGSYS));
  }
}

TEST_CASE("a lazy model takes its sizes from a checkpoint", "[training][checkpoint]") {
  Folder folder;
  std::string path = folder.file("run.safetensors");
  nn::Linear layer{3, 2};
  save_checkpoint(path, {{"model", layer}});
  nn::LazyLinear late{2};
  load_checkpoint(path, {{"model", late}});
  CHECK(ops::equal(late(ops::ones({1, 3})), layer(ops::ones({1, 3}))));
}
