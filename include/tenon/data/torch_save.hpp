// Writing files as torch.save() writes them.
#pragma once
#include <string>

#include <tenon/boxing/value.hpp>
#include <tenon/io/safetensors.hpp>

namespace tenon::data {

/// Writes a file of torch.save(), which torch.load() reads, weights_only or not: tensors by name, as a state_dict(), or
/// a value of tensors, numbers, texts, None, devices, and lists, tuples and dictionaries
/// of such. Tensors that share memory share it in the file: a storage is written once and whole, however small the
/// views of it (clone() a small one first), and strides, conjugation, negation and requires_grad() are kept. A
/// parameter becomes a tensor that requires grad; an undefined tensor becomes None. The file appears when it is
/// complete. Errors: ValueError for a name twice, a tensor that is not in CPU memory, texts that are not UTF-8 and
/// values that lie in each other more than 150 deep; NotImplementedError for quantised tensors; TypeError for other
/// values; FileError if the file cannot be written. Source: PyTorch's serialization.py, and pickle's protocol 2 in
/// pickletools.py of Python.
void save_torch(const std::string& path, const NamedTensors& tensors);
void save_torch(const std::string& path, const Value& value);
std::string encode_torch(const NamedTensors& tensors);
std::string encode_torch(const Value& value);

}  // namespace tenon::data
