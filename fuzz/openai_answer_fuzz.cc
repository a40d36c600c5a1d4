// SPDX-License-Identifier: Apache-2.0
// What a server answers: bodies of answers and of refusals, kept answers, and the header that says
// when to come back.
#include <cmath>

#include "fuzz/fuzz_file.h"
#include "snellen/http/retry_rules.h"
#include "snellen/models/openai/chances.h"
#include "snellen/models/openai/chat.h"

namespace {

using namespace snellen;
namespace openai = models::openai;

void use(const openai::ChatAnswer& answer) {
  (void)answer.is_refused();
  if (const auto yes = openai::yes_score(answer); yes && !(yes->value >= 0 && yes->value <= 1))
    std::abort();
  for (size_t num_options : {1U, 3U, 26U}) {
    const auto letters = openai::letter_chances(answer, num_options);
    if (!letters) continue;
    if (letters->shares.size() != num_options) std::abort();
    double sum = 0;
    for (double share : letters->shares) sum += share;
    if (!(std::abs(sum - 1) < 1e-6)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  if (const Result<openai::ChatAnswer> answer = openai::read_answer(body)) {
    use(*answer);
    // What is kept is the same when it is read again.
    const std::string kept = openai::answer_to_json(*answer);
    const Result<openai::ChatAnswer> again = openai::answer_of_json(kept);
    if (!again || openai::answer_to_json(*again) != kept) std::abort();
  }
  if (const Result<openai::ChatAnswer> kept = openai::answer_of_json(body)) use(*kept);
  const std::string refusal = openai::read_refusal(body);
  if (refusal.size() > 300) std::abort();
  (void)openai::unknown_field(refusal);
  if (size < 100) {
    const auto seconds = http::retry_after_s(body, 1'700'000'000);
    if (seconds && !(*seconds >= 0 && *seconds <= 3600)) std::abort();
  }
  return 0;
}
