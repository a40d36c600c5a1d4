// SPDX-License-Identifier: Apache-2.0
// What the four probe tasks share of the reference scripts' ways (docs/spec/probe.md 4, 8, 11).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/base/python_json.h"

namespace snellen::tasks {

// Which of the reference scripts' branches a model took.
enum class ProbeFamily { kClip, kFlava, kVilt, kBridgeTower, kFinetuned };

// By exact name or registered prefix, never by substring: `metaclip` is not CLIP's own, but has
// CLIP's branch as every other model here.
ProbeFamily probe_family(std::string_view model);

// `<tag>` of the default layout: the model flag with '/' and '@' removed.
std::string probe_tag(std::string_view model);
// What the names of fine-tuned CLIP say of it.
struct Finetuned {
  std::string stream = "vt";  // which encoders were trained: v, t, vt
  double alpha = 0.2;         // the share of the fine-tuned weights
};
// `<name>` of Probe-R's folder: CLIP's type with '/' removed, of fine-tuned CLIP what was trained,
// else the model flag; made safe as one folder name.
std::string probe_r_name(std::string_view model, const Finetuned& finetuned = {});

// NaN in a seed-format file: a bare token in compat, null by default.
inline NonFinite non_finite_of(bool is_compat) {
  return is_compat ? NonFinite::kToken : NonFinite::kNull;
}

// The first of two files that exists; throws kNotFound naming both.
std::filesystem::path first_existing(const std::filesystem::path& first,
                                     const std::filesystem::path& second);

}  // namespace snellen::tasks
