// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::cli {

// From now on Ctrl-C and SIGTERM only set a flag; a second one ends the process at once.
void stop_on_signals();
// Whether one came. Safe from many threads.
bool is_stop_requested();

}  // namespace snellen::cli
