// Logs: event files as TensorBoard reads them, JSON lines and CSV.
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <unistd.h>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::training;

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("tenon_summary" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};
std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::uint64_t little(const std::string& bytes, std::size_t at, int n) {
  std::uint64_t value = 0;
  for (int i = n; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
  return value;
}
/// Bit by bit, as RFC 3720 says it.
std::uint32_t masked(const std::string& bytes) {
  std::uint32_t c = ~0u;
  for (unsigned char b : bytes) {
    c ^= b;
    for (int i = 0; i < 8; ++i) c = (c >> 1) ^ ((c & 1) != 0 ? 0x82f63b78u : 0);
  }
  c = ~c;
  return (c >> 15 | c << 17) + 0xa282ead8u;
}
/// A message's fields: numbers as they are, the rest as bytes.
struct Fields {
  std::map<std::uint64_t, std::uint64_t> numbers;
  std::map<std::uint64_t, std::string> bytes;
  explicit Fields(const std::string& m) {
    std::size_t at = 0;
    auto varint = [&] {
      std::uint64_t value = 0;
      for (int shift = 0;; shift += 7) {
        auto b = static_cast<unsigned char>(m.at(at++));
        value |= static_cast<std::uint64_t>(b & 0x7f) << shift;
        if (b < 0x80) return value;
      }
    };
    while (at < m.size()) {
      std::uint64_t key = varint(), wire = key & 7;
      if (wire == 0) numbers[key >> 3] = varint();
      if (wire == 1 || wire == 5) {
        int n = wire == 1 ? 8 : 4;
        numbers[key >> 3] = little(m, at, n);
        at += static_cast<std::size_t>(n);
      }
      if (wire == 2) {
        std::uint64_t n = varint();
        REQUIRE(at + n <= m.size());
        bytes[key >> 3] = m.substr(at, n);
        at += n;
      }
      REQUIRE((wire == 0 || wire == 1 || wire == 2 || wire == 5));
    }
  }
};
std::vector<Fields> events(const std::string& file) {
  std::vector<Fields> found;
  for (std::size_t at = 0; at < file.size();) {
    std::uint64_t n = little(file, at, 8);
    CHECK(little(file, at + 8, 4) == masked(file.substr(at, 8)));
    std::string event = file.substr(at + 12, n);
    CHECK(little(file, at + 12 + n, 4) == masked(event));
    found.emplace_back(event);
    at += 16 + n;
  }
  return found;
}

void log_all(SummaryWriter& writer) {
  writer.add_scalar("train/loss", 0.5, 3);
  writer.add_histogram("weights", tensor({-1.0, 0.0, 0.5, 0.5}), 4);
  writer.add_image("digit, first", ops::ones({3, 2, 5}), 300);
  writer.flush();
}

}  // namespace

TEST_CASE("event files hold checked records of scalars, histograms and pictures", "[training][summary_writer]") {
  CHECK(masked("123456789") == ((0xe3069283u >> 15 | 0xe3069283u << 17) + 0xa282ead8u));  // RFC 3720's kind of answer
  Folder folder;
  TensorBoardWriter writer((folder.path / "run" / "one").string()), other((folder.path / "run" / "one").string());
  CHECK(writer.path() != other.path());
  log_all(writer);
  auto all = events(bytes_of(writer.path()));
  REQUIRE(all.size() == 4);
  CHECK(all[0].bytes.at(3) == "brain.Event:2");
  CHECK(std::bit_cast<double>(all[1].numbers.at(1)) > 1.6e9);
  CHECK(all[1].numbers.at(2) == 3);
  auto value = [&](std::size_t i) { return Fields(Fields(all[i].bytes.at(5)).bytes.at(1)); };
  CHECK(value(1).bytes.at(1) == "train/loss");
  CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(value(1).numbers.at(2))) == 0.5f);

  Fields h(value(2).bytes.at(5));
  auto number = [&](std::uint64_t field) { return std::bit_cast<double>(h.numbers.at(field)); };
  CHECK(number(1) == -1);
  CHECK(number(2) == 0.5);
  CHECK(number(3) == 4);
  CHECK(number(4) == 0);
  CHECK(number(5) == 1.5);
  CHECK(h.bytes.at(6).size() == h.bytes.at(7).size());

  Fields picture(value(3).bytes.at(4));
  CHECK(all[3].numbers.at(2) == 300);
  CHECK(picture.numbers.at(1) == 2);
  CHECK(picture.numbers.at(2) == 5);
  CHECK(picture.numbers.at(3) == 3);
  CHECK(picture.bytes.at(4) == data::encode_png(ops::ones({3, 2, 5})));
}

