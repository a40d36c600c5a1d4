// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/densevisdial/generate.h"

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/cca/answer_finder.h"

namespace snellen::builders::densevisdial {
namespace {

// Texts as a JSON list.
std::string list_of(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ", ";
    append_python_string(list, text);
  }
  return list + "]";
}

void write_generations(const annotations::DialogFile& asked,
                       const std::vector<std::string>& lists,
                       const std::filesystem::path& path) {
  AtomicFile file(path);
  file.write("[");
  for (size_t i = 0; i < asked.num_rounds(); ++i) {
    const annotations::DialogKey key = asked.key(i);
    file.write(fmt::format("{}\n{{\"image_id\": {}, \"round_id\": {}, \"generations\": {}}}",
                           i == 0 ? "" : ",",
                           key.image_id,
                           key.round_id,
                           lists[asked.round(i).question]));
  }
  file.write("\n]\n");
  file.commit();
}

}  // namespace

std::string generations_name(size_t num_answers) {
  return fmt::format("gens_k{}.json", num_answers);
}

BuildReport generate(const cca::DialogModel& model,
                     const std::filesystem::path& training_dialogs,
                     const std::filesystem::path& dialogs,
                     const GenerationOptions& options,
                     const std::filesystem::path& folder,
                     const Workers& workers) {
  const annotations::DialogFile asked(dialogs);
  const cca::AnswerFinder finder(
      model, training_dialogs, options.is_compat, workers.num_threads, workers.observe);
  BuildReport report;
  report.counts = {{"generations", "distinct questions", asked.questions().size(), ""}};
  const cca::AnswerFinder::Lists answers =
      finder.answers(asked.questions(), options.counts, workers.observe);
  for (size_t i = 0; i < options.counts.size(); ++i) {
    // The answers of each distinct question, as they are written.
    std::vector<std::string> lists;
    for (const auto& by_count : answers) lists.push_back(list_of(by_count[i].texts));
    const size_t count = options.counts[i];
    const std::filesystem::path path = folder / generations_name(count);
    write_generations(asked, lists, path);
    report.files.push_back(path);
    report.counts.push_back({fmt::format("k = {}", count), "items", asked.num_rounds(), ""});
  }
  return report;
}

}  // namespace snellen::builders::densevisdial
