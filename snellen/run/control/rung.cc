// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/rung.h"

#include <algorithm>

#include <fmt/format.h>

namespace snellen::run {

std::string Rung::folder() const {
  std::string folder = name();
  std::replace(folder.begin(), folder.end(), ':', '-');
  return folder;
}

std::vector<Rung> rungs_of(const std::vector<std::string>& names) {
  std::vector<Rung> rungs;
  for (const std::string& name : names) {
    Result<media::Corruption> corruption = media::corruption_of(name);
    if (!corruption) throw corruption.error().within("--control");
    if (corruption->facts().name == "clean") continue;
    Rung rung{std::move(corruption).value()};
    const bool is_twice = std::any_of(
        rungs.begin(), rungs.end(), [&](const Rung& one) { return one.name() == rung.name(); });
    if (is_twice)
      throw Error{ErrorCode::kUsage, fmt::format("'{}' is named twice", name), "--control"};
    rungs.push_back(std::move(rung));
  }
  return rungs;
}

}  // namespace snellen::run
