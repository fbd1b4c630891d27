// IDX files, plain and gzipped: the format of MNIST.
#pragma once
#include <string>
#include <string_view>

#include <tenon/data/inflate.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

/// The tensor of an IDX file, in the shape and dtype that it says: uint8, int8, int16, int32, float32 or float64.
/// Errors: FileError for a file that cannot be read, another format, and a size other than the header says, which is
/// checked before memory is taken; NotImplementedError for gzip in a program without zlib.
/// Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database", file formats.
Tensor load_idx(const std::string& path, Inflate inflate = default_inflate);
/// As load_idx(), from the bytes of a file; `name` stands for it in messages.
Tensor decode_idx(std::string_view bytes, const std::string& name = "idx", Inflate inflate = default_inflate);

}  // namespace tenon::data
