// Plans of discrete Fourier transforms: the order of butterflies and their factors, computed in double and kept.
#pragma once
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <tenon/cpu/fft_kernels.hpp>

namespace tenon::cpu::detail {

/// The root of one exp(-2 pi i a / n) for 0 <= a < n, each part to half a unit in the last place: sine and cosine see
/// angles up to an eighth of a turn only.
inline std::pair<double, double> root_of_one(std::int64_t a, std::int64_t n) {
  const std::int64_t octant = 8 * a / n, rest = 8 * a - octant * n;
  auto angle = [&](std::int64_t eighths) {
    return static_cast<double>(eighths) * (3.14159265358979323846 / 4 / static_cast<double>(n));
  };
  const double x = angle(octant % 2 ? n - rest : rest), c = std::cos(x), s = std::sin(x);
  switch (octant) {
    case 0: return {c, -s};
    case 1: return {s, -c};
    case 2: return {-s, -c};
    case 3: return {-c, -s};
    case 4: return {-c, s};
    case 5: return {-s, c};
    case 6: return {s, c};
    default: return {c, s};
  }
}

/// The sizes of butterflies whose product is n, by size where there is a choice; the last is the largest prime factor.
inline std::vector<std::int64_t> radices_of(std::int64_t n) {
  std::vector<std::int64_t> out;
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  // Eights, and fours where eights would leave a two.
  for (; twos >= 3 && twos != 4; twos -= 3) out.push_back(8);
  for (; twos >= 2; twos -= 2) out.push_back(4);
  if (twos) out.push_back(2);
  for (std::int64_t p = 3; p * p <= n; p += 2)
    for (; n % p == 0; n /= p) out.push_back(p);
  if (n > 1) out.push_back(n);
  return out;
}
/// What a transform costs by butterflies: a large prime as many times its size.
inline double fft_cost(std::int64_t n) {
  double sum = 0;
  for (std::int64_t r : radices_of(n))
    sum += r <= 8 ? 2 + std::log2(static_cast<double>(r)) : 1.1 * static_cast<double>(r);
  return sum * static_cast<double>(n);
}
/// The length of at least n with small factors that costs least.
inline std::int64_t convenient_length(std::int64_t n) {
  std::int64_t best = 0;
  double least = 0;
  for (std::int64_t odd : {1, 3, 5, 9, 15, 25}) {
    std::int64_t m = odd;
    while (m < n) m *= 2;
    if (double cost = fft_cost(m); best == 0 || cost < least) {
      best = m;
      least = cost;
    }
  }
  return best;
}

/// The tables for a length, of the few last used.
template <class Owner>
std::shared_ptr<const Owner> recently_used(std::int64_t n) {
  constexpr std::size_t most = 64;
  static std::mutex mutex;
  static std::map<std::int64_t, std::pair<std::shared_ptr<const Owner>, std::uint64_t>> known;
  static std::uint64_t time = 0;
  {
    std::lock_guard lock(mutex);
    if (auto found = known.find(n); found != known.end()) {
      found->second.second = ++time;
      return found->second.first;
    }
  }
  auto made = std::make_shared<const Owner>(n);
  std::lock_guard lock(mutex);
  if (known.size() >= most) {
    auto oldest = known.begin();
    for (auto i = known.begin(); i != known.end(); ++i)
      if (i->second.second < oldest->second.second) oldest = i;
    known.erase(oldest);
  }
  known[n] = {made, ++time};
  return made;
}

template <class T>
class FftPlanOwner {
 public:
  explicit FftPlanOwner(std::int64_t n) {
    plan_.n = n;
    std::vector<std::int64_t> radices = radices_of(n);
    bool chirp = !radices.empty() && radices.back() > 8 &&
                 (radices.back() > kLargestRadix || 3 * fft_cost(convenient_length(2 * n - 1)) < fft_cost(n));
    if (chirp)
      make_chirp();
    else if (n >= LongFft<T, default_arch>::kLeast)
      make_split(radices);
    // A long one in two steps has no need of passes of its own, except where it stands beside many like it.
    if (!chirp && n <= 2 * kMostByPasses) make_passes(radices);
  }
  const FftPlan<T>& plan() const { return plan_; }

  static std::shared_ptr<const FftPlanOwner> get(std::int64_t n) { return recently_used<FftPlanOwner>(n); }

