// Readers and writers of files of data.
#include <tenon/data/bodies/csv.hpp>
#include <tenon/data/bodies/gif.hpp>
#include <tenon/data/bodies/idx.hpp>
#include <tenon/data/bodies/image.hpp>
#include <tenon/data/bodies/mapped_file.hpp>
#include <tenon/data/bodies/npy.hpp>
#include <tenon/data/bodies/torch_file.hpp>
#include <tenon/data/bodies/torch_save.hpp>
