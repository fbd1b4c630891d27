// What the device's units are asked for by the host's: plain data, and functions that start kernels on a stream.
#pragma once
#include <cstdint>

#include <tenon/base/scalar.hpp>
#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/pack.hpp>
#include <tenon/math/optim_rules.hpp>

namespace tenon::cuda {

/// A tensor, or one element that comes with the call.
struct Operand {
  char* data = nullptr;  ///< null: `element`
  ScalarType dtype = ScalarType::Undefined;
  alignas(16) unsigned char element[16] = {};
};

/// An elementwise call: operand 0 is written.
struct Elementwise {
  Walk walk;
  int operands = 0;
  Operand at[kMostOperands];
  bool dense = false;  ///< each operand is an element or lies as the walk runs
};

/// The same for operands that all lie as the results do or are single: what a kernel of packs is given.
struct DenseCall {
  std::int64_t count, operands;
  Operand at[kMostOperands];
};

struct GradientCall;
struct FormulaSumCall;
/// The kernels of one formula for a type of elements; those of gradients and sums are of formulas of one's own.
struct TypedFormula {
  ScalarType type, result;
  void (*run)(const Elementwise&, const Scalar* numbers, void* stream);
  void (*gradients)(const GradientCall&, const Scalar* numbers, void* stream) = nullptr;
  void (*sum)(const FormulaSumCall&, void* stream) = nullptr;
};
struct NamedFormula {
  const char* name;
  const TypedFormula* types;
  int count, elements;
};
struct FormulaTable {
  const NamedFormula* formulas;
  int count;
};
/// Tables of programs' own rows, each of which enters itself before main or when its plugin is loaded.
struct OwnFormulas {
  FormulaTable table;
  OwnFormulas* next;
};
inline OwnFormulas*& own_formulas() {
  static OwnFormulas* first = nullptr;
  return first;
}
/// Gradients of a formula by its elements, whose operands the walk has in their order, and that of the result behind.
struct GradientCall {
  Walk walk;
  const char* in[kMostOperands];
  ScalarType in_dtype[kMostOperands], dtype;
  char* out[kMostOperands];  ///< row-major
  bool dense;                ///< what is read lies as the walk runs
};

/// Writes operand 1 to operand 0 with conversion; conjugated or negated where asked.
struct CopyCall {
  Elementwise elements;
  bool conjugate = false, negate = false;
};
void copy(const CopyCall& call, void* stream);
/// Copies the upper or the lower triangles of matrices, in row-major order, and zero elsewhere.
struct TriangleCall {
  Elementwise elements;
  std::int64_t rows, columns, diagonal;
  bool upper;
};
void cut_triangle(const TriangleCall& call, void* stream);

/// How the elements of a reduction lie: those of a result side by side from multiples of 16 bytes on, or one of each of
/// many results.
enum class ReduceLayout : std::uint8_t { Any, Rows, Columns };
/// A reduction of operand 1 to operand 0.
struct ReduceCall {
  Walk kept, reduced;  ///< the places of results, and those that one result is made of
  void* out;
  const void* in;
  ScalarType out_dtype, in_dtype, accumulates;
  ReduceLayout layout;
  int operation;       ///< its place in reduction::library_operations
  void* scratch;       ///< `16 bytes for each part of each result, where there are several
  std::int64_t parts;  ///< blocks for each result
};
/// Sums of a formula's values, times a number: operands 1, 2, .. of both walks are its elements.
struct FormulaSumCall {
  ReduceCall results;
  const char* in[kMostOperands];
  ScalarType in_dtype[kMostOperands];
  double scale;
};
inline constexpr std::int64_t kReducedByLane = 32;  ///< so many elements of a result are one lane's
/// Blocks for each of `results` results of `count` elements.
constexpr std::int64_t reduce_parts_for(std::int64_t results, std::int64_t count, ReduceLayout layout) {
  bool columns = layout == ReduceLayout::Columns;
  if (columns) results = (results + kWarp - 1) / kWarp;  // a block has as many
  std::int64_t parts = count / (columns ? 64 : 8192), most = 4096 / (results < 1 ? 1 : results);
  return parts < 1 || most < 2 ? 1 : parts < most ? parts : most;
}
/// False where no kernel accumulates in that type. `number` is what the operation is made from; may be null.
bool reduce(const ReduceCall& call, const Scalar* number, void* stream);

/// Softmax over rows of `size` elements `inner` apart, in a row-major tensor.
struct SoftmaxCall {
  void* out;
  const void *in, *grad;  ///< backward: `in` is the result of the forward
  ScalarType dtype;
  std::int64_t outer, size, inner;
  bool log;
};
bool softmax(const SoftmaxCall& call, void* stream);
bool softmax_backward(const SoftmaxCall& call, void* stream);

/// Rows of a row-major tensor of `channels` runs of `inner` elements. Row r has the parameters of group r % groups,
/// whose dtype is that of the elements; those, and `mean`, may be null. Statistics and gradients of parameters are of
/// the type that elements are summed in.
struct NormCall {
  ScalarType dtype;
  std::int64_t rows, groups, channels, inner;
  bool centered;  ///< subtract the mean; without it the root mean square is taken about zero
  double eps;
  const void *in, *grad, *weight, *bias;
  void *mean, *rstd;  ///< written by the forward
  void* out;
  void *weight_grad, *bias_grad;
};
bool normalize_rows(const NormCall& call, void* stream);
/// The gradient by the elements.
bool normalize_rows_back(const NormCall& call, void* stream);
/// The gradients by weight and bias; either may be null.
bool normalize_rows_parameters(const NormCall& call, void* stream);

/// Batches of `outer` blocks of `channels` runs of `inner` elements; a channel is normalised over all of its elements.
/// Parameters are of the dtype of the elements, statistics of the type that they are summed in.
struct BatchNormCall {
  ScalarType dtype;
  std::int64_t outer, channels, inner;
  bool train;
  double eps, momentum;
  const void *in, *grad, *weight, *bias;
  void *mean, *invstd;                  ///< training: written by the forward; else what elements are normalised with
  void *running_mean, *running_var;     ///< training: moved towards the batch's; may be null
  void *out, *weight_grad, *bias_grad;  ///< backward: any may be null
};
bool batch_norm(const BatchNormCall& call, void* stream);
bool batch_norm_backward(const BatchNormCall& call, void* stream);

/// A convolution from `x` to `y`, row-major, of up to three spatial dimensions; channels are those of a group.
struct ConvolutionCall {
  ScalarType dtype;
  std::int64_t batch, groups, in_channels, out_channels;
  std::int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1}, padding[3] = {},
               dilation[3] = {1, 1, 1};
  void *x, *weight, *y;
  const void* bias;  ///< of what is written; may be null
};
enum class Convolution : std::uint8_t { Forward, Back, WeightGradient };
/// Writes y, x or weight from the two others.
bool convolve(const ConvolutionCall& call, Convolution what, void* stream);

