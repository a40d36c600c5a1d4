// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/retry_rules.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "snellen/base/parse_number.h"

namespace snellen::http {
namespace {

constexpr double kLongestRetryAfter = 3600;
constexpr double kLongestBackOff = 60;

}  // namespace

bool is_worth_retrying(const Reply& reply) {
  switch (reply.status) {
    case 0:
      return reply.is_worth_a_retry;
    case 408:
    case 409:
    case 425:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return true;
    default:
      return false;
  }
}

std::optional<double> retry_after_s(std::string_view header, std::time_t now) {
  while (!header.empty() && header.front() == ' ') header.remove_prefix(1);
  while (!header.empty() && header.back() == ' ') header.remove_suffix(1);
  std::optional<double> seconds = parse_number<double>(header);
  if (!seconds) {
    std::tm date{};
    const std::string text(header);
    const char* rest = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
    if (rest == nullptr || *rest != 0) return std::nullopt;
    seconds = std::difftime(timegm(&date), now);
  }
  if (!std::isfinite(*seconds)) return std::nullopt;
  return std::clamp(*seconds, 0.0, kLongestRetryAfter);
}

double back_off_s(unsigned attempt, double uniform) {
  const double full = std::min(
      kLongestBackOff, std::ldexp(1.0, std::clamp<int>(static_cast<int>(attempt) - 1, 0, 30)));
  return full * (0.5 + 0.5 * uniform);
}

}  // namespace snellen::http
