// Sums over named indices: einsum and the pairwise contraction under it.
#pragma once
#include <array>
#include <string>

#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/tensor_products.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

/// Whether a size is not 1 for sure: a dimension of size 1 is broadcast.
inline bool is_wide(const Tensor& t, std::int64_t dim) {
  const SymInt& size = t.sym_sizes()[static_cast<std::size_t>(dim)];
  return !known_equal(size, SymInt(1)) && size != 1;
}
inline Tensor summed(const Tensor& t, const DimVector& dims, bool keepdim) {
  return dims.empty() ? t : Tensor(ops::sum(t, IntArrayRef(dims), keepdim));
}

/// The sum of left * right over the dimensions that `is_summed` names, which are taken away; both have `dims`
/// dimensions. Sums over one operand alone come first, what is left is one batched product of matrices.
template <class Summed>
Tensor contract_pair(Tensor left, Tensor right, std::int64_t dims, Summed is_summed) {
  DimVector batch, rows, columns, inner, left_only, right_only, narrow;
  for (std::int64_t d = 0; d < dims; ++d) {
    bool l = is_wide(left, d), r = is_wide(right, d);
    if (!is_summed(d))
      (l && r ? batch : l ? rows : columns).push_back(d);
    else if (l && r)
      inner.push_back(d);
    else
      (l ? left_only : r ? right_only : narrow).push_back(d);
  }
  left = summed(left, left_only, true);
  right = summed(right, right_only, true);
  auto count = [](const Tensor& t, const DimVector& of) {
    SymInt n = 1;
    for (std::int64_t d : of) n = n * t.sym_sizes()[static_cast<std::size_t>(d)];
    return n;
  };
  SymInt b = count(left, batch), m = count(left, rows), k = count(left, inner), n = count(right, columns);
  auto ordered = [](std::initializer_list<const DimVector*> parts) {
    DimVector out;
    for (const DimVector* part : parts)
      for (std::int64_t d : *part) out.push_back(d);
    return out;
  };
  DimVector gone = ordered({&inner, &left_only, &right_only, &narrow}), shape = ordered({&batch, &rows, &columns});
  DimVector l = ordered({&batch, &rows, &inner, &columns, &left_only, &right_only, &narrow}),
            r = ordered({&batch, &inner, &columns, &rows, &left_only, &right_only, &narrow});
  SymDimVector sizes;
  for (std::int64_t d : shape) {
    bool of_right = !is_wide(left, d);
    sizes.push_back((of_right ? right : left).sym_sizes()[static_cast<std::size_t>(d)]);
  }
  for (std::size_t i = 0; i < gone.size(); ++i) sizes.push_back(1);
  SymInt x[] = {b, m, k}, y[] = {b, k, n};
  Tensor product = ops::bmm(ops::reshape(ops::permute(left, IntArrayRef(l)), SymIntArrayRef(x, 3)),
                            ops::reshape(ops::permute(right, IntArrayRef(r)), SymIntArrayRef(y, 3)));
  // Back to the order of the dimensions, then without those that are summed.
  DimVector order = ordered({&shape, &gone}), back(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  Tensor out = ops::permute(ops::view(product, SymIntArrayRef(sizes)), IntArrayRef(back));
  if (gone.empty()) return out;
  // A view, not a squeeze: strides of dimensions of size 1 are those of what is left.
  SymDimVector left_sizes;
  for (std::int64_t d = 0; d < dims; ++d)
    if (!is_summed(d)) left_sizes.push_back(out.sym_sizes()[static_cast<std::size_t>(d)]);
  return ops::view(out, SymIntArrayRef(left_sizes));
}

/// An equation read: for every operand its indices, a letter or an ellipsis each, and those of the result.
struct Equation {
  static constexpr int kLetters = 52, kEllipsis = 52;
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
  bool explicit_output = false;

  static int index_of(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' : c - 'a' + 26; }
  static char letter_of(int i) { return static_cast<char>(i < 26 ? 'A' + i : 'a' + (i - 26)); }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  Equation(std::string_view text, std::size_t operands) {
    std::size_t arrow = text.find("->"), end = arrow == text.npos ? text.size() : arrow;
    explicit_output = arrow != text.npos;
    inputs.emplace_back();
    bool ellipsis = false;
    for (std::size_t i = 0; i < end; ++i) {
      char c = text[i];
      if (c == ' ') continue;
      if (c == '.') {
        TENON_CHECK(!ellipsis, ValueError, "einsum(): found '.' for operand ", inputs.size() - 1,
                    " for which an ellipsis was already found");
        read_ellipsis(text, i, end, concat("operand ", inputs.size() - 1));
        inputs.back().push_back(kEllipsis);
        ellipsis = true;
      } else if (c == ',') {
        TENON_CHECK(inputs.size() < operands, ValueError,
                    "einsum(): fewer operands were provided than specified in the equation");
        inputs.emplace_back();
        ellipsis = false;
      } else {
        inputs.back().push_back(read_letter(text, i));
      }
    }
    TENON_CHECK(inputs.size() == operands, ValueError,
                "einsum(): more operands were provided than specified in the equation");
    std::array<int, kLetters + 1> seen{};
    for (const auto& input : inputs)
      for (int s : input) ++seen[static_cast<std::size_t>(s)];
    explicit_output ? read_output(text, end + 2, seen) : infer_output(seen);
  }

 private:
  static void read_ellipsis(std::string_view text, std::size_t& i, std::size_t end, const std::string& of) {
    TENON_CHECK(i + 2 < end && text[i + 1] == '.' && text[i + 2] == '.', ValueError, "einsum(): found '.' for ", of,
                " that is not part of any ellipsis", of == "output" ? " (...)" : "");
    i += 2;
  }
  static int read_letter(std::string_view text, std::size_t i) {
    TENON_CHECK(is_letter(text[i]), ValueError, "einsum(): invalid subscript given at index ", i,
                " in the equation string, subscripts must be in [a-zA-Z]");
    return index_of(text[i]);
  }
  /// Ellipsis first, then what occurs once, in the order of the letters.
  void infer_output(const std::array<int, kLetters + 1>& seen) {
    if (seen[kEllipsis]) output.push_back(kEllipsis);
    for (int s = 0; s < kLetters; ++s)
      if (seen[static_cast<std::size_t>(s)] == 1) output.push_back(s);
  }
  void read_output(std::string_view text, std::size_t i, const std::array<int, kLetters + 1>& seen) {
    std::array<bool, kLetters + 1> used{};
    for (; i < text.size(); ++i) {
      if (text[i] == ' ') continue;
      if (text[i] == '.') {
        TENON_CHECK(!used[kEllipsis], ValueError,
                    "einsum(): found '.' for output but an ellipsis (...) was already found");
        read_ellipsis(text, i, text.size(), "output");
        used[kEllipsis] = true;
        output.push_back(kEllipsis);
        continue;
      }
      auto s = static_cast<std::size_t>(read_letter(text, i));
      TENON_CHECK(!used[s], ValueError, "einsum(): output subscript ", text[i],
                  " appears more than once in the output");
      TENON_CHECK(seen[s] != 0, ValueError, "einsum(): output subscript ", text[i],
                  " does not appear in the equation for any input operand");
      used[s] = true;
      output.push_back(static_cast<int>(s));
    }
  }
};

/// The operands with one dimension for every index, in a common order: those of the result first.
struct EinsumOperands {
  std::vector<Tensor> tensors;
  std::int64_t results = 0, dims = 0;

  EinsumOperands(const Equation& e, TensorList given) {
    check_counts(e, given);
    place_of_.fill(-1);
    bool ellipsis_placed = false;
    for (int s : e.output) {
      place_of_[static_cast<std::size_t>(s)] = dims;
      ellipsis_placed = ellipsis_placed || s == Equation::kEllipsis;
      dims += s == Equation::kEllipsis ? ellipsis_dims_ : 1;
    }
    results = dims;
    if (!ellipsis_placed) {
      place_of_[Equation::kEllipsis] = dims;
      dims += ellipsis_dims_;
    }
    for (const auto& input : e.inputs)
      for (int s : input)
        if (place_of_[static_cast<std::size_t>(s)] < 0) place_of_[static_cast<std::size_t>(s)] = dims++;
    label_sizes_.assign(Equation::kLetters, SymInt(1));
    for (std::size_t i = 0; i < given.size(); ++i) tensors.push_back(spread(e.inputs[i], given[i], i));
  }

 private:
  void check_counts(const Equation& e, TensorList given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      std::int64_t letters = 0;
      bool ellipsis = false;
      for (int s : e.inputs[i]) s == Equation::kEllipsis ? void(ellipsis = true) : void(++letters);
      std::int64_t have = given[i].dim();
      TENON_CHECK(ellipsis ? letters <= have : letters == have, ValueError,
                  "einsum(): the number of subscripts in the equation (", letters, ") ",
                  ellipsis ? "is more than the number of dimensions (" : "does not match the number of dimensions (",
                  have, ") for operand ", i, ellipsis ? "" : " and no ellipsis was given");
      if (ellipsis && have - letters > ellipsis_dims_) ellipsis_dims_ = have - letters;
    }
  }
  /// An operand's dimensions in the common order, diagonals where an index is repeated, ones where it has none.
  Tensor spread(const std::vector<int>& input, Tensor t, std::size_t operand) {
    std::array<std::int64_t, Equation::kLetters> at;
    at.fill(-1);
    DimVector source(static_cast<std::size_t>(dims), -1);  // the dimension of `t` at each place
    std::int64_t d = 0, own_ellipsis = t.dim() - static_cast<std::int64_t>(input.size()) + 1;
    for (int s : input) {
      if (s == Equation::kEllipsis) {
        std::int64_t first = place_of_[Equation::kEllipsis] + ellipsis_dims_ - own_ellipsis;
        for (std::int64_t k = 0; k < own_ellipsis; ++k) source[static_cast<std::size_t>(first + k)] = d++;
        continue;
      }
      auto label = static_cast<std::size_t>(s);
      const SymInt size = t.sym_sizes()[static_cast<std::size_t>(d)];
      if (at[label] >= 0) {
        const SymInt& before = t.sym_sizes()[static_cast<std::size_t>(at[label])];
        TENON_CHECK(size == before, ValueError, "einsum(): subscript ", Equation::letter_of(s),
                    " is repeated for operand ", operand, " but the sizes don't match, ", size, " != ", before);
        // The diagonal comes last; it takes the place of the first of the two.
        t = moved(ops::diagonal(t, 0, at[label], d), t.dim() - 2, at[label]);
        continue;
      }
      at[label] = d;
      source[static_cast<std::size_t>(place_of_[label])] = d++;
      SymInt& seen = label_sizes_[label];
      if (!known_equal(size, SymInt(1)) && size != 1) {
        TENON_CHECK(known_equal(seen, size) || seen == 1 || seen == size, ValueError, "einsum(): subscript ",
                    Equation::letter_of(s), " has size ", size, " for operand ", operand,
                    " which does not broadcast with previously seen size ", seen);
        seen = size;
      }
    }
    DimVector order;
    for (std::int64_t& from : source) {
      if (from < 0) {
        t = ops::unsqueeze(t, -1);
        from = t.dim() - 1;
      }
      order.push_back(from);
    }
    return ops::permute(t, IntArrayRef(order));
  }
  static Tensor moved(const Tensor& t, std::int64_t from, std::int64_t to) {
    DimVector order;
    for (std::int64_t d = 0; d < t.dim(); ++d)
      if (d != from) order.push_back(d);
    order.insert(static_cast<std::size_t>(to), from);
    return ops::permute(t, IntArrayRef(order));
  }

  std::array<std::int64_t, Equation::kLetters + 1> place_of_;
  std::vector<SymInt> label_sizes_;
  std::int64_t ellipsis_dims_ = 0;
};

inline void check_path(IntArrayRef path, std::size_t operands) {
  std::size_t expected = 2 * (operands - 1);
  TENON_CHECK(path.size() == expected, ValueError,
              "einsum(): expected contraction path given in path parameter to have size ", expected, " but got ",
              path.size());
}
/// Takes the operands of the next contraction out of the list: the next step of the path, or the first two.
inline std::pair<Tensor, Tensor> next_pair(std::vector<Tensor>& operands, std::optional<IntArrayRef> path,
                                           std::size_t step) {
  std::size_t i = 0, j = 1;
  if (path) {
    std::int64_t a = (*path)[2 * step], b = (*path)[2 * step + 1];
    if (a > b) std::swap(a, b);
    TENON_CHECK(a != b, ValueError, "einsum(): cannot contract an operand with itself");
    TENON_CHECK(a >= 0 && b < static_cast<std::int64_t>(operands.size()), ValueError, "einsum(): invalid contraction (",
                a, ", ", b, ") operand index is out of bounds");
    i = static_cast<std::size_t>(a);
    j = static_cast<std::size_t>(b);
  }
  std::pair<Tensor, Tensor> out{operands[i], operands[j]};
  operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(j));
  operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
  return out;
}

