// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/picture_names.h"

#include <fmt/format.h>

#include "snellen/store/samples/sample.h"

namespace snellen::store {
namespace {

constexpr std::string_view kRungMark = "-rung";

// One file may be shown in several ways: cropped, corrupted, other frames of it.
std::string seen_stem(const ContentKey& content,
                      std::string_view visual,
                      std::string_view control) {
  std::string name(visual);
  if (!control.empty()) name.append("\n").append(control);
  return fmt::format(
      "{}-{:016x}{}", hex_of(content), content_key(name).low, control.empty() ? "" : kRungMark);
}

}  // namespace

std::filesystem::path thumbs_folder(const std::filesystem::path& run_folder) {
  return run_folder / "thumbs";
}

std::string small_picture_name(const ContentKey& content) {
  return hex_of(content) + ".jpg";
}

std::string seen_picture_name(const ContentKey& content,
                              std::string_view visual,
                              std::string_view control) {
  return seen_stem(content, visual, control) + ".jpg";
}

bool is_rung_picture(std::string_view name) {
  return name.ends_with(std::string(kRungMark) + ".jpg");
}

std::string seen_frames_name(const ContentKey& content,
                             std::string_view visual,
                             std::string_view control) {
  return seen_stem(content, visual, control) + ".json";
}

}  // namespace snellen::store
