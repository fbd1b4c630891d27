// What programs and their other headers define before they include the library, and the warnings that they ask for.
// The standard library is in already: it is not what is tested.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#define N 512
#define M 256
#define V 3
#define I (0.0 + 1.0i)
#define PI 3.14159
#define EPS 1e-6
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define SWAP(a, b) std::swap(a, b)
#define DEBUG 1
#define ERROR 0
#define INFO 2
#define WARNING 3
#define FATAL 4
#define LOG(x) x
#define CHECK(x) x
#define ASSERT(x) x
#define VERIFY(x) x
#define FAIL(x) x
#define REQUIRE(x) x
#define OK 0
#define TRUE 1
#define FALSE 0
#define BOOL int
#define BYTE unsigned char
#define DOMAIN 1
#define OVERFLOW 3
#define UNDERFLOW 4
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define small char
#define near
#define far
#define interface struct
#define emit
#define slots
#define signals public
#define major(x) (x)
#define minor(x) (x)
#define B0 0
#define SIZE 16
#define BLOCK 64
#define ALIGN 32
#define UNUSED(x) (void)(x)
#define STR(x) #x
#define CAT(a, b) a##b
#define K 7
#define W 5
#define H 6

#include <tenon/tenon.hpp>

int main() { return N == 512 && min(M, V) == 3 ? 0 : 1; }
