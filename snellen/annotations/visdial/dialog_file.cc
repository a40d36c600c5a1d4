// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/dialog_file.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/annotations/visdial/dialog_entry.h"
#include "snellen/base/error.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

// What an optional key holds; refused where it is there and of another kind.
template <typename T, typename Fail>
std::optional<T> checked_in(dom::object object, const char* key, const char* kind, Fail fail) {
  dom::element element;
  if (object.at_key(key).get(element) != simdjson::SUCCESS) return std::nullopt;
  T value;
  if (element.get(value) != simdjson::SUCCESS) fail(fmt::format("'{}' is not {}", key, kind));
  return value;
}

// A text of JSON's own spelling, without its quotes.
std::optional<std::string> plain_text(dom::parser& parser, std::string_view json) {
  std::string_view text;
  if (parser.parse(json.data(), json.size()).get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

}  // namespace

DialogFile::Texts DialogFile::read_texts(const std::filesystem::path& path, const char* key) {
  const formats::JsonElements elements(path, fmt::format("data/{}", key));
  dom::parser parser;
  Texts texts;
  texts.ids.reserve(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::optional<std::string> text = plain_text(parser, elements.element(i));
    if (!text) throw_at(path, i, fmt::format("'{}' holds something that is no text", key));
    texts.ids.push_back(texts.pool.add(*text));
  }
  return texts;
}

DialogFile::DialogFile(const std::filesystem::path& path) : dialogs_(path, "data/dialogs") {
  read_header();
  Texts questions = read_texts(path, "questions");
  Texts answers = read_texts(path, "answers");
  questions_ = std::move(questions.pool);
  question_ids_ = std::move(questions.ids);
  answers_ = std::move(answers.pool);
  answer_ids_ = std::move(answers.ids);
  first_rounds_.push_back(0);
  for (size_t i = 0; i < dialogs_.size(); ++i) read_dialog(i);
  std::vector<KeyedEntry> keys;
  for (size_t i = 0; i < image_ids_.size(); ++i)
    keys.push_back({{image_ids_[i], 0}, static_cast<uint32_t>(i)});
  sort_by_key(keys, path);
}

void DialogFile::read_header() {
  const formats::JsonElements top(path());
  dom::parser parser;
  for (size_t i = 0; i < top.size(); ++i) {
    std::string* wanted = top.key(i) == "version" ? &version_
                          : top.key(i) == "split" ? &split_
                                                  : nullptr;
    if (wanted == nullptr) continue;
    const std::optional<std::string> text = plain_text(parser, top.element(i));
    if (!text)
      throw Error{
          ErrorCode::kInvalidInput, fmt::format("'{}' is not a text", top.key(i)), path().string()};
    *wanted = *text;
  }
  const bool is_plain = std::all_of(split_.begin(), split_.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  // The split becomes part of file names.
  if (split_.empty() || !is_plain)
    throw Error{ErrorCode::kInvalidInput,
                "'split' is not a name of letters and digits",
                path().string(),
                "check that this is a VisDial file"};
}

uint32_t DialogFile::id_at(std::span<const uint32_t> ids,
                           int64_t place,
                           size_t dialog,
                           const char* key) const {
  if (place < 0 || static_cast<uint64_t>(place) >= ids.size())
    throw_at(path(), dialog, fmt::format("'{}' is {}, the list has {}", key, place, ids.size()));
  return ids[static_cast<size_t>(place)];
}

void DialogFile::read_dialog(size_t dialog) {
  auto fail = [&](const std::string& why) { throw_at(path(), dialog, why); };
  const Result<dom::object> object = parse_object(dialogs_.element(dialog), "");
  if (!object) fail(object.error().message());
  const std::optional<int64_t> image_id = integer_in(*object, "image_id");
  if (!image_id) fail("'image_id' is not a whole number");
  const std::optional<dom::array> rounds = list_in(*object, "dialog");
  if (!rounds) fail("'dialog' is not a list");
  if (!text_in(*object, "caption")) fail("'caption' is not a text");
  if (rounds->size() > kMostRounds)
    fail(fmt::format(
        "the dialog has {} rounds, at most {} are expected", rounds->size(), kMostRounds));
  size_t num_read = 0;
  for (const dom::element element : *rounds) {
    dom::object round;
    if (element.get(round) != simdjson::SUCCESS) fail("a round is not an object");
    const bool is_last = ++num_read == rounds->size();
    const std::optional<int64_t> question = integer_in(round, "question");
    if (!question) fail("'question' is not a whole number");
    DialogRound read{
        .question = id_at(question_ids_, *question, dialog, "question"), .answer = {}, .given = {}};
    const auto answer = checked_in<int64_t>(round, "answer", "a whole number", fail);
    // The test split asks the last question and keeps its answer.
    if (!answer && !is_last) fail(fmt::format("'answer' is missing in round {}", num_read));
    if (answer) read.answer = id_at(answer_ids_, *answer, dialog, "answer");
    const auto given = checked_in<int64_t>(round, "gt_index", "a whole number", fail);
    if (const auto options = checked_in<dom::array>(round, "answer_options", "a list", fail)) {
      if (options->size() != kNumCandidates)
        fail(fmt::format(
            "'answer_options' has {} entries, expected {}", options->size(), kNumCandidates));
      int64_t at_given = -1;
      int64_t place = 0;
      for (const dom::element option : *options) {
        int64_t value = 0;
        if (option.get(value) != simdjson::SUCCESS)
          fail("'answer_options' holds something that is no whole number");
        id_at(answer_ids_, value, dialog, "answer_options");
        if (given && place == *given) at_given = value;
        ++place;
      }
      if (answer && !given) fail(fmt::format("'gt_index' is missing in round {}", num_read));
      if (given && (*given < 0 || *given >= place))
        fail(fmt::format("'gt_index' is {}, expected 0 to {}", *given, place - 1));
      if (given && answer && at_given != *answer)
        fail(fmt::format("'gt_index' points at answer {}, 'answer' is {}", at_given, *answer));
      if (given) read.given = static_cast<uint32_t>(*given);
      read.has_candidates = true;
    }
    rounds_.push_back(read);
  }
  image_ids_.push_back(*image_id);
  first_rounds_.push_back(rounds_.size());
}

std::string DialogFile::caption(size_t dialog) const {
  const Result<dom::object> object = parse_object(dialogs_.element(dialog), "");
  return std::string(text_in(object.value(), "caption").value_or(""));
}

size_t DialogFile::dialog_of(size_t round) const {
  SNELLEN_CHECK(round < rounds_.size());
  return static_cast<size_t>(std::upper_bound(first_rounds_.begin(), first_rounds_.end(), round) -
                             first_rounds_.begin()) -
         1;
}

DialogKey DialogFile::key(size_t round) const {
  const size_t dialog = dialog_of(round);
  return {image_ids_[dialog], static_cast<int32_t>(round - first_rounds_[dialog])};
}

std::vector<std::vector<uint32_t>> DialogFile::candidates(size_t dialog) const {
  const Result<dom::object> object = parse_object(dialogs_.element(dialog), "");
  std::vector<std::vector<uint32_t>> all;
  const std::optional<dom::array> rounds = list_in(object.value(), "dialog");
  SNELLEN_CHECK(rounds.has_value());
  for (const dom::element element : *rounds) {
    dom::object round;
    if (element.get(round) != simdjson::SUCCESS) throw_at(path(), dialog, "the file was changed");
    std::vector<uint32_t>& ids = all.emplace_back();
    const std::optional<dom::array> options = list_in(round, "answer_options");
    if (!options) continue;
    for (const dom::element option : *options) {
      int64_t value = -1;
      if (option.get(value) != simdjson::SUCCESS) value = -1;
      ids.push_back(id_at(answer_ids_, value, dialog, "answer_options"));
    }
  }
  return all;
}

std::string DialogFile::image_name(size_t dialog) const {
  return fmt::format(
      "{}_{}_{:012}.jpg", version_ == "0.9" ? "COCO" : "VisualDialog", split_, image_ids_[dialog]);
}

}  // namespace snellen::annotations
