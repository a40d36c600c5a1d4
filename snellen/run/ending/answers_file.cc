// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/answers_file.h"

#include <algorithm>
#include <utility>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/formats/json.h"

namespace snellen::run {
namespace {

using Json = nlohmann::ordered_json;

bool wants_answer(const questions::Question& question) {
  return question.wants == questions::Wants::kAnswer;
}

// The first item of each part tells.
bool asks_for_answers(const OpenTask& open) {
  uint64_t first = 0;
  for (const tasks::Part& part : open.parts) {
    const uint64_t position = std::exchange(first, first + part.num_items);
    if (part.num_items == 0) continue;
    const Result<tasks::Item> item = open.task->item(position);
    if (item && std::ranges::any_of(item->questions, wants_answer)) return true;
  }
  return false;
}

// What the task keeps of its items: of lists that have a value per answer that value.
void add_details(const store::Sample& sample, size_t place, Json& line) {
  const Json details = formats::parse_ordered_json(sample.detail.json());
  if (!details.is_object()) return;
  for (const auto& [name, value] : details.items()) {
    // The order of options is that of the question, however many answers it has.
    const bool is_per_answer =
        name != "presented" && value.is_array() && value.size() == sample.answers.size();
    line[name] = is_per_answer ? value[place] : value;
  }
}

void write_lines(const OpenTask& open, const store::Sample& sample, AtomicFile& file) {
  const Result<tasks::Item> item = open.task->item(sample.position);
  if (!item) return;
  size_t place = 0;
  for (const questions::Question& question : item->questions) {
    if (!wants_answer(question)) continue;
    Json line = {{"task", open.name}, {"id", sample.item}};
    if (question.visual < item->visuals.size()) line["image"] = item->visuals[question.visual].name;
    line["repeat"] = question.repeat;
    line["prompt_sha256"] = sha256_hex(item->texts[question.texts.front()].prompt);
    if (place < sample.answers.size()) {
      line["raw"] = sample.answers[place];
      add_details(sample, place, line);
    } else {
      line["error"] = sample.error ? sample.error->what() : "";
    }
    file.write(store::json_text(line) + "\n");
    ++place;
  }
}

}  // namespace

std::optional<std::filesystem::path> write_answers(const Ending& ending, store::Samples& samples) {
  if (std::ranges::none_of(ending.tasks, asks_for_answers)) return std::nullopt;
  const std::filesystem::path name = "answers.jsonl";
  AtomicFile file(ending.paths.folder / name);
  for (uint32_t task = 0; task < ending.tasks.size(); ++task) {
    if (!asks_for_answers(ending.tasks[task])) continue;
    samples.for_each(
        task,
        std::nullopt,
        [&](const store::Sample& sample) { write_lines(ending.tasks[task], sample, file); },
        store::Samples::Reading::kEverything);
  }
  file.commit();
  return name;
}

}  // namespace snellen::run
