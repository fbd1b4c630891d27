// What the judging programs include, read by the compiler once for all of them.
#include <nlohmann/json.hpp>

#include <tenon/tenon.hpp>
