// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/data_folder.h"

#include <cstdlib>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::cli {

namespace fs = std::filesystem;

std::vector<fs::path> data_folders(const Context& context) {
  std::vector<fs::path> places;
  const char* named = std::getenv("SNELLEN_DATA");
  if (named != nullptr && *named != '\0') places.emplace_back(named);
  fs::path binary = fs::canonical(context.program).parent_path();
  places.push_back(binary / "share" / "snellen" / "data");
  places.push_back(binary.parent_path() / "share" / "snellen" / "data");
  places.push_back(binary.parent_path() / "data");
  return places;
}

fs::path find_data_or_none(const Context& context, const fs::path& relative) {
  for (const fs::path& place : data_folders(context)) {
    std::error_code ignored;
    if (fs::exists(place / relative, ignored)) return place / relative;
  }
  return {};
}

fs::path find_data(const Context& context, const fs::path& relative) {
  fs::path found = find_data_or_none(context, relative);
  if (!found.empty()) return found;
  throw Error{ErrorCode::kNotFound,
              fmt::format("{} is not in the data folder", relative.string()),
              data_folders(context).front().string(),
              "bring it with ./dev setup, or set SNELLEN_DATA to the folder that has it"};
}

}  // namespace snellen::cli
