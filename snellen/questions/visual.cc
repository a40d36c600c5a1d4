// SPDX-License-Identifier: Apache-2.0
#include "snellen/questions/visual.h"

namespace snellen::questions {

Result<media::VisualPlace> Visual::place() const {
  if (const auto* place = std::get_if<media::VisualPlace>(&source)) return *place;
  if (drawn() != nullptr)
    return Error{ErrorCode::kInvalidInput, "is drawn in memory and has no file", name};
  const std::shared_ptr<const Error>& reason = std::get<Unplaced>(source).reason;
  SNELLEN_CHECK(reason != nullptr);
  if (reason->code() == ErrorCode::kUsage) throw Error(*reason);
  return *reason;
}

Visual unplaced(std::string name, Error why) {
  return {.name = std::move(name),
          .source = Unplaced{std::make_shared<const Error>(std::move(why))}};
}

Visual nothing_shown(Error why) {
  return {.name = {}, .source = Unplaced{std::make_shared<const Error>(std::move(why)), true}};
}

bool shows_nothing(const Visual& visual) {
  const auto* unplaced = std::get_if<Unplaced>(&visual.source);
  return unplaced != nullptr && unplaced->is_nothing;
}

}  // namespace snellen::questions
