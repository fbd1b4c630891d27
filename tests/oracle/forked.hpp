// Runs many cases in child processes, so that one that crashes or hangs is one failed case.
#pragma once
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace oracle {

/// What became of one case; no text means that it passed.
struct Outcome {
  std::string id, failure;
  bool passed = false;
};

/// `open` prepares and returns the number of cases, `id(i)` names one, `run(i)` runs it and returns what differs, or
/// nothing. All are called in child processes only.
struct Suite {
  std::function<std::size_t()> open;
  std::function<std::string(std::size_t)> id;
  std::function<std::string(std::size_t)> run;
};

inline constexpr unsigned kSecondsPerCase = 60;

namespace detail {

inline void send(int pipe, const std::string& text) {
  std::size_t size = text.size();
  std::string message(reinterpret_cast<const char*>(&size), sizeof size);
  message += text;
  for (std::size_t at = 0; at < message.size();) {
    ssize_t n = ::write(pipe, message.data() + at, message.size() - at);
    if (n <= 0) ::_exit(3);
    at += static_cast<std::size_t>(n);
  }
}
inline bool receive(int pipe, void* to, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    ssize_t n = ::read(pipe, static_cast<char*>(to) + at, size - at);
    if (n <= 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}
inline bool receive(int pipe, std::string& text) {
  std::size_t size = 0;
  if (!receive(pipe, &size, sizeof size)) return false;
  text.resize(size);
  return receive(pipe, text.data(), size);
}
inline std::string ending(int status) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGALRM) return "took more than " + std::to_string(kSecondsPerCase) + " s";
    return std::string("crashed: ") + ::strsignal(WTERMSIG(status));
  }
  return "ended its process with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace detail

/// Runs every case. With `in_process` nothing is forked, for a debugger or a sanitizer.
inline std::vector<Outcome> run_all(const Suite& suite, bool in_process = false) {
  std::vector<Outcome> outcomes;
  if (in_process) {
    std::size_t count = suite.open();
    for (std::size_t i = 0; i < count; ++i) {
      std::string failure = suite.run(i);
      outcomes.push_back({suite.id(i), failure, failure.empty()});
    }
    return outcomes;
  }
  std::fflush(nullptr);
  for (bool more = true; more;) {
    int ends[2];
    if (::pipe(ends) != 0) {
      outcomes.push_back({"pipe", "no pipe could be made", false});
      break;
    }
    std::size_t first = outcomes.size();
    pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      std::string count, problem;
      std::size_t n = suite.open();
      detail::send(ends[1], std::to_string(n));
      for (std::size_t i = first; i < n; ++i) {
        detail::send(ends[1], suite.id(i));
        ::alarm(kSecondsPerCase);
        std::string failure = suite.run(i);
        ::alarm(0);
        detail::send(ends[1], failure);
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    std::size_t count = 0;
    bool counted = detail::receive(ends[0], text), open_case = false;
    if (counted) count = std::stoul(text);
    while (detail::receive(ends[0], text)) {
      if (!open_case)
        outcomes.push_back({text, "", false});
      else
        outcomes.back() = {outcomes.back().id, text, text.empty()};
      open_case = !open_case;
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (open_case)
      outcomes.back().failure = detail::ending(status);
    else if (!counted)
      outcomes.push_back({"reading the cases", detail::ending(status), false});
    more = counted && outcomes.size() < count && outcomes.size() > first;
    if (counted && outcomes.size() < count && !more) outcomes.push_back({"the cases", detail::ending(status), false});
  }
  return outcomes;
}

}  // namespace oracle
