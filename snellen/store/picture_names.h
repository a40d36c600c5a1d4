// SPDX-License-Identifier: Apache-2.0
// The files of RUN/thumbs: small pictures, and what the model was shown, by the content of the file
// that was shown.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "snellen/base/content_key.h"

namespace snellen::store {

std::filesystem::path thumbs_folder(const std::filesystem::path& run_folder);

// The picture made small, or the middle frame of a clip.
std::string small_picture_name(const ContentKey& content);
// As the model was shown the visual of this name: one picture, or the frames of a clip side by
// side. `control` is the rung's where it was shown under one ("gauss:100"), else empty.
std::string seen_picture_name(const ContentKey& content,
                              std::string_view visual,
                              std::string_view control = {});
// Whether the file shows what the model saw under a control.
bool is_rung_picture(std::string_view name);
// Of a clip {"seconds": [...]}: the times of the frames that were shown.
std::string seen_frames_name(const ContentKey& content,
                             std::string_view visual,
                             std::string_view control = {});

}  // namespace snellen::store