 private:
  static constexpr std::int64_t kMostByPasses = 8192;

  template <class U>
  static void push(std::vector<U>& to, std::pair<double, double> z) {
    to.push_back(static_cast<U>(z.first));
    to.push_back(static_cast<U>(z.second));
  }
  const T* keep(std::vector<T> table) {
    tables_.push_back(std::move(table));
    return tables_.back().data();
  }
  void make_passes(const std::vector<std::int64_t>& radices) {
    std::int64_t length = plan_.n;
    for (std::int64_t r : radices) {
      const int i = plan_.passes++;
      plan_.radix[i] = static_cast<int>(r);
      std::vector<T> w;
      for (std::int64_t p = 0; p < length / r; ++p)
        for (std::int64_t k = 1; k < r; ++k) push(w, root_of_one(p * k, length));
      plan_.twiddles[i] = keep(std::move(w));
      if (r > 8 || r == 7) {
        std::vector<T> roots;
        for (std::int64_t k = 0; k < r; ++k) push(roots, root_of_one(k, r));
        plan_.roots[i] = keep(std::move(roots));
      }
      length /= r;
    }
  }
  /// Two factors of n as near each other as its butterflies allow.
  void make_split(const std::vector<std::int64_t>& radices) {
    std::vector<std::int64_t> products{1};
    for (std::int64_t r : radices)
      for (std::size_t i = products.size(); i-- > 0;) products.push_back(products[i] * r);
    std::int64_t best = 1;
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(plan_.n)));
    for (std::int64_t p : products)
      if (p <= root && p > best) best = p;
    if (best < 8) return;
    columns_ = get(best);
    rows_ = get(plan_.n / best);
    plan_.columns = &columns_->plan();
    plan_.rows = &rows_->plan();
    while (plan_.fine_count * plan_.fine_count < plan_.n) plan_.fine_count *= 2;
    for (std::int64_t i = 0; i < plan_.fine_count; ++i) push(fine_, root_of_one(i % plan_.n, plan_.n));
    for (std::int64_t i = 0; i < plan_.n; i += plan_.fine_count) push(coarse_, root_of_one(i, plan_.n));
    plan_.fine = fine_.data();
    plan_.coarse = coarse_.data();
  }
  void make_chirp() {
    const std::int64_t n = plan_.n, m = convenient_length(2 * n - 1);
    plan_.kind = FftPlan<T>::Kind::Chirp;
    inner_ = get(m);
    plan_.inner = &inner_->plan();
    std::vector<double> chirp, filter(static_cast<std::size_t>(2 * m)), spectrum(filter.size());
    std::int64_t square = 0;  // j * j modulo 2n
    for (std::int64_t j = 0; j < n; square = (square + 2 * j + 1) % (2 * n), ++j) {
      auto [re, im] = root_of_one(square, 2 * n);
      push(chirp, {re, im});
      for (std::int64_t at : {j, (m - j) % m}) {
        filter[static_cast<std::size_t>(2 * at)] = re / static_cast<double>(m);
        filter[static_cast<std::size_t>(2 * at + 1)] = -im / static_cast<double>(m);
      }
    }
    auto inner = FftPlanOwner<double>::get(m);
    FftCall<double> call;
    call.n = m;
    call.plan = &inner->plan();
    call.in = filter.data();
    call.out = spectrum.data();
    call.in_step = call.out_step = 2;
    active_tables().fft->run_double(call);
    plan_.chirp = keep(std::vector<T>(chirp.begin(), chirp.end()));
    plan_.spectrum = keep(std::vector<T>(spectrum.begin(), spectrum.end()));
  }

  FftPlan<T> plan_;
  std::shared_ptr<const FftPlanOwner> columns_, rows_, inner_;
  std::vector<double> fine_, coarse_;
  std::vector<std::vector<T>> tables_;
};

/// The roots of one of order n that join halves of real transforms.
template <class T>
class FftTwist {
 public:
  explicit FftTwist(std::int64_t n) {
    for (std::int64_t k = 0; 4 * k <= n; ++k) {
      auto [re, im] = root_of_one(k, n);
      table_.push_back(static_cast<T>(re));
      table_.push_back(static_cast<T>(im));
    }
  }
  const T* data() const { return table_.data(); }

 private:
  std::vector<T> table_;
};

}  // namespace tenon::cpu::detail
