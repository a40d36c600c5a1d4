// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/wordnet.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "snellen/base/files.h"
#include "snellen/base/parse_number.h"

namespace snellen::text::meteor {
namespace {

constexpr std::array<std::string_view, 4> kIndexFiles = {
    "index.noun", "index.verb", "index.adj", "index.adv"};
constexpr std::array<std::string_view, 4> kExceptionFiles = {
    "adj.exc", "adv.exc", "noun.exc", "verb.exc"};
constexpr int64_t kPartOfSpeech = 1'000'000'000;  // above every offset
constexpr size_t kMaxFileBytes = size_t{256} << 20;

using WordsByKey = std::map<std::string, std::string, std::less<>>;

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; at < line.size();) {
    size_t end = std::min(line.find(' ', at), line.size());
    if (end > at) fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

template <typename Visit>
void for_each_line(const std::filesystem::path& path, Visit visit) {
  std::string text = read_text_file(path, kMaxFileBytes);
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    visit(std::string_view(text).substr(at, end - at), ++number);
    at = end + 1;
  }
}

// lemma pos count ... offset{count}; lines of the licence start with a space.
void read_index(const std::filesystem::path& path, int64_t part_of_speech, WordsByKey& ids_of) {
  for_each_line(path, [&](std::string_view line, size_t number) {
    if (line.empty() || line.front() == ' ') return;
    std::vector<std::string_view> fields = fields_of(line);
    std::optional<size_t> given;
    if (fields.size() >= 3) given = parse_number<size_t>(fields[2]);
    const size_t count = given.value_or(0);
    bool is_good = given && count + 3 <= fields.size();
    std::string& ids = ids_of[is_good ? std::string(fields[0]) : std::string()];
    for (size_t i = fields.size() - count; is_good && i < fields.size(); ++i) {
      const int64_t offset = parse_number<int64_t>(fields[i]).value_or(-1);
      is_good = offset >= 0 && offset < kPartOfSpeech;
      ids += fmt::format("{}{}", ids.empty() ? "" : " ", part_of_speech * kPartOfSpeech + offset);
    }
    if (is_good) return;
    throw Error{ErrorCode::kInvalidInput,
                "is not a line of a WordNet index",
                fmt::format("{}: line {}", path.string(), number),
                "install Debian's wordnet-base again, or give METEOR's own tables"};
  });
}

// form base...; turned into base -> forms.
void read_exceptions(const std::filesystem::path& path, WordsByKey& forms_of) {
  for_each_line(path, [&](std::string_view line, size_t) {
    std::vector<std::string_view> fields = fields_of(line);
    for (size_t i = 1; i < fields.size(); ++i) {
      std::string& forms = forms_of[std::string(fields[i])];
      forms.append(forms.empty() ? "" : " ").append(fields[0]);
    }
  });
}

std::string join(const WordsByKey& words_of) {
  std::string text;
  for (const auto& [key, words] : words_of)
    text.append(key).append("\n").append(words).append("\n");
  return text;
}

}  // namespace

std::vector<std::filesystem::path> wordnet_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  files.reserve(kIndexFiles.size() + kExceptionFiles.size());
  for (std::string_view name : kIndexFiles) files.push_back(folder / name);
  for (std::string_view name : kExceptionFiles) files.push_back(folder / name);
  return files;
}

LexiconTexts lexicon_from_wordnet(const std::filesystem::path& folder) {
  WordsByKey ids_of;
  for (size_t i = 0; i < kIndexFiles.size(); ++i) {
    read_index(folder / kIndexFiles[i], static_cast<int64_t>(i) + 1, ids_of);
  }
  WordsByKey forms_of;
  for (std::string_view name : kExceptionFiles) read_exceptions(folder / name, forms_of);
  LexiconTexts texts;
  texts.synsets = join(ids_of);
  texts.exceptions = join(forms_of);
  texts.synsets_name = (folder / "index.*").string();
  texts.exceptions_name = (folder / "*.exc").string();
  return texts;
}

}  // namespace snellen::text::meteor
