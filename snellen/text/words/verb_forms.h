// SPDX-License-Identifier: Apache-2.0
// Forms of English verbs, by rules of spelling and a table of what the rules get wrong. Verbs are
// lower case and single words; a verb that is not known follows the rules.
#pragma once

#include <string>
#include <string_view>

namespace snellen::text {

// "cut" -> "cuts", "fix" -> "fixes", "empty" -> "empties", "have" -> "has". Empty for empty.
std::string third_person(std::string_view verb);

// "cut" -> "cutting", "unplug" -> "unplugging", "microwave" -> "microwaving", "lie" -> "lying".
// Where British and American spelling differ ("travelling"), the British one, as ViLMA's texts have
// it.
std::string gerund(std::string_view verb);

}  // namespace snellen::text
