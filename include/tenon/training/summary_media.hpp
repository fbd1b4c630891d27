// What TensorBoard's charts and its projector are told.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::training {

/// Scalars in one chart, by their tags: lines, or with `margin` three of them, a value, its lower and its upper bound.
struct ScalarChart {
  std::string title;
  std::vector<std::string> tags;
  bool margin = false;
};
/// What the points of an embedding are called and look like.
struct EmbeddingOptions {
  std::vector<std::vector<std::string>> metadata = {};  ///< a row for each point, of as many columns
  Tensor label_img = {};                                ///< (N, 3, H, W) or (N, 1, H, W), as of image_grid()
  std::int64_t step = 0;
  std::string tag = "default";
  std::vector<std::string> metadata_header = {};  ///< a name for each column
};

}  // namespace tenon::training
