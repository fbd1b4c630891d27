// Walking a tensor and its selected elements side by side: the offsets of every part of a selection.
#pragma once
#include <optional>

#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/structured/indexing.hpp>

namespace tenon::cpu::detail {

/// The offsets of all places of a shape in row-major order, in elements; evenly spaced ones need no list.
class Offsets {
 public:
  Offsets() = default;
  Offsets(IntArrayRef sizes, IntArrayRef strides) : count_(count_elements(sizes)) {
    // Neighbours that one step serves become one dimension.
    DimVector n, s;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == 1) continue;
      if (!n.empty() && s.back() == strides[d] * sizes[d]) {
        n.back() *= sizes[d];
        s.back() = strides[d];
      } else {
        n.push_back(sizes[d]);
        s.push_back(strides[d]);
      }
    }
    if (n.size() <= 1 || count_ == 0) {
      step_ = n.empty() || count_ == 0 ? 0 : s[0];
      return;
    }
    list_.resize(static_cast<std::size_t>(count_));
    auto last = static_cast<std::int64_t>(n.size()) - 1;
    std::int64_t* to = list_.data();
    each_line(n, last, {IntArrayRef(s)}, 0, line_count(n, last), [&](const std::int64_t* at, std::int64_t) {
      for (std::int64_t k = 0; k < n.back(); ++k) *to++ = at[0] + k * s.back();
    });
  }
  std::int64_t count() const { return count_; }
  std::int64_t operator[](std::int64_t i) const {
    return list_.empty() ? i * step_ : list_[static_cast<std::size_t>(i)];
  }
  /// Where no list is needed, the step.
  std::optional<std::int64_t> even() const { return list_.empty() ? std::optional(step_) : std::nullopt; }

 private:
  std::int64_t count_ = 1, step_ = 0;
  std::vector<std::int64_t> list_;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void index_outside(std::int64_t index, std::int64_t dim,
                                                                 std::int64_t size) {
  fail<IndexError>("index ", index, " is out of bounds for dimension ", dim, " with size ", size);
}

/// The offsets in `self` that the indices of a selection lead to, for each place of their common shape.
/// Errors: IndexError for an index outside its dimension; negative ones count from the end.
inline Tensor chosen_offsets(const Tensor& self, const Selection<std::int64_t>& s) {
  Tensor out = make_tensor(s.shape, {}, kLong);
  auto to = static_cast<std::int64_t*>(out.data_ptr());
  if (out.numel() == 0) return out;
  DimVector shape = s.shape.empty() ? DimVector{1} : s.shape;
  auto last = static_cast<std::int64_t>(shape.size()) - 1;
  std::int64_t n = shape.back();
  bool first = true;
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    if (!s.indices[static_cast<std::size_t>(d)].defined()) continue;
    Tensor index = s.indices[static_cast<std::size_t>(d)];
    if (index.dtype() != kLong) index = row_major(index, kLong);
    DimVector strides(shape.size(), 0);
    for (std::size_t i = 0; i < index.sizes().size(); ++i) {
      std::size_t from = index.sizes().size() - 1 - i;
      if (index.sizes()[from] != 1) strides[shape.size() - 1 - i] = index.strides()[from];
    }
    auto p = static_cast<const std::int64_t*>(index.data_ptr());
    std::int64_t size = self.sizes()[d], step = self.strides()[d], along = strides.back();
    auto line = [=](const std::int64_t* from, std::int64_t* y, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t given = from[k * along], i = given < 0 ? given + size : given;
        if (static_cast<std::uint64_t>(i) >= static_cast<std::uint64_t>(size)) [[unlikely]]
          index_outside(given, d, size);
        y[k] = first ? i * step : y[k] + i * step;
      }
    };
    if (std::int64_t lines = line_count(shape, last); lines == 1)  // which threads share
      parallel_for(0, n, 1 << 14, [&](std::int64_t a, std::int64_t b) { line(p + a * along, to + a, b - a); });
    else
      parallel_for(0, lines, (1 << 15) / n + 1, [&](std::int64_t a, std::int64_t b) {
        each_line(shape, last, {IntArrayRef(strides)}, a, b,
                  [&](const std::int64_t* at, std::int64_t l) { line(p + at[0], to + l * n, n); });
      });
    first = false;
  }
  if (first) *to = 0;
  return out;
}

/// A selection beside another tensor of its result's shape: where elements lie in the tensor indexed (`mine`) and in
/// the other one (`theirs`). The dimensions behind the indices end in lines of `length` elements.
struct IndexWalk {
  struct Side {
    Offsets before, after;
    std::int64_t step = 0;  ///< between elements of a line
  };
  Tensor chosen;
  const std::int64_t* at = nullptr;
  Offsets places;  ///< of the other tensor, for each place of the indices' shape
  Side mine, theirs;
  std::int64_t befores = 1, count = 1, lines = 1, length = 1;

  /// `strides`: of the other tensor, one for each dimension of the result.
  IndexWalk(const Tensor& self, const Selection<std::int64_t>& s, IntArrayRef strides)
      : chosen(chosen_offsets(self, s)), at(static_cast<const std::int64_t*>(chosen.data_ptr())) {
    std::size_t b = s.before.size(), m = s.shape.size();
    DimVector own_before, own_after, after;
    for (std::int64_t d : s.before) own_before.push_back(self.strides()[d]);
    IntArrayRef sizes(s.sizes);
    mine.before = Offsets(sizes.slice(0, b), own_before);
    theirs.before = Offsets(sizes.slice(0, b), strides.slice(0, b));
    places = Offsets(s.shape, strides.slice(b, m));
    befores = mine.before.count();
    count = places.count();
    // The innermost dimensions that both step through evenly are one line.
    DimVector n, x, y;
    for (std::size_t i = 0; i < s.after.size(); ++i) {
      std::int64_t size = s.sizes[b + m + i], u = self.strides()[s.after[i]], v = strides[b + m + i];
      if (size == 1) continue;
      if (!n.empty() && x.back() == u * size && y.back() == v * size) {
        n.back() *= size;
        x.back() = u;
        y.back() = v;
      } else {
        n.push_back(size);
        x.push_back(u);
        y.push_back(v);
      }
    }
    if (!n.empty()) {
      length = n.back();
      mine.step = x.back();
      theirs.step = y.back();
      std::size_t outer = n.size() - 1;
      mine.after = Offsets(IntArrayRef(n).slice(0, outer), IntArrayRef(x).slice(0, outer));
      theirs.after = Offsets(IntArrayRef(n).slice(0, outer), IntArrayRef(y).slice(0, outer));
      lines = mine.after.count();
    }
  }
};

}  // namespace tenon::cpu::detail
