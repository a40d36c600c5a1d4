// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/catalogue.h"

#include <filesystem>

#include <fmt/format.h>

#include "snellen/base/nearest.h"

namespace snellen::run {

Catalogue Catalogue::built_in() {
  return {tasks::built_in_tasks(), models::built_in_models(), {}, {}};
}

const tasks::TaskEntry& Catalogue::task(const std::string& spec) const {
  std::string name = spec.substr(0, spec.find(':'));
  std::vector<std::string> known;
  for (const auto& entry : tasks) {
    const tasks::TaskFacts& facts = entry->facts();
    if (facts.name == (facts.takes_argument ? name : spec)) return *entry;
    known.push_back(facts.name);
    if (!facts.takes_part) continue;
    for (const std::string& part : facts.parts) {
      known.push_back(fmt::format("{}/{}", facts.name, part));
      if (known.back() == spec) return *entry;
    }
  }
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(spec, ignored);
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown task '{}'", spec.substr(0, 80)),
              "--tasks",
              is_file
                  ? fmt::format("a task of your own is named with file: before it: file:{}", spec)
                  : suggest(name, known)};
}

const models::ModelEntry& Catalogue::model(const std::string& spec) const {
  std::string name = spec.substr(0, spec.find(':'));
  std::vector<std::string> known;
  for (const auto& entry : models) {
    if (entry->facts().name == name) return *entry;
    known.push_back(entry->facts().name);
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown model '{}'", name.substr(0, 80)),
              "--model",
              suggest(name, known)};
}

}  // namespace snellen::run