/// Pooling of planes of up to three dimensions, row-major.
struct PoolCall {
  ScalarType dtype;
  std::int64_t planes;
  std::int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1}, padding[3] = {},
               dilation[3] = {1, 1, 1};
  bool adaptive = false, include_padding = true;
  std::int64_t divisor = 0;  ///< 0: as many elements as the window has
  void *x, *y;
  std::int64_t* places = nullptr;
};
enum class Pool : std::uint8_t { Mean, MeanBack, Max };
/// Writes y, or x from y where it goes back.
bool pool(const PoolCall& call, Pool what, void* stream);

/// Where the numbers of a call begin: lane i of the grid draws from sequence i of the seed, from the offset on.
struct RandomState {
  std::uint64_t seed, offset;
  const std::uint64_t* graph = nullptr;  ///< of a captured graph: the seed, and what is added to the offset
};
enum class Draw : std::uint8_t { Uniform, Normal, LogNormal, Exponential, Cauchy, Geometric, Bernoulli, Whole };
/// Random numbers for every place of the walk. `a`, `b` are the parameters in the order of the operators' arguments.
struct RandomCall {
  Walk walk;
  char* out;
  ScalarType dtype;
  Draw what;
  double a, b;
  std::uint64_t range;  ///< of whole numbers from `base` on; 0 for all of 64 bits
  std::int64_t base;
  bool wide;  ///< whole numbers of 64 bits
  RandomState state;
};
/// Blocks of 256 lanes each for n numbers; at most `most`, as many as the device runs at a time.
void draw(const RandomCall& call, std::int64_t blocks, void* stream);
/// One or zero by row-major probabilities, double for double elements, else float. A bad one is told by `fault`.
struct BernoulliCall {
  Walk walk;  ///< row-major order
  char* out;
  ScalarType dtype;
  const void* p;
  std::int64_t* fault;
  RandomState state;
};
void draw_each(const BernoulliCall& call, void* stream);
/// Row-major elements that stay, divided by their probability, and which they are. A lane has `vector` neighbours: 1,
/// 2 or 4, which divide n.
struct DropoutCall {
  ScalarType dtype;
  std::int64_t n;
  void* out;
  const void* in;
  bool* mask;
  double keeps;  ///< the probability
  int vector;
  RandomState state;
};
bool dropout(const DropoutCall& call, std::int64_t blocks, void* stream);