TEST_CASE("the same calls write JSON lines and CSV, which are appended to", "[training][summary_writer]") {
  Folder folder;
  std::string jsonl = (folder.path / "log.jsonl").string(), csv = (folder.path / "log.csv").string();
  for (int run = 0; run < 2; ++run) {
    JsonlWriter a(jsonl);
    log_all(a);
    a.add_scalar("x\"y", std::nan(""), 1);
    CsvWriter b(csv);
    log_all(b);
  }
  std::ifstream lines(jsonl);
  std::string line;
  std::getline(lines, line);
  CHECK(line.rfind("{\"time\": 1", 0) == 0);
  CHECK(line.substr(line.find("\"step\"")) == "\"step\": 3, \"tag\": \"train/loss\", \"value\": 0.5}");
  std::getline(lines, line);
  CHECK(line.find("\"num\": 4") != std::string::npos);
  std::getline(lines, line);
  std::string picture = jsonl + ".images/digit, first.300.png";
  CHECK(line.find("\"image\": \"" + picture + "\"}") != std::string::npos);
  CHECK(bytes_of(picture) == data::encode_png(ops::ones({3, 2, 5})));
  std::getline(lines, line);
  CHECK(line.find("\"tag\": \"x\\\"y\", \"value\": null}") != std::string::npos);
  int count = 4;
  while (std::getline(lines, line)) ++count;
  CHECK(count == 8);

  data::CsvReader rows = data::CsvReader::open(csv, {.header = true});
  CHECK(rows.names() == std::vector<std::string>{"time", "step", "tag", "value"});
  std::vector<std::string> found;
  while (rows.next()) found.push_back(std::string(rows.cells()[2]) + "=" + std::string(rows.cells()[3]));
  REQUIRE(found.size() == 12);
  CHECK(found[0] == "train/loss=0.5");
  CHECK(found[3] == "weights.mean=0");
  CHECK(found[5] == "digit, first=" + csv + ".images/digit, first.300.png");

  CHECK_THROWS_AS(JsonlWriter("/nowhere/log.jsonl"), FileError);
}

TEST_CASE("a graph holds what made a tensor, parameters by name", "[training][summary_writer]") {
  nn::Sequential net{nn::Linear{3, 2}, nn::Tanh{}};
  Tensor loss = net(ops::ones({4, 3})).sum();
  std::vector<GraphNode> nodes = graph_of(loss, nn::named_parameters(net));
  auto named = [&](const std::string& name) -> const GraphNode& {
    for (const GraphNode& node : nodes)
      if (node.name == name) return node;
    FAIL("no node " << name);
    return nodes.front();
  };
  CHECK(named("0/weight").op == "Parameter");
  CHECK(named("0/weight").shapes == std::vector<std::vector<std::int64_t>>{{2, 3}});
  CHECK(named("0/bias").inputs.empty());
  const GraphNode& last = nodes.back();
  CHECK(last.op == "SumBackward0");
  REQUIRE(last.inputs.size() == 1);
  CHECK(named(last.inputs[0]).op == "TanhBackward0");
  CHECK(named(last.inputs[0]).shapes == std::vector<std::vector<std::int64_t>>{{4, 2}});
  std::map<std::string, std::size_t> place;
  for (const GraphNode& node : nodes) {
    for (const std::string& input : node.inputs) CHECK(place.count(input.substr(0, input.find(':'))) == 1);
    CHECK(place.emplace(node.name, place.size()).second);
  }
  Tensor leaf = ops::ones({2}).requires_grad_();
  CHECK(graph_of(ops::unbind(leaf * leaf, 0)[1] * 2.0).back().inputs[0] == "UnbindBackward0_2:1");
  CHECK_THROWS_AS(graph_of(ops::ones({2})), ValueError);
  CHECK_THROWS_AS(graph_of(Tensor()), ValueError);
}

