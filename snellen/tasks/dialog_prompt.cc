// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/dialog_prompt.h"

#include <fmt/format.h>

namespace snellen::tasks {

std::string dialog_before(const annotations::DialogFile& dialogs, size_t round) {
  const size_t dialog = dialogs.dialog_of(round);
  std::string told = fmt::format("The picture: {}\n", dialogs.caption(dialog));
  for (size_t before = dialogs.first_round(dialog); before < round; ++before) {
    const annotations::DialogRound& one = dialogs.round(before);
    told += fmt::format("Question: {} Answer: {}\n",
                        dialogs.questions()[one.question],
                        one.answer ? dialogs.answers()[*one.answer] : "");
  }
  return told;
}

}  // namespace snellen::tasks