/// Losses that are a function of an element and its target; `parameter` is beta, or delta.
enum class Loss : std::uint8_t { Squared, SmoothL1, Huber, SoftMargin, CrossEntropy };
/// Operands: the result, the element, its target, the weight, and for slopes the gradient; weight and gradient may be
/// numbers.
struct LossCall {
  Elementwise elements;
  Loss what;
  bool slope;
  double parameter;
  double norm;          ///< slopes are multiplied by it
  std::int64_t* fault;  ///< told where an element of a cross entropy is no probability; may be null
};
/// Computed in double where the result is double, else in float.
void losses(const LossCall& call, void* stream);
/// Negative log likelihood of `n` rows of classes, row-major like all lists. Weight may be null.
struct LikelihoodCall {
  ScalarType dtype;
  std::int64_t n, classes, ignored;
  const void *in, *weight, *grad, *total;
  const std::int64_t* target;
  bool each, mean;  ///< a result for each row, or one; divided by the weights' sum
  void *out, *total_weight;
  std::int64_t* fault;  ///< 1 + the row whose class is none
};
bool likelihood(const LikelihoodCall& call, void* stream);
/// The gradient, of the shape of `in`, which was filled with zeros.
bool likelihood_back(const LikelihoodCall& call, void* stream);

/// One step of an optimiser for `n` elements of float, or of double; state that the step does not use is null.
struct OptimCall {
  bool wide;
  std::int64_t n;
  void* param;
  const void* grad;
  void* state[3];
};
void optim_step(const OptimCall& call, const math::steps::SgdStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::AdagradStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::RmspropStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::AdamStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::AdadeltaStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::AdamaxStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::NadamStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::RadamStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::AsgdStep& step, void* stream);
void optim_step(const OptimCall& call, const math::steps::RpropStep& step, void* stream);

/// A dimension between `outer` and `inner` ones, row-major: element i of the result is the sum of the elements at[k] of
/// `in` elements times weight[k], for k from first[i] up to first[i + 1].
struct TapsCall {
  ScalarType dtype;
  std::int64_t outer, in, out, inner;
  const void* x;
  void* y;
  const std::int64_t *first, *at;
  const double* weight;
};
/// False for a dtype that cannot be summed.
bool apply_taps(const TapsCall& call, void* stream);

