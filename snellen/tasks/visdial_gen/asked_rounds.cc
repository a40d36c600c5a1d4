// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/asked_rounds.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/questions/answer_list.h"
#include "snellen/tasks/dialog_prompt.h"

namespace snellen::tasks::visdial_gen {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr size_t kShown = 5;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// "2. yes", "2) yes" and "- yes" as "yes"; "2 dogs" stays.
std::string_view without_mark(std::string_view line) {
  size_t end = std::min(line.find_first_not_of("0123456789"), line.size());
  const bool is_number = end > 0 && end < line.size() && (line[end] == '.' || line[end] == ')');
  const bool is_dash = !line.empty() && (line[0] == '-' || line[0] == '*');
  if (is_dash) end = 0;
  if (!(is_number || is_dash) || end + 1 >= line.size() || line[end + 1] != ' ') return line;
  return trimmed(line.substr(end + 1));
}

}  // namespace

AskedRounds::AskedRounds(const std::filesystem::path& dialogs,
                         std::span<const annotations::DialogKey> keys,
                         size_t num_answers)
    : dialogs_(dialogs), num_answers_(num_answers) {
  std::vector<annotations::KeyedEntry> known(dialogs_.num_rounds());
  for (size_t i = 0; i < known.size(); ++i) known[i] = {dialogs_.key(i), static_cast<uint32_t>(i)};
  annotations::sort_by_key(known, dialogs);
  std::string missing;
  size_t num_missing = 0;
  for (const annotations::DialogKey& key : keys) {
    const auto found =
        std::lower_bound(known.begin(), known.end(), key, [](const auto& one, const auto& k) {
          return one.key < k;
        });
    if (found != known.end() && found->key == key) {
      rounds_.push_back(found->entry);
      continue;
    }
    if (++num_missing <= kShown)
      missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", key.image_id, key.round_id);
  }
  if (num_missing > 0)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("has no round for {} of the references: {}{}",
                            num_missing,
                            missing,
                            num_missing > kShown ? ", ..." : ""),
                dialogs.string(),
                "name the dialogs that the reference sets were made of"};
}

std::string AskedRounds::prompt(size_t key) const {
  const size_t round = rounds_.at(key);
  std::string prompt =
      num_answers_ == 1
          ? std::string(
                "Two people talk about a picture. Answer the last question in a few words, as a "
                "person in a chat would.\n")
          : fmt::format(
                "Two people talk about a picture. Give {} different answers to the last question, "
                "one per line, each in a few words, as a person in a chat would.\n",
                num_answers_);
  prompt += dialog_before(dialogs_, round);
  return prompt += dialogs_.questions()[dialogs_.round(round).question];
}

std::string AskedRounds::image_name(size_t key) const {
  return dialogs_.image_name(dialogs_.dialog_of(rounds_.at(key)));
}

std::vector<std::string> answers_in(std::string_view reply, size_t num_answers) {
  if (auto given = questions::texts_of_list(reply)) return *std::move(given);
  std::vector<std::string> answers;
  for (size_t at = 0; at <= reply.size();) {
    const size_t end = std::min(reply.find('\n', at), reply.size());
    const std::string_view line = trimmed(reply.substr(at, end - at));
    at = end + 1;
    if (line.empty()) continue;
    if (num_answers > 1) {
      answers.emplace_back(without_mark(line));
      if (answers.size() == num_answers) break;
    } else if (answers.empty()) {
      answers.emplace_back(line);
    } else {
      (answers[0] += ' ') += line;
    }
  }
  return answers;
}

}  // namespace snellen::tasks::visdial_gen
