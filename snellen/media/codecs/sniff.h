// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace snellen::media {

// Whether the file begins as a picture does, of any format that is read: a film, which may be of
// any size, need not be read whole to be told from one. False for what cannot be opened; true for
// what is no plain file (a folder, a FIFO): who reads it as a picture says so.
bool begins_like_picture(const std::filesystem::path& path);

}  // namespace snellen::media
