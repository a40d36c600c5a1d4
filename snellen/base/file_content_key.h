// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/content_key.h"

namespace snellen {

// content_key() of a whole file, read a piece at a time: for files of any size, and one that is cut
// meanwhile gives another key, not a signal. Throws kNotFound for what cannot be opened,
// kInvalidInput for what is no plain file, kIo when it cannot be read to its end.
ContentKey content_key_of_file(const std::filesystem::path& path);

}  // namespace snellen
