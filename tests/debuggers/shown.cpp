// Values for a debugger to show; it stops in `here`.
#include <string>
#include <vector>

#include <tenon/autograd/derivative_node.hpp>
#include <tenon/autograd/meta.hpp>
#include <tenon/boxing/bodies/value.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/keys/key_set.hpp>
#include <tenon/library/library.hpp>
#include <tenon/schema/function_schema.hpp>
#include <tenon/tensor/create.hpp>

using namespace tenon;

template <class T>
Tensor filled(IntArrayRef sizes, std::vector<T> values) {
  Tensor t = make_tensor(sizes, {}, scalar_type_v<T>);
  for (std::size_t i = 0; i < values.size(); ++i) t.data_ptr<T>()[i] = values[i];
  return t;
}

/// A node of a program's own.
class Twice final : public VectorNode {
 public:
  std::string name() const override { return "Twice"; }
  void apply(Tensor*, Tensor*) override {}
};

/// A derivative of an operator: its node is the library's.
const autograd::DerivativeTable kTable = [] {
  autograd::DerivativeTable table;
  table.op_name = "shown::twice";
  table.tensor_args = 1;
  return table;
}();

[[gnu::noinline]] void here(const void* all) { asm volatile("" : : "r"(all) : "memory"); }

int main() {
  Tensor undefined;
  Tensor matrix = filled<float>({2, 3}, {1, 2.5f, -3, 4, 5, 6});
  Tensor transposed = make_alias(matrix, {3, 2}, {1, 3}, 0);
  Tensor part = make_alias(matrix, {2}, {1}, 4);
  Tensor flags = filled<bool>({2}, {true, false});
  Tensor half = filled<Half>({2}, {0.5f, -2.0f});
  Tensor brain = filled<BFloat16>({1}, {3.0f});
  Tensor small = filled<Float8_e4m3fn>({2}, {1.5f, -0.25f});
  Tensor complex = filled<Complex<double>>({1}, {{1, -2}});
  Tensor many = make_tensor({100}, {}, kByte);
  for (int i = 0; i < 100; ++i) many.data_ptr<std::uint8_t>()[i] = 7;
  Tensor empty = make_tensor({0, 3}, {}, kLong);
  Tensor meta = make_tensor({2, 2}, {}, kFloat, kMeta);
  KeySet keys = KeySet{DispatchKey::CPU, DispatchKey::AutogradCPU, DispatchKey::ADInplaceOrView};
  Value none, number(42), real(2.5), yes(true), text("words"), device(Device("cuda:1")), boxed(matrix);
  Value list = Value::list({Value(1), Value("two"), Value(flags)});
  Stack stack{Value(2), list};
  DimVector sizes{4, 5};
  IntArrayRef sizes_ref = sizes;
  SymInt plain = 17;
  Scalar scalar = 1.5;
  auto schema = schema::FunctionSchema::parse("shown::twice(Tensor self, *, int n=2) -> Tensor");
  Library library(Library::Kind::Fragment, "shown");
  library.def("twice(Tensor self) -> Tensor");
  OperatorHandle handle(Registry::get().find("shown::twice"));
  Tensor leaf = filled<double>({2}, {1, 2});
  leaf.requires_grad_();
  auto own = make_intrusive<Twice>();
  own->set_edges({autograd::gradient_edge(leaf), {}});
  own->add_result(matrix);
  own->add_result(part);
  intrusive_ptr<Node> node = own;
  auto derivative = autograd::DerivativeNode::make(kTable, 1, 1, 0, nullptr);
  derivative->edges()[0] = {node, 1};
  derivative->add_result(leaf);
  derivative->set_sequence_above_edges();
  const void* all[] = {&undefined, &matrix, &transposed, &part,   &flags, &half,      &brain,  &small,
                       &complex,   &many,   &empty,      &meta,   &keys,  &none,      &number, &real,
                       &yes,       &text,   &device,     &boxed,  &list,  &stack,     &sizes,  &sizes_ref,
                       &plain,     &scalar, &schema,     &handle, &node,  &derivative};
  here(all);
  return handle ? 0 : 1;
}
