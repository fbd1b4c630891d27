// A profile as a flame graph: a picture in SVG whose boxes are as wide as what they stand for took.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/profiler/profile.hpp>
#include <tenon/profiler/table.hpp>

namespace tenon::profiler {

namespace detail {

/// All events that ran inside the same ones, together.
struct FlameNode {
  std::int64_t total = 0, calls = 0;
  std::map<std::uint32_t, FlameNode> inside;  // by name
  std::size_t height() const {
    std::size_t most = 0;
    for (const auto& [name, node] : inside) most = std::max(most, node.height());
    return most + 1;
  }
};

inline void append_xml(std::string& out, std::string_view text) {
  for (char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
}

class FlamePicture {
 public:
  explicit FlamePicture(const Profile& profile) : profile_(profile) {
    for (const Track& track : profile.tracks) {
      std::vector<FlameNode*> open;
      for (const Event& e : track.events) {
        open.resize(e.depth);
        FlameNode& node = (open.empty() ? root_ : *open.back()).inside[e.name];
        node.total += e.end - e.begin;
        ++node.calls;
        if (open.empty()) root_.total += e.end - e.begin;
        open.push_back(&node);
      }
    }
    root_.calls = static_cast<std::int64_t>(profile.tracks.size());
  }
  std::string svg() {
    height_ = static_cast<int>(root_.height()) * kRow;
    char head[200];
    std::snprintf(head, sizeof head,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" "
                  "font-size=\"11\">\n",
                  kWidth, height_);
    out_ = head;
    box(root_, "all threads", 0, 0);
    return out_ + "</svg>\n";
  }

 private:
  static constexpr int kWidth = 1200, kRow = 18;  // units of the picture
  static constexpr double kLetter = 6.7;

  void box(const FlameNode& node, std::string_view name, double left, int level) {
    double width = root_.total ? kWidth * (static_cast<double>(node.total) / static_cast<double>(root_.total)) : kWidth;
    if (width < 0.1) return;
    unsigned hash = 2166136261u;
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    char text[200];
    int top = height_ - (level + 1) * kRow;
    std::snprintf(text, sizeof text,
                  "<g><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"hsl(%u,75%%,70%%)\" "
                  "stroke=\"white\"/><title>",
                  left, top, width, kRow, 10 + hash % 45);
    out_ += text;
    append_xml(out_, name);
    std::snprintf(text, sizeof text, ": %lld calls, %s</title>", static_cast<long long>(node.calls),
                  duration_text(node.total).c_str());
    out_ += text;
    auto letters = static_cast<std::size_t>(width / kLetter);
    if (letters >= 4) {
      std::snprintf(text, sizeof text, "<text x=\"%.2f\" y=\"%d\">", left + 3, top + 13);
      out_ += text;
      append_xml(out_, name.size() < letters ? name : std::string(name.substr(0, letters - 3)) + "..");
      out_ += "</text>";
    }
    out_ += "</g>\n";
    for (const auto& [number, child] : node.inside) {
      box(child, profile_.names[number], left, level + 1);
      if (root_.total) left += kWidth * (static_cast<double>(child.total) / static_cast<double>(root_.total));
    }
  }

  const Profile& profile_;
  FlameNode root_;
  std::string out_;
  int height_ = 0;
};

}  // namespace detail

/// The picture's text. Calls of all threads that ran inside the same ones are one box; those are at the bottom.
inline std::string flame_graph(const Profile& profile) { return detail::FlamePicture(profile).svg(); }

}  // namespace tenon::profiler