TEST_CASE("texts and graphs are in the files of every writer", "[training][summary_writer]") {
  Folder folder;
  std::string jsonl = (folder.path / "log.jsonl").string(), csv = (folder.path / "log.csv").string();
  Tensor weight = ops::ones({2}).requires_grad_();
  auto log = [&](SummaryWriter& writer) {
    writer.add_text("note", "a, \"b\"", 5);
    writer.add_graph((weight * weight).sum(), {{"w", weight}});
    writer.flush();
  };
  TensorBoardWriter events_file((folder.path / "run").string());
  log(events_file);
  auto all = events(bytes_of(events_file.path()));
  REQUIRE(all.size() == 3);
  Fields note(Fields(all[1].bytes.at(5)).bytes.at(1));
  CHECK(note.bytes.at(1) == "note/text_summary");
  CHECK(Fields(note.bytes.at(8)).bytes.at(8) == "a, \"b\"");
  CHECK(Fields(Fields(note.bytes.at(9)).bytes.at(1)).bytes.at(1) == "text");
  Fields sum(Fields(all[2].bytes.at(4)).bytes.at(1));  // the last of three nodes
  CHECK(sum.bytes.at(2) == "SumBackward0");
  CHECK(sum.bytes.at(3) == "MulBackward0_1");

  JsonlWriter lines(jsonl);
  log(lines);
  std::string text = bytes_of(jsonl);
  CHECK(text.find("\"tag\": \"note\", \"text\": \"a, \\\"b\\\"\"}") != std::string::npos);
  CHECK(text.find("{\"name\": \"w\", \"op\": \"Parameter\", \"inputs\": [], \"shapes\": [[2]]}") != std::string::npos);
  CHECK(text.find("\"inputs\": [\"MulBackward0_1\"], \"shapes\": [[]]}]}\n") != std::string::npos);
  CsvWriter rows(csv);
  log(rows);
  text = bytes_of(csv);
  CHECK(text.find(",5,note,\"a, \"\"b\"\"\"\n") != std::string::npos);
  CHECK(text.find(",0,graph.MulBackward0_1,w w\n") != std::string::npos);
}

namespace {
void log_more(SummaryWriter& writer) {
  writer.add_scalar("loss", 0.25, 1, 1000.5);
  writer.add_scalars("run/loss", {{"train", 0.5}, {"test", 0.75}}, 3, 1001.5);
  writer.add_pr_curve("curve", tensor({0, 1, 1, 0, 1}), tensor({0.1, 0.4, 0.35, 0.8, 1.0}), 6, 5);
  writer.add_hparams({{"lr", 0.1}, {"size", 32}, {"optimizer", "adam"}, {"nesterov", true}, {"seed", Value()}},
                     {{"hparam/accuracy", 0.75}}, "one");
  writer.flush();
}
}  // namespace

