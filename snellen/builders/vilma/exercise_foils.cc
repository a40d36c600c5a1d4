// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/exercise_foils.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "snellen/base/rng.h"
#include "snellen/builders/vilma/counting_texts.h"

namespace snellen::builders::vilma {
namespace {

constexpr std::array<std::string_view, 8> kPronouns = {
    "someone", "somebody", "something", "everyone", "he", "she", "it", "they"};
constexpr std::array<std::string_view, 24> kEnders = {
    "in",  "on",   "at",    "with", "of",     "by",     "from",  "and",
    "to",  "over", "under", "near", "behind", "beside", "while", "is",
    "are", "was",  "were",  "has",  "can",    "that",   "who",   "around"};
constexpr std::array<std::string_view, 4> kPlurals = {"men", "women", "people", "children"};

template <size_t N>
bool is_in(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string_view> words_of(std::string_view sentence) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < sentence.size();) {
    const size_t end = std::min(sentence.find_first_of(" .,", at), sentence.size());
    if (end > at) words.push_back(sentence.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// A word that cannot stand inside a noun phrase once it has its noun.
bool ends_phrase(std::string_view word) {
  return is_in(kEnders, word) || word.ends_with("ing") ||
         (word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") &&
          !word.ends_with("nis"));  // grass, cactus, tennis
}

enum class Gender { kNone, kMale, kFemale };

Gender gender_of(std::string_view subject) {
  for (const std::string_view word : words_of(subject)) {
    if (word == "man" || word == "boy" || word == "guy") return Gender::kMale;
    if (word == "woman" || word == "girl") return Gender::kFemale;
  }
  return Gender::kNone;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string with_word(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool is_whole =
        (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
    if (is_whole) text.replace(at, word.size(), by);
  }
  return text;
}

struct Exercise {
  const annotations::QuvaVideo* video;
  size_t template_number;
  std::string sentence;  // without its count
};

std::vector<Exercise> exercises_of(std::span<const annotations::QuvaVideo> videos) {
  std::vector<Exercise> exercises;
  for (const annotations::QuvaVideo& video : videos) {
    if (video.category != "exercise") continue;
    for (size_t i = 0; i < video.templates.size(); ++i) {
      if (video.templates[i].find("same") == std::string::npos)
        exercises.push_back({&video, i, without_count(video.templates[i])});
    }
  }
  return exercises;
}

// Another exercise's sentence, said of this one's subject.
std::string transferred(const std::string& sentence, const std::string& subject, bool is_compat) {
  const std::string other = first_noun_phrase(sentence);
  std::string foil = sentence;
  if (const size_t at = foil.find(other); !other.empty() && at != std::string::npos)
    foil.replace(at, other.size(), subject);
  if (is_compat) return foil;
  switch (gender_of(subject)) {
    case Gender::kMale:
      return with_word(std::move(foil), "her", "his");
    case Gender::kFemale:
      return with_word(std::move(foil), "his", "her");
    case Gender::kNone:
      break;
  }
  return foil;
}

std::vector<std::string> foils_of(const Exercise& exercise,
                                  const std::vector<Exercise>& exercises,
                                  const ExerciseFoilOptions& options) {
  std::vector<const Exercise*> others;
  for (const Exercise& other : exercises) {
    if (other.video->action != exercise.video->action) others.push_back(&other);
  }
  Rng rng = Rng(options.seed)
                .fork("vilma-exercise")
                .fork(exercise.video->id)
                .fork(exercise.template_number);
  rng.shuffle(std::span(others));
  const std::string subject = first_noun_phrase(exercise.sentence);
  std::vector<std::string> foils;
  for (const Exercise* other : others) {
    if (foils.size() == options.num_foils) break;
    std::string foil = transferred(other->sentence, subject, options.is_compat);
    const bool is_wanted =
        options.is_compat ||
        (foil != exercise.sentence && std::find(foils.begin(), foils.end(), foil) == foils.end());
    if (is_wanted) foils.push_back(std::move(foil));
  }
  return foils;
}

}  // namespace

std::string first_noun_phrase(std::string_view sentence) {
  const std::vector<std::string_view> words = words_of(sentence);
  if (words.empty()) return {};
  size_t end = 1;
  if (!is_in(kPronouns, words[0])) {
    // Right after a determiner a word in s is a plural noun, not a verb.
    for (; end < words.size(); ++end) {
      const bool is_plural = is_in(kPlurals, words[end]) || (end == 1 && ends_phrase(words[1]));
      if (is_plural && !is_in(kEnders, words[end])) {
        ++end;
        break;
      }
      if (ends_phrase(words[end])) break;
    }
  }
  const std::string_view last = words[end - 1];
  const auto length = static_cast<size_t>(last.data() + last.size() - words[0].data());
  return std::string(words[0].data(), length);
}

void add_exercise_foils(std::span<const annotations::QuvaVideo> videos,
                        const ExerciseFoilOptions& options,
                        annotations::QuvaFoilPool& pool) {
  const std::vector<Exercise> exercises = exercises_of(videos);
  std::map<std::string, annotations::QuvaFoils, std::less<>> added;
  for (const Exercise& exercise : exercises) {
    if (pool.videos.contains(exercise.video->id)) continue;
    std::vector<std::string> foils = foils_of(exercise, exercises, options);
    if (!foils.empty()) added[exercise.video->id][exercise.template_number] = std::move(foils);
  }
  pool.videos.merge(added);
}

}  // namespace snellen::builders::vilma
