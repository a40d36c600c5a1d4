// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/annotations/visdial/dialog_file.h"

namespace snellen::tasks {

// What a model is told of a dialog before the question of a round: its caption, then the questions
// and recorded answers so far, a line each.
std::string dialog_before(const annotations::DialogFile& dialogs, size_t round);

}  // namespace snellen::tasks
