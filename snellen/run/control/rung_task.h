// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "snellen/run/control/other_pictures.h"
#include "snellen/run/control/rung.h"

namespace snellen::run {

// A task under a control: the same items, questions and judgement, other pictures. Every visual is
// corrupted under its own name, clips frame by frame. `others` for rungs that show the pictures of
// other items.
std::shared_ptr<const tasks::Task> under_control(std::shared_ptr<const tasks::Task> task,
                                                 const Rung& rung,
                                                 uint64_t seed,
                                                 std::optional<OtherPictures> others);

}  // namespace snellen::run
