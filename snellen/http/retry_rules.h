// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <optional>
#include <string_view>

#include "snellen/http/client.h"

namespace snellen::http {

// Whether the same request may well succeed later: lost connections, time-outs, a busy server. Not
// what the server refuses for good.
bool is_worth_retrying(const Reply& reply);

// What a Retry-After header asks for: seconds, or a date (as `now` counts). At most an hour;
// nothing for a text that is neither.
std::optional<double> retry_after_s(std::string_view header, std::time_t now);

// The wait before try number `attempt` + 1 (the first is 1): 1 s, 2 s, 4 s ... at most 60 s, and of
// that at least half by `uniform` in [0, 1), so that many clients do not come back together.
double back_off_s(unsigned attempt, double uniform);

}  // namespace snellen::http