TEST_CASE("lines of one picture, curves and hyperparameters are in event files", "[training][summary_writer]") {
  Folder folder;
  std::string path = (folder.path / "run").string();
  TensorBoardWriter writer(path);
  log_more(writer);
  auto all = events(bytes_of(writer.path()));
  REQUIRE(all.size() == 3);
  CHECK(std::bit_cast<double>(all[1].numbers.at(1)) == 1000.5);
  Fields curve(Fields(all[2].bytes.at(5)).bytes.at(1));
  CHECK(curve.bytes.at(1) == "curve");
  CHECK(Fields(curve.bytes.at(8)).bytes.at(5).size() == 6 * 5 * 4);
  CHECK(Fields(Fields(curve.bytes.at(9)).bytes.at(1)).bytes.at(1) == "pr_curves");

  auto only_file = [](const std::string& where) { return std::filesystem::directory_iterator(where)->path(); };
  for (auto [name, value] : {std::pair("train", 0.5f), std::pair("test", 0.75f)}) {
    auto line = events(bytes_of(only_file(path + "/run_loss_" + name)));
    REQUIRE(line.size() == 2);
    CHECK(std::bit_cast<double>(line[1].numbers.at(1)) == 1001.5);
    Fields scalar(Fields(line[1].bytes.at(5)).bytes.at(1));
    CHECK(scalar.bytes.at(1) == "run/loss");
    CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(scalar.numbers.at(2))) == value);
  }
  auto run = events(bytes_of(only_file(path + "/one")));
  REQUIRE(run.size() == 5);
  CHECK(Fields(Fields(run[1].bytes.at(5)).bytes.at(1)).bytes.at(1) == "_hparams_/experiment");
  CHECK(Fields(Fields(run[4].bytes.at(5)).bytes.at(1)).bytes.at(1) == "hparam/accuracy");
  CHECK_ERROR(writer.add_hparams({{"x", Value::list({})}}, {}), ValueError,
              "add_hparams(): 'x': value should be one of int, float, str or bool, got a GenericList");
}

TEST_CASE("the same are in lines of text", "[training][summary_writer]") {
  Folder folder;
  std::string jsonl = (folder.path / "log.jsonl").string(), csv = (folder.path / "log.csv").string();
  JsonlWriter lines(jsonl);
  log_more(lines);
  std::string text = bytes_of(jsonl);
  CHECK(text.find("{\"time\": 1000.500, \"step\": 1, \"tag\": \"loss\", \"value\": 0.25}\n") == 0);
  CHECK(text.find("{\"time\": 1001.500, \"step\": 3, \"tag\": \"run/loss/test\", \"value\": 0.75}\n") !=
        std::string::npos);
  CHECK(text.find("\"tag\": \"curve\", \"tp\": [3, 3, 1, 1, 1], \"fp\": [2, 1, 1, 1, 0]") != std::string::npos);
  CHECK(text.find("\"run\": \"one\", \"hparams\": {\"lr\": 0.1, \"size\": 32, \"optimizer\": \"adam\", \"nesterov\": "
                  "true}, \"metrics\": {\"hparam/accuracy\": 0.75}}\n") != std::string::npos);
  CsvWriter rows(csv);
  log_more(rows);
  text = bytes_of(csv);
  CHECK(text.find("1001.500,3,run/loss/train,0.5\n") != std::string::npos);
  CHECK(text.find(",6,curve.precision,0.6 0.75 0.5 0.5 1\n") != std::string::npos);
  CHECK(text.find(",0,one.optimizer,adam\n") != std::string::npos);
  CHECK(text.find(",0,one.hparam/accuracy,0.75\n") != std::string::npos);
  CHECK(text.find("one.seed") == std::string::npos);
}

TEST_CASE("histograms and curves made elsewhere are written as those of tensors", "[training][summary_writer]") {
  Folder folder;
  TensorBoardWriter made((folder.path / "made").string()), raw((folder.path / "raw").string());
  CHECK(raw.get_logdir() == (folder.path / "raw").string());
  Tensor values = tensor({-1.0, 0.0, 0.5, 0.5}), labels = tensor({0, 1, 1}), predictions = tensor({0.1, 0.4, 0.8});
  made.add_histogram("h", values, 4, {}, 1000.5);
  raw.add_histogram_raw("h", histogram_of(values), 4, 1000.5);
  made.add_pr_curve("c", labels, predictions, 5, 3, {}, 1000.5);
  raw.add_pr_curve_raw("c", pr_curve_of(labels, predictions, 3), 5, 1000.5);
  made.flush();
  raw.flush();
  auto expected = events(bytes_of(made.path())), got = events(bytes_of(raw.path()));
  REQUIRE(got.size() == 3);
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(got[i].numbers == expected[i].numbers);
    CHECK(got[i].bytes == expected[i].bytes);
  }
  CHECK_ERROR(raw.add_histogram_raw("h", {.limits = {1, 2}, .buckets = {3}}, 0), ValueError,
              "add_histogram_raw(): expected as many limits as buckets, got 2 and 1");
  PrCurve curve = pr_curve_of(labels, predictions, 3);
  curve.recall.pop_back();
  CHECK_ERROR(raw.add_pr_curve_raw("c", curve, 0), ValueError,
              "add_pr_curve_raw(): expected lists of 3 thresholds each, got one of 2");
}

