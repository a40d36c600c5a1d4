// SPDX-License-Identifier: Apache-2.0
// The pictures of the blind-image control as files (docs/spec/bias.md 1.2, 1.3): every picture at
// every level of noise, the same pixels that `run --tasks control` shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "snellen/builders/build_record.h"
#include "snellen/builders/building.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::control {

struct Options {
  uint64_t seed = 0;
  bool has_pure = true;  // the level without any picture beside e2, e3 and e4
  bool is_jpeg = false;  // quality 95, 4:2:0, as the seed wrote them; else PNG
};

// Writes noisy/{stem}_{level}.png, contact_sheets/{stem}.png (the picture and its levels side by
// side, every k-th pixel so that nothing is averaged), statistics.json and build.json into `out`.
// The bytes depend on the pictures and the options alone. A picture that cannot be read is counted
// and left out.
BuildReport build(const std::vector<std::filesystem::path>& pictures,
                  const Options& options,
                  const std::filesystem::path& out,
                  const Workers& workers);

// Reads every file again and compares mean, deviation, shares of 0 and 255, correlation and error
// of each channel with what the noise must give. Files of JPEG are only looked for: JPEG changes
// the noise.
CheckReport check(const std::filesystem::path& folder,
                  const BuildRecord& record,
                  const Workers& workers);

}  // namespace snellen::builders::control