inline Tensor einsum(std::string_view equation, TensorList given, std::optional<IntArrayRef> path) {
  TENON_CHECK(!given.empty(), ValueError, "einsum(): must provide at least one operand");
  Equation e(equation, given.size());
  EinsumOperands o(e, given);
  if (path) check_path(*path, given.size());
  std::vector<Tensor>& operands = o.tensors;
  // An index that only one operand has is summed when that operand is used; sizes of 1 stand for those without it.
  for (std::size_t step = 0; operands.size() > 1; ++step) {
    auto [a, b] = next_pair(operands, path, step);
    DimVector later;
    for (std::int64_t d = o.results; d < o.dims; ++d)
      for (const Tensor& t : operands)
        if (is_wide(t, d)) {
          later.push_back(d);
          break;
        }
    auto is_summed = [&](std::int64_t d) {
      if (d < o.results) return false;
      for (std::int64_t l : later)
        if (l == d) return false;
      return true;
    };
    // Without a sum and without a common index the product of elements is what PyTorch computes: any dtype has it.
    bool any = false;
    for (std::int64_t d = o.results; d < o.dims; ++d) any = any || (is_summed(d) && is_wide(a, d) && is_wide(b, d));
    if (!any) {
      auto alone = [&](const Tensor& t) {
        DimVector gone;
        for (std::int64_t d = o.results; d < o.dims; ++d)
          if (is_summed(d) && is_wide(t, d)) gone.push_back(d);
        return summed(t, gone, true);
      };
      operands.push_back(ops::mul(alone(a), alone(b)));
      continue;
    }
    DimVector gone;
    for (std::int64_t d = o.results; d < o.dims; ++d)
      if (is_summed(d)) gone.push_back(d);
    Tensor out = contract_pair(a, b, o.dims, is_summed);
    for (std::int64_t d : gone) out = ops::unsqueeze(out, d);
    operands.push_back(out);
  }
  Tensor out = operands.front();
  if (o.dims > o.results) {
    DimVector rest, ones;
    for (std::int64_t d = o.results; d < o.dims; ++d) (is_wide(out, d) ? rest : ones).push_back(d);
    if (!ones.empty() && rest.empty() && given.size() > 1) return ops::squeeze(out, IntArrayRef(ones));
    for (std::int64_t d : ones) rest.push_back(d);
    return ops::sum(out, IntArrayRef(rest), false);
  }
  return out;
}

}  // namespace tenon::composite