TEST_CASE("pictures of a batch are one picture", "[training][summary_writer]") {
  Folder folder;
  std::string jsonl = (folder.path / "log.jsonl").string();
  JsonlWriter lines(jsonl);
  Tensor batch = ops::rand({3, 3, 2, 4});
  lines.add_images("batch", batch, 1);
  CHECK(bytes_of(jsonl + ".images/batch.1.png") == data::encode_png(image_grid(batch)));
  lines.add_histogram("bins", tensor({-1.0, 0.0, 0.5, 0.5, 2.0, 3.0}), 1, 4);
  lines.flush();
  CHECK(bytes_of(jsonl).find("\"limits\": [-1, 0, 1, 2, 3], \"buckets\": [0, 1, 3, 0, 2]}") != std::string::npos);
}

TEST_CASE("sounds, meshes and charts are in event files", "[training][summary_writer]") {
  Folder folder;
  TensorBoardWriter writer((folder.path / "run").string());
  writer.add_audio("sound", tensor({{0.0, 0.5, -1.0, 2.0}}), 8, 8000, 1000.5);
  writer.add_mesh("shape", ops::ones({1, 4, 3}), {}, ops::zeros({1, 2, 3}, "dtype"_a = kLong), "{}", 9);
  writer.add_custom_scalars_multilinechart({"a", "b"});
  writer.add_custom_scalars_marginchart({"a", "b", "c"}, "bounds", "band");
  writer.flush();
  auto all = events(bytes_of(writer.path()));
  REQUIRE(all.size() == 6);
  auto value = [&](std::size_t i) { return Fields(Fields(all[i].bytes.at(5)).bytes.at(1)); };
  CHECK(std::bit_cast<double>(all[1].numbers.at(1)) == 1000.5);
  CHECK(all[1].numbers.at(2) == 8);
  Fields sound(value(1).bytes.at(6));
  CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(sound.numbers.at(1))) == 8000);
  CHECK(sound.numbers.at(3) == 4);
  // By Python's wave module, of what PyTorch 2.15 makes of the same numbers.
  std::string wav("RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x08\0\0\0", 44);
  CHECK(sound.bytes.at(4) == wav + std::string("\0\0\xff\x3f\x01\x80\xff\x7f", 8));
  CHECK(value(2).bytes.at(1) == "shape_VERTEX");
  CHECK(value(3).bytes.at(1) == "shape_FACE");
  CHECK(Fields(value(2).bytes.at(8)).bytes.at(5).size() == 12 * 4);
  Fields about(Fields(value(3).bytes.at(9)).bytes.at(1));
  CHECK(about.bytes.at(1) == "mesh");
  CHECK(Fields(about.bytes.at(2)).numbers.at(7) == (1u << 1 | 1u << 2));
  CHECK(value(4).bytes.at(1) == "custom_scalars__config__");
  Fields band(Fields(Fields(Fields(value(5).bytes.at(8)).bytes.at(8)).bytes.at(2)).bytes.at(2));
  CHECK(band.bytes.at(1) == "band");
  CHECK(Fields(Fields(band.bytes.at(3)).bytes.at(1)).bytes.at(3) == "c");

  writer.add_video("clip", ops::ones({3, 2, 3, 4, 5}), 7, 10, 1001.5);
  writer.flush();
  all = events(bytes_of(writer.path()));
  REQUIRE(all.size() == 7);
  Fields clip(value(6).bytes.at(4));
  CHECK(clip.numbers.at(1) == 4);  // of 3 videos PyTorch makes a row of 4
  CHECK(clip.numbers.at(2) == 20);
  CHECK(clip.numbers.at(3) == 3);
  CHECK(clip.bytes.at(4).substr(0, 10) == std::string("GIF89a\x14\0\4\0", 10));
  CHECK_THROWS_TEXT(writer.add_video("clip", ops::ones({2, 3, 4, 5}), 0),
                    "add_video(): expected videos of shape (N, T, 1 or 3, H, W), got [2, 3, 4, 5]");
  CHECK_THROWS_TEXT(writer.add_audio("sound", ops::ones({2, 5}), 0),
                    "add_audio(): expected a sound of shape (L) or (1, L), got [2, 5]");
  CHECK_THROWS_TEXT(writer.add_audio("sound", ops::ones({5}), 0, 0),
                    "add_audio(): expected a positive sample_rate, got 0");
  CHECK_THROWS_TEXT(writer.add_mesh("shape", ops::ones({4, 3})),
                    "add_mesh(): expected 'vertices' of shape (B, N, 3), got [4, 3]");
  CHECK_THROWS_TEXT(writer.add_custom_scalars_marginchart({"a"}),
                    "add_custom_scalars(): expected three tags for a margin, a value and its bounds, got 1");
}

