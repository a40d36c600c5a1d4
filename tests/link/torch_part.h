// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::link {

bool torch_adds_up();

}  // namespace snellen::link
