// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/counting_sources.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/formats/npy.h"

namespace snellen::builders::vilma {

std::vector<int64_t> repetition_ends(const CountingSources& sources, const std::string& prefix) {
  constexpr double kMostFrames = 1e9;
  const std::filesystem::path path =
      sources.data_dir / "normalized_annotations" / (prefix + ".npy");
  std::vector<int64_t> ends;
  for (const double frame : formats::read_npy(path)) {
    const bool is_frame = frame >= 0 && frame <= kMostFrames && frame == std::floor(frame);
    if (!is_frame || (!ends.empty() && frame < static_cast<double>(ends.back()))) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "number {} is {}, expected whole frames that do not fall", ends.size(), frame),
          path.string(),
          "normalise the annotation to 30 frames per second first"};
    }
    ends.push_back(static_cast<int64_t>(frame));
  }
  return ends;
}

}  // namespace snellen::builders::vilma
