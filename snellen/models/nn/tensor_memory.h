// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace snellen::models::nn {

// How many bytes are taken for a tensor of so many: a few sizes serve all, so that what one gives
// back the next can have. At most an eighth more.
size_t bytes_taken_for(size_t num_bytes);

// Makes torch take the memory of its tensors on the CPU from malloc instead of posix_memalign. That
// one never finds what it was given back, as of glibc 2.36: a run over thousands of pictures was
// seen to grow from 0.2 to 1.8 GB.
void use_plain_memory();

}  // namespace snellen::models::nn
