// The node that derivative declarations make: one type for every operator, driven by a constant table.
#pragma once
#include <tenon/autograd/saved.hpp>
#include <tenon/base/owned_ptr.hpp>

namespace tenon::autograd {

class DerivativeNode;

namespace detail {
/// std::popcount, which is a call into the compiler's library where the baseline has no such instruction.
constexpr unsigned count_bits(std::uint32_t x) {
  if ((x & (x - 1)) == 0) return x != 0;  // most sets of arguments to save
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
}  // namespace detail

/// One formula of a declaration: which arguments it is about and what it reads. Bits count arguments, or results.
struct DerivativeClause {
  std::uint32_t targets = 0, inputs = 0, outputs = 0, geometries = 0, plain = 0;
};

/// What is known of an operator's derivative; constant data.
struct DerivativeTable {
  static constexpr unsigned kMostClauses = 6;
  /// Runs the formulas whose targets need a gradient.
  void (*apply)(DerivativeNode& node, const Tensor* grads, Tensor* out) = nullptr;
  DerivativeClause clauses[kMostClauses];
  std::uint8_t n_clauses = 0;
  std::string_view op_name;       ///< `aten::mul.Tensor`
  std::uint32_t tensor_args = 0;  ///< arguments that are tensors or optional tensors
  std::uint32_t list_args = 0;    ///< arguments that are lists of tensors
  std::uint32_t targets = 0;      ///< of all clauses
  std::uint32_t ignored = 0;      ///< arguments that may require grad and get none
  std::uint32_t gradients = 0;    ///< results whose gradient a formula reads; 0 where none does
  bool geometry_alone = false;    ///< an in-place operator that writes no element, as `aten::squeeze_`

  /// Whether result `i` requires a gradient: one that no formula would read is none that a result could be given.
  bool is_differentiable(unsigned i) const { return gradients == 0 || i >= 32 || (gradients >> i & 1) != 0; }
};

/// `MulBackward0` of `aten::mul.Tensor`, with PyTorch's numbers of overloads; over a number or a dimension mostly 1.
std::string node_name(std::string_view op_name);

/// Throws AutogradError for arguments that require grad and that no clause is about.
[[noreturn]] void report_arguments_without_derivative(std::string_view op_name, std::uint32_t arguments);

/// Header, edges, saved tensors, geometries and plain arguments in one block.
class DerivativeNode final : public Node {
 public:
  struct Lists {
    std::vector<std::vector<SavedTensor>> tensors;  ///< saved lists, in order of arguments
    std::vector<std::vector<Geometry>> geometries;
    std::vector<std::uint32_t> counts;  ///< of every list argument
    ~Lists();
  };

  /// `needed`: arguments that require grad. Decides what is saved: what the formulas of needed targets read.
  static intrusive_ptr<DerivativeNode> make(const DerivativeTable& table, std::uint32_t needed, unsigned n_edges,
                                            std::size_t plain_bytes, void (*drop)(void*, std::uint32_t));

  // Virtual functions stay inline: the unit of the first that is not would define the table of them all, strongly, and
  // two units may hold the bodies.
  std::string name() const override { return node_name(table_->op_name); }
  void apply(Tensor* grads, Tensor* out) override { run(grads, out); }
  void release_saved() override { drop_saved(); }
  void check_saved() override { read_saved(); }
  void each_saved(void (*visit)(void*, const Tensor&), void* context) const override { visit_saved(visit, context); }
  std::string place_of(const SavedTensor& saved) const override {
    return find_place(saved).append(" of ").append(table_->op_name);
  }

  const DerivativeTable& table() const { return *table_; }
  const DerivativeClause& used() const { return used_; }
  void* plain() const { return plain_; }
  /// `bit`: of the argument that was constructed there.
  void mark_plain(std::uint32_t bit) { plain_made_ |= bit; }
  Lists& lists();

