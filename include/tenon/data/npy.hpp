// NumPy's files: npy, one tensor, and npz, tensors by name.
#pragma once
#include <string>
#include <string_view>

#include <tenon/data/inflate.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

/// The array of an npy file: bools, integers, floating and complex numbers in either order of bytes. One in Fortran's
/// order has strides that say so.
/// Errors: FileError for a file that cannot be read or is no such file, and a size other than the header says, which is
/// checked before memory is taken; NotImplementedError for an element type that tenon has not (texts, objects,
/// records). Source: NumPy's manual, numpy.lib.format, versions 1.0 to 3.0.
Tensor load_npy(const std::string& path);
Tensor decode_npy(std::string_view bytes, const std::string& name = "npy");
/// Writes a tensor, row-major and with the low byte first; the file appears when it is complete.
/// Errors: ValueError for an undefined tensor, one that is not in CPU memory, and a dtype that NumPy has not;
/// FileError if the file cannot be written.
void save_npy(const std::string& path, const Tensor& tensor);
std::string encode_npy(const Tensor& tensor);

/// The arrays of an npz file, in its order, by their names without `.npy`: stored ones and deflated ones, each checked
/// by its checksum.
/// Errors: as load_npy(), and NotImplementedError for other compressions, and for deflated ones without zlib.
/// Source: PKWARE, APPNOTE.TXT 6.3.10, with the sizes of zip64.
NamedTensors load_npz(const std::string& path, Inflate inflate = default_inflate);
NamedTensors decode_npz(std::string_view bytes, const std::string& name = "npz", Inflate inflate = default_inflate);
/// Writes tensors without compression, as numpy.savez() does. Errors: as save_npy(), ValueError for a name twice and
/// for files of 4 GiB and more.
void save_npz(const std::string& path, const NamedTensors& tensors);
std::string encode_npz(const NamedTensors& tensors);

}  // namespace tenon::data
