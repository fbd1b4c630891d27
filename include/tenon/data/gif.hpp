// Moving pictures as GIF.
#pragma once
#include <cstdint>
#include <string>

#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

/// How fast and how often an animation is shown.
struct GifOptions {
  double fps = 4;         ///< frames a second; the format counts hundredths of a second
  std::int64_t loop = 0;  ///< how often it is shown; 0: without end
};

/// Writes frames as an animated GIF. A frame of at most 256 colours keeps them; those of another are rounded to 6
/// levels of red, 7 of green and 6 of blue. Shapes: (frames, 1 or 3, height, width). Dtypes: uint8 from 0 to 255;
/// floating from 0 to 1, where what lies outside is cut off. Errors: ValueError for others, for no frame, for more than
/// 65535 pixels in a row or rows, for an `fps` that is not positive and a `loop` outside 0 .. 65535; FileError if the
/// file cannot be written. Source: CompuServe, Graphics Interchange Format 89a; the loop as Netscape has it.
void save_gif(const std::string& path, const Tensor& frames, const GifOptions& options = {});
/// The same as bytes in memory.
std::string encode_gif(const Tensor& frames, const GifOptions& options = {});

}  // namespace tenon::data