TEST_CASE("embeddings are files beside the events", "[training][summary_writer]") {
  Folder folder;
  std::filesystem::path run = folder.path / "run";
  TensorBoardWriter writer(run.string());
  Tensor points = tensor({{0.5, 1.0}, {2.0, -3.25}, {0.0, 0.1}}, kDouble);
  writer.add_embedding(points, {.metadata = {{"cat"}, {"dog"}, {"owl"}}});
  CHECK(bytes_of(run / "00000/default/tensors.tsv") == "0.5\t1\n2\t-3.25\n0\t0.1\n");
  CHECK(bytes_of(run / "00000/default/metadata.tsv") == "cat\ndog\nowl\n");
  writer.add_embedding(points, {.metadata = {{"cat", "1"}, {"dog", "2"}, {"owl", "3"}},
                                .label_img = ops::ones({3, 1, 2, 5}),
                                .step = 12,
                                .tag = "a/\"b\"",
                                .metadata_header = {"name", "size"}});
  CHECK(bytes_of(run / "00012/a%2f\"b\"/metadata.tsv") == "name\tsize\ncat\t1\ndog\t2\nowl\t3\n");
  // The header of a PNG: width and height, the high byte first.
  std::string sprite = bytes_of(run / "00012/a%2f\"b\"/sprite.png");
  CHECK(sprite.substr(16, 8) == std::string("\0\0\0\x0a\0\0\0\x0a", 8));
  CHECK(bytes_of(run / "projector_config.pbtxt") ==
        "embeddings {\n  tensor_name: \"default:00000\"\n  metadata_path: \"00000/default/metadata.tsv\"\n"
        "  tensor_path: \"00000/default/tensors.tsv\"\n}\n"
        "embeddings {\n  tensor_name: \"a/\\\"b\\\":00012\"\n  metadata_path: \"00012/a%2f\\\"b\\\"/metadata.tsv\"\n"
        "  sprite {\n    image_path: \"00012/a%2f\\\"b\\\"/sprite.png\"\n    single_image_dim: 5\n"
        "    single_image_dim: 2\n  }\n  tensor_path: \"00012/a%2f\\\"b\\\"/tensors.tsv\"\n}\n");

  CHECK_THROWS_TEXT(writer.add_embedding(ops::ones({3})), "add_embedding(): expected a matrix (N, D), got [3]");
  CHECK_THROWS_TEXT(writer.add_embedding(points, {.metadata = {{"cat"}}}),
                    "add_embedding(): expected labels for 3 points, got 1");
  CHECK_THROWS_TEXT(writer.add_embedding(points, {.metadata = {{"a"}, {"b"}, {"c", "d"}}}),
                    "add_embedding(): expected rows of 1 labels, got 2");
  CHECK_THROWS_TEXT(writer.add_embedding(points, {.metadata = {{"a"}, {"b\tc"}, {"d"}}}),
                    "add_embedding(): expected labels without tabs and newlines, got 'b\tc'");
  CHECK_THROWS_TEXT(writer.add_embedding(points, {.label_img = ops::ones({2, 3, 2, 5})}),
                    "add_embedding(): expected pictures for 3 points, got [2, 3, 2, 5]");
}
