// Files of torch.save(): tensors and plain data, as torch.load(weights_only=True) takes them.
#pragma once
#include <string>
#include <string_view>

#include <tenon/boxing/value.hpp>
#include <tenon/data/inflate.hpp>
#include <tenon/io/safetensors.hpp>

namespace tenon::data {

/// What a file of torch.save() holds: tensors, numbers, texts, None, and lists, tuples and dictionaries of such. A
/// dtype is its number, a set and a torch.Size are tuples, bytes are a text. No code of the file runs: names other than
/// those of tensors and plain data are refused. Aliasing: tensors that shared memory share it here. It is the mapping
/// of the file where that holds it aligned, as torch.save() writes it, and a copy otherwise; writing into it never
/// changes the file. Conjugated and negated ones are views. All are on the CPU. Errors: FileError for a file that
/// cannot be read or is damaged, and for a tensor that lies outside its storage; NotImplementedError for what is no
/// plain data, quantised and sparse tensors, files of TorchScript, those of PyTorch before 1.6, and integers above 64
/// bits. Checksums are not looked at, as in PyTorch. Source: PyTorch's serialization.py and _weights_only_unpickler.py
/// for what such files hold.
Value load_torch(const std::string& path, Inflate inflate = default_inflate);
Value decode_torch(std::string bytes, const std::string& name = "torch file", Inflate inflate = default_inflate);

/// The tensors in a value, by the keys and places that lead to them: `model.0.weight`. With `below`, those whose names
/// begin with it and a dot, without that: `named_tensors(load_torch("run.pt"), "model")` is what nn::load_state()
/// takes. Errors: ValueError where there are more than a million, or values lie too deep.
NamedTensors named_tensors(const Value& value, std::string_view below = {});

}  // namespace tenon::data