  /// Places among what was saved; an argument or result that was not saved has none.
  unsigned input_place(unsigned arg) const { return rank(used_.inputs & table_->tensor_args, arg); }
  unsigned output_place(unsigned result) const {
    return detail::count_bits(used_.inputs & table_->tensor_args) + rank(used_.outputs, result);
  }
  unsigned geometry_place(unsigned arg) const { return rank(used_.geometries & table_->tensor_args, arg); }
  unsigned list_place(unsigned arg) const { return rank(table_->list_args, arg); }
  /// The first edge of an argument; lists have one for each tensor.
  unsigned edge_of(unsigned arg) const {
    std::uint32_t below = (std::uint32_t{1} << arg) - 1;
    unsigned place = detail::count_bits(table_->tensor_args & below);
    if (table_->list_args & below)
      for (unsigned i = 0, n = rank(table_->list_args, arg); i < n; ++i) place += lists_->counts[i];
    return place;
  }

  void save_input(unsigned arg, const Tensor& t) { saved_[input_place(arg)] = SavedTensor::input(t, *this); }
  /// The same at a place that holds nothing yet.
  void save_empty(unsigned place, const Tensor& t) { saved_[place].set_input(t, *this); }
  void save_output(unsigned result, const Tensor& t) {
    saved_[output_place(result)] = SavedTensor::output(t, result, *this);
  }
  void save_geometry(unsigned arg, const Tensor& t) {
    if (t.defined()) geometries_[geometry_place(arg)].assign(t);
  }
  const Tensor& input(unsigned arg) const { return saved_[input_place(arg)].unpack(*this); }
  Tensor output(unsigned result) { return saved_[output_place(result)].unpack_output(*this); }
  /// A saved list of tensors. Throws AutogradError if the memory of one was written since.
  std::vector<Tensor> list(unsigned arg) const;
  const Geometry& geometry(unsigned arg) const { return geometries_[geometry_place(arg)]; }
  /// Whether any edge of the argument leads somewhere.
  bool needs(unsigned arg) const {
    if (table_->list_args == 0) [[likely]]
      return should_compute(edge_of(arg));
    unsigned first = edge_of(arg), count = table_->list_args >> arg & 1 ? lists_->counts[list_place(arg)] : 1;
    for (unsigned i = first; i < first + count; ++i)
      if (should_compute(i)) return true;
    return false;
  }

 private:
  static unsigned rank(std::uint32_t mask, unsigned bit) {
    return detail::count_bits(mask & ((std::uint32_t{1} << bit) - 1));
  }
  DerivativeNode() = default;
  ~DerivativeNode() override { end_parts(); }
  void bury() noexcept override { end(); }
  [[gnu::flatten]] void end() noexcept;
  void run(Tensor* grads, Tensor* out);
  void drop_saved();
  void drop_further();
  void read_saved();
  void visit_saved(void (*visit)(void*, const Tensor&), void* context) const;
  std::string find_place(const SavedTensor& saved) const;
  void end_parts() {
    // Ends are read once: what a destructor calls could change the counts, as far as a compiler knows.
    for (Edge *e = edges_, *end = e + n_edges_; e != end; ++e) e->~Edge();
    if (!released_)  // else they hold nothing
      for (SavedTensor *s = saved_, *end = s + n_saved_; s != end; ++s) s->~SavedTensor();
    for (Geometry *g = geometries_, *end = g + n_geometries_; g != end; ++g) g->~Geometry();
    if (plain_made_ && drop_) drop_(plain_, plain_made_);
  }

  const DerivativeTable* table_ = nullptr;
  DerivativeClause used_;
  std::uint32_t needed_ = 0;
  std::size_t bytes_ = 0;
  SavedTensor* saved_ = nullptr;
  Geometry* geometries_ = nullptr;
  void* plain_ = nullptr;
  void (*drop_)(void*, std::uint32_t) = nullptr;
  OwnedPtr<Lists> lists_;
  std::uint32_t plain_made_ = 0;
  std::uint16_t n_saved_ = 0, n_geometries_ = 0;
  bool released_ = false;
};

}  // namespace tenon::autograd
