// The list of an operator's kernels.
#include <tenon/dispatch/kernel_list.hpp>

#include <algorithm>
#include <string>

#include "catch.hpp"

using namespace tenon;
using K = DispatchKey;

static_assert(sizeof(KernelList) == 3 * sizeof(void*), "no larger than the vector it stands for");

namespace {

KeyedKernel keyed(K key) { return {key, Kernel(fallthrough()).state()}; }
std::string keys_of(const KernelList& list) {
  std::string text;
  for (const KeyedKernel& k : list) (text += text.empty() ? "" : " ") += to_string(k.key);
  return text;
}

}  // namespace

TEST_CASE("kernels are inserted and erased anywhere", "[dispatch][kernel_list]") {
  KernelList list;
  CHECK(list.empty());
  list.insert(list.end(), keyed(K::CUDA));
  CHECK(keys_of(list) == "CUDA");
  list.insert(list.begin(), keyed(K::CPU));
  list.insert(list.end(), keyed(K::Meta));
  list.insert(list.begin() + 1, keyed(K::XLA));
  list.insert(list.begin() + 1, keyed(K::HPU));
  CHECK(keys_of(list) == "CPU HPU XLA CUDA Meta");
  CHECK(list.size() == 5);
  list.erase(list.begin() + 2);
  list.erase(list.end() - 1);
  list.erase(list.begin());
  CHECK(keys_of(list) == "HPU CUDA");
  list.erase(list.begin());
  list.erase(list.begin());
  CHECK(list.empty());
  list.insert(list.end(), keyed(K::CPU));
  CHECK(keys_of(list) == "CPU");
}
TEST_CASE("a list holds each kernel once and lets it go", "[dispatch][kernel_list]") {
  KeyedKernel a = keyed(K::CPU), b = keyed(K::CUDA);
  {
    KernelList one, many;
    one.insert(one.end(), a);
    many.insert(many.end(), a);
    many.insert(many.end(), b);
    many.insert(many.end(), b);
    many.insert(many.end(), b);
    CHECK(a.kernel->use_count() == 3);
    CHECK(b.kernel->use_count() == 4);
    many.erase(many.begin());
    CHECK(a.kernel->use_count() == 2);
  }
  CHECK(a.kernel->use_count() == 1);
  CHECK(b.kernel->use_count() == 1);
}
