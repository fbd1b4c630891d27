// Replays recorded indexing as C++ writes it: index FILE [--verbose] [--here]
#include "lines.hpp"

using namespace oracle;

namespace {

TensorIndex index_of(const json& v, const SafetensorsFile& file) {
  auto part = [](const json& p) -> Slice::Part {
    if (p.is_null()) return None;
    return p.get<std::int64_t>();
  };
  if (v.is_null()) return None;
  if (v.is_string()) return v.get<std::string>().c_str();
  if (v.is_boolean()) return v.get<bool>();
  if (v.is_number_integer()) return v.get<std::int64_t>();
  if (v.contains("slice")) {
    const json& s = v.at("slice");
    return Slice(part(s.at(0)), part(s.at(1)), part(s.at(2)));
  }
  return make(v, file);
}
Tensor leaf(const json& v, const SafetensorsFile& file) {
  Tensor t = make(v, file);
  t.set_requires_grad(true);
  return t;
}

class Line {
 public:
  Line(const json& line, const std::string& path) : line_(line), file_(opened_beside(path)) {
    for (const json& v : line.at("indices")) indices_.push_back(index_of(v, file_));
  }
  void check() {
    auto call = line_.at("call").get<std::string>();
    if (call != "index" && call != "index_put_") mismatch("the case names an unknown call ", call);
    bool reads = call == "index";
    if (line_.contains("raises"))
      check_raises(reads);
    else
      reads ? check_index() : check_index_put();
  }

 private:
  void put(const Tensor& self, const Tensor* value) {
    const json& v = line_.at("value");
    if (is_tensor(v))
      self.index_put_(indices_, value ? *value : make(v, file_));
    else
      self.index_put_(indices_, scalar(v));
  }
  void check_raises(bool reads) {
    Tensor self = make(line_.at("self"), file_);
    bool raised = false;
    try {
      reads ? void(self.index(indices_)) : put(self, nullptr);
    } catch (const Error&) { raised = true; }
    if (!raised) mismatch("expected an error: ", line_.at("raises").get<std::string>());
    compare("self after an error", self, line_.at("self"), file_);
  }
  void check_index() {
    Tensor self = make(line_.at("self"), file_), out = self.index(indices_);
    compare("result", out, line_.at("out"), file_);
    bool shares = out.storage() == self.storage();
    // Of an empty result the record does not know whose memory it has.
    if (line_.contains("alias") != shares && out.numel() != 0)
      mismatch(shares ? "expected memory of its own" : "expected a view of the tensor indexed");
    if (line_.contains("alias")) {
      const json& alias = line_.at("alias");
      std::int64_t offset = out.storage_offset() - self.storage_offset();
      if (auto want = alias.at("offset").get<std::int64_t>(); offset != want)
        mismatch("expected it to start at element ", want, ", got ", offset);
      if (auto want = ints(alias.at("stride")); !(out.strides() == IntArrayRef(want)))
        mismatch("expected strides ", want, ", got ", out.strides());
    }
    if (!line_.contains("grad")) return;
    Tensor x = leaf(line_.at("self"), file_);
    check_gradient("gradient", x.index(indices_), {x}, {&line_.at("grad")});
  }
  void check_index_put() {
    Tensor self = make(line_.at("self"), file_);
    put(self, nullptr);
    compare("self after the call", self, line_.at("after"), file_);
    if (!line_.contains("grad")) return;
    Tensor x = leaf(line_.at("self"), file_), y = x.clone();
    std::vector<Tensor> inputs{x};
    std::vector<const json*> expected{&line_.at("grad")};
    if (line_.contains("value_grad")) {
      inputs.push_back(leaf(line_.at("value"), file_));
      expected.push_back(&line_.at("value_grad"));
    }
    put(y, inputs.size() > 1 ? &inputs[1] : nullptr);
    check_gradient("gradient", y, inputs, expected);
  }
  void check_gradient(const std::string& what, const Tensor& out, const std::vector<Tensor>& inputs,
                      const std::vector<const json*>& expected) {
    Tensor cotangent = make(line_.at("cotangent"), file_);
    std::vector<Tensor> got = autograd::grad(TensorList(out), inputs, TensorList(cotangent), std::nullopt, false, true);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!expected[i]->is_null())
        compare(concat(what, " ", i), got[i], *expected[i], file_);
      else if (got[i].defined())
        mismatch(what, " ", i, ": expected none, got one");
  }

  const json& line_;
  const SafetensorsFile& file_;
  std::vector<TensorIndex> indices_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_lines("index", argc, argv, [](const json& line, const std::string& path) { Line(line, path).check(); });
}
