// Pictures as tensors: PPM and PGM both ways, PNG written.
#pragma once
#include <string>
#include <string_view>

#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

/// The picture of a binary PGM or PPM file (P5, P6): uint8 (channels, height, width) with 1 or 3 channels, as
/// torchvision gives it; int32 where the file has values above 255. Errors: FileError for a file that cannot be read,
/// is no such file, or has fewer bytes than its size asks for, which is checked before memory is taken. Source:
/// netpbm's manual, ppm(5).
Tensor load_ppm(const std::string& path);
Tensor decode_ppm(std::string_view bytes, const std::string& name = "ppm");

/// Writes a picture as PPM, or as PGM if it has one channel.
/// Shapes: (height, width), (1, height, width) or (3, height, width). Dtypes: uint8 from 0 to 255; floating from 0 to
/// 1, where what lies outside is cut off. Errors: ValueError for others; FileError if the file cannot be written.
void save_ppm(const std::string& path, const Tensor& image);
std::string encode_ppm(const Tensor& image);

/// Writes a picture as PNG, not compressed; shapes, dtypes and errors as of save_ppm(), and 4 channels are red, green,
/// blue and alpha. Source: W3C, Portable Network Graphics, second edition; RFC 1950 and 1951 for blocks that are
/// stored.
void save_png(const std::string& path, const Tensor& image);
std::string encode_png(const Tensor& image);

}  // namespace tenon::data
