// A driver in place of NVIDIA's: devices in the memory of the host, streams that run at once or when somebody waits,
// and failures on demand.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fake {

struct Driver {
  int devices = 2, error = 0;
  std::size_t room = std::size_t{64} << 20;  ///< bytes of each device
  bool delayed = false;                      ///< streams run when somebody waits for them
  bool lost = false;                         ///< every call fails
  bool strict = false;                       ///< a call fails behind a kernel whose start nobody looked at
  std::map<std::string, int> fails;          ///< the next call of that name
  std::vector<std::string> log;              ///< names of the calls
  std::size_t launches = 0;                  ///< of kernels
  std::map<void*, std::size_t> blocks, pinned;
  std::map<void*, int> device_of;  ///< of blocks, and of what they were
  int current();                   ///< the thread's device
  std::size_t used() const;
  std::size_t calls(const std::string& name) const;
};
Driver& driver();
/// Two devices without tensors' memory, streams at once, no failures.
void reset();
/// Runs all that streams were given.
void finish();
/// Things that streams were given and have not done.
std::size_t pending();

}  // namespace fake