/// Elements that an index moves: operand 0 of the walk is written, 1 is read, 2 holds the places. The indexed dimension
/// of what the index says has no step in the walk.
struct IndexCall {
  Walk walk;
  char* out;
  const char *in, *index;  ///< no `in`: `element` is written
  ScalarType dtype, index_dtype;
  bool writes;              ///< the index says where to write, else where to read
  bool wraps;               ///< places below zero count from the end
  int joined;               ///< elements of the caller's walk that one of this is made of
  std::int64_t step, size;  ///< of the indexed dimension, in bytes and in places
  std::int64_t* fault;      ///< a word of the device: 1 + the place in the walk of a bad index
  alignas(16) unsigned char element[16];
};
void move_by_indices(const IndexCall& call, void* stream);
/// False for a dtype that no atomic addition takes.
bool add_by_indices(const IndexCall& call, void* stream);

/// Adds, to the offsets in elements that operand 0 holds, what an index of a dimension leads to; operand 1 is read.
struct OffsetsCall {
  Walk walk;
  char* out;
  const char* index;
  ScalarType index_dtype;
  std::int64_t step, size;  ///< of the indexed dimension, in elements and in places
  std::int64_t* fault;      ///< 1 + the place in the walk of a bad index
};
void add_offsets(const OffsetsCall& call, void* stream);
/// Where elements of a row-major shape are not zero, by the running sum of such ones; of place i dimension d is written
/// to out[i * row + d * column].
struct PlacesCall {
  std::int64_t count, row, column;
  int dims;
  std::int64_t size[kMostDims];
  const bool* chosen;
  const std::int64_t* running;
  std::int64_t* out;
};
void write_places(const PlacesCall& call, void* stream);

/// Lines along one dimension of tensors of one shape: the walk runs over the lines, whose elements lie `step` bytes
/// apart. Operands 0 and 1 are written, 2 is read; `places` are int64 and may be null.
struct LinesCall {
  Walk lines;
  std::int64_t size;
  std::int64_t step[3];
  char *out, *places;
  const char* in;
  ScalarType dtype, out_dtype;
};
enum class Scan : std::uint8_t { Sum, Product, LogSum, Largest, Smallest };
/// Running values of lines; `parts` blocks share a line, whose totals are in `scratch`, 32 bytes for each.
struct ScanCall {
  LinesCall lines;
  std::int64_t parts;
  void* scratch;
};
constexpr std::int64_t scan_parts_for(std::int64_t lines, std::int64_t size) {
  std::int64_t parts = size / 4096, most = 1024 / (lines < 1 ? 1 : lines);
  return parts < 1 || most < 2 ? 1 : parts < most ? parts : most;
}
/// False for a dtype that the scan is not made for.
bool scan(const ScanCall& call, Scan what, void* stream);
/// The largest or smallest element of each line, which has some, and its place; the first of equals, of
/// not-a-numbers before all. `out` may be null.
bool find_extremes(const LinesCall& call, bool largest, void* stream);

/// A key whose order as an unsigned number is that of the element, and where the element was.
struct SortItem {
  std::uint64_t key;
  std::int64_t place;
};
/// Lines in order, equal elements in the order in which they were: all items line after line, in one of two buffers.
struct SortCall {
  LinesCall lines;  ///< what is read alone
  bool descending;
  SortItem* items[2];
};
/// The buffer that has them.
int sort(const SortCall& call, void* stream);
/// Writes the elements, and their places, of items first, .. first + count - 1 of each line. The steps of `lines` are
/// those of the results.
void take_sorted(const LinesCall& lines, const SortItem* items, std::int64_t first, std::int64_t count, void* stream);
/// The lower median of each line. One with a not-a-number has that, or its others' median if it is to ignore them.
void take_medians(const LinesCall& lines, const SortItem* items, bool ignores_nan, void* stream);

/// out = alpha a b + beta out for `count` products; steps count elements.
struct GemmCall {
  struct Part {
    const void* data;
    std::int64_t step, row, column;
  };
  ScalarType dtype;
  std::int64_t count, m, n, k;
  Part a, b, out;
  Scalar alpha, beta;
};
bool gemm(const GemmCall& call, void* stream);

}  // namespace tenon::cuda
