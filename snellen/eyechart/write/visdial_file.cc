// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/visdial_file.h"

#include <fmt/format.h>

#include "snellen/base/json_object.h"

namespace snellen::eyechart {
namespace {

std::string split_name(const std::string& split) {
  return split == "train" ? "train2018" : "val2018";
}

std::string list_json(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ",\n") + python_string(text);
  return list;
}

}  // namespace

VisdialFiles::VisdialFiles(const std::filesystem::path& folder, const std::string& split)
    : split_(split),
      dialogs_(
          folder / fmt::format("visdial_1.0_{}.json", split),
          fmt::format("{{\"version\": \"1.0\", \"split\": \"{}\", \"data\": {{\"dialogs\": [\n",
                      split_name(split)),
          ""),
      dense_(folder / fmt::format("visdial_1.0_{}_dense_{}.json",
                                  split,
                                  split == "train" ? "sample" : "annotations"),
             "[\n",
             "\n]\n"),
      references_(folder / fmt::format("refs_H_human_{}.json", split), "[\n", "\n]\n") {}

std::string VisdialFiles::picture_name(const std::string& split, uint64_t image_id) {
  return fmt::format("VisualDialog_{}_{:012d}.jpg", split_name(split), image_id);
}

size_t VisdialFiles::index_of(const std::string& text,
                              std::map<std::string, size_t>& places,
                              std::vector<std::string>& texts) {
  const auto [found, is_new] = places.try_emplace(text, texts.size());
  if (is_new) texts.push_back(text);
  return found->second;
}

void VisdialFiles::add(uint64_t image_id, const Dialog& dialog) {
  std::vector<JsonText> rounds;
  for (const Round& round : dialog.rounds) {
    std::vector<size_t> options;
    options.reserve(round.options.size());
    for (const std::string& option : round.options)
      options.push_back(index_of(option, answer_places_, answers_));
    rounds.push_back(
        python_object({{"answer", options[round.answer_index]},
                       {"gt_index", round.answer_index},
                       {"question", index_of(round.question, question_places_, questions_)},
                       {"answer_options", options}}));
  }
  dialogs_.add(
      python_object({{"image_id", image_id}, {"dialog", rounds}, {"caption", dialog.caption}})
          .text);
  // One round of each picture was annotated.
  const size_t round_id = image_id % dialog.rounds.size();
  add_dense(image_id, round_id, dialog.rounds[round_id]);
}

void VisdialFiles::add_dense(uint64_t image_id, size_t round_id, const Round& round) {
  std::vector<double> relevance;
  std::vector<int> members;
  std::vector<std::string> references;
  for (size_t i = 0; i < round.options.size(); ++i) {
    relevance.push_back(round.relevance[i]);
    members.push_back(round.relevance[i] > 0 ? 1 : 0);
    if (round.relevance[i] > 0) references.push_back(round.options[i]);
  }
  dense_.add(python_object({{"image_id", image_id},
                            {"round_id", round_id + 1},
                            {split_ == "train" ? "relevance" : "gt_relevance", relevance}})
                 .text);
  references_.add(python_object({{"image_id", image_id},
                                 {"round_id", round_id},
                                 {"refs", references},
                                 {"in_cluster_idxs", members},
                                 {"question", round.question},
                                 {"gt_answer", round.answer}})
                      .text);
}

void VisdialFiles::finish() {
  dialogs_.set_tail(fmt::format("\n],\n\"questions\": [\n{}\n],\n\"answers\": [\n{}\n]}}}}\n",
                                list_json(questions_),
                                list_json(answers_)));
  dialogs_.finish();
  dense_.finish();
  references_.finish();
}

}  // namespace snellen::eyechart
