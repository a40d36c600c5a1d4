// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/visdial_file.h"

#include <fmt/format.h>

#include "snellen/base/python_json.h"

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
  std::string rounds;
  for (const Round& round : dialog.rounds) {
    std::vector<size_t> options;
    options.reserve(round.options.size());
    for (const std::string& option : round.options)
      options.push_back(index_of(option, answer_places_, answers_));
    rounds += fmt::format(
        "{}{{\"answer\": {}, \"gt_index\": {}, \"question\": {}, \"answer_options\": [{}]}}",
        rounds.empty() ? "" : ", ",
        options[round.answer_index],
        round.answer_index,
        index_of(round.question, question_places_, questions_),
        fmt::join(options, ", "));
  }
  dialogs_.add(fmt::format("{{\"image_id\": {}, \"dialog\": [{}], \"caption\": {}}}",
                           image_id,
                           rounds,
                           python_string(dialog.caption)));
  // One round a picture was annotated.
  const size_t round_id = image_id % dialog.rounds.size();
  add_dense(image_id, round_id, dialog.rounds[round_id]);
}

void VisdialFiles::add_dense(uint64_t image_id, size_t round_id, const Round& round) {
  std::vector<std::string> relevance;
  std::vector<int> members;
  std::vector<std::string> references;
  for (size_t i = 0; i < round.options.size(); ++i) {
    relevance.push_back(python_float(round.relevance[i]));
    members.push_back(round.relevance[i] > 0 ? 1 : 0);
    if (round.relevance[i] > 0) references.push_back(python_string(round.options[i]));
  }
  dense_.add(fmt::format("{{\"image_id\": {}, \"round_id\": {}, \"{}\": [{}]}}",
                         image_id,
                         round_id + 1,
                         split_ == "train" ? "relevance" : "gt_relevance",
                         fmt::join(relevance, ", ")));
  references_.add(
      fmt::format("{{\"image_id\": {}, \"round_id\": {}, \"refs\": [{}], \"in_cluster_idxs\": "
                  "[{}], \"question\": {}, \"gt_answer\": {}}}",
                  image_id,
                  round_id,
                  fmt::join(references, ", "),
                  fmt::join(members, ", "),
                  python_string(round.question),
                  python_string(round.answer)));
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
