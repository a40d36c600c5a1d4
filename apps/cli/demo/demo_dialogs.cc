// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/demo/demo_dialogs.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/cli/demo/demo_tables.h"
#include "apps/cli/print.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/base/rng.h"
#include "snellen/formats/json.h"
#include "snellen/report/table.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kWordDimensions = 64;
constexpr size_t kExamples = 3;
constexpr size_t kShownAnswers = 4;
constexpr std::array kRules = {"S", "M", "G"};
constexpr std::array kCounts = {1, 5};

json read_json(const fs::path& file) {
  json value = formats::parse_json(read_text_file(file));
  if (value.is_discarded()) throw Error{ErrorCode::kInvalidInput, "is no JSON", file.string()};
  return value;
}

// A vector for every word of the training texts, drawn by its letters: each word is a direction of
// its own, since the program brings no word vectors of others.
void write_word_vectors(const fs::path& dialogs, const fs::path& file) {
  if (fs::exists(file)) return;
  std::set<std::string> words;
  const annotations::DialogFile texts(dialogs);
  auto add = [&](std::string_view text) {
    std::string word;
    for (const char c : std::string(text) + " ") {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (is_letter) word += c;
      if (!is_letter && !word.empty()) words.insert(std::exchange(word, {}));
    }
  };
  for (uint32_t i = 0; i < texts.questions().size(); ++i) add(texts.questions()[i]);
  for (uint32_t i = 0; i < texts.answers().size(); ++i) add(texts.answers()[i]);
  for (size_t i = 0; i < texts.num_dialogs(); ++i) add(texts.caption(i));
  AtomicFile out(file);
  out.write(fmt::format("{{\"dim\": {}, \"vectors\": {{", kWordDimensions));
  bool is_first = true;
  for (const std::string& word : words) {
    Rng rng = Rng(0).fork("demo-word").fork(word);
    std::vector<std::string> numbers;
    for (size_t i = 0; i < kWordDimensions; ++i) numbers.push_back(python_float(rng.gauss()));
    out.write(fmt::format(
        "{}\n{}: [{}]", is_first ? "" : ",", json_string(word), fmt::join(numbers, ", ")));
    is_first = false;
  }
  out.write("}}\n");
  out.commit();
}

class Dialogs {
 public:
  Dialogs(DemoSteps& steps, const fs::path& world, const fs::path& output)
      : steps_(steps), folder_(world / "visdial"), output_(output) {}

  void run() {
    write_word_vectors(train(), output_ / "word_vectors.json");
    if (!fs::exists(output_ / "cca"))
      steps_.run({"train",
                  "cca",
                  "--dialogs",
                  train().string(),
                  "--word-vectors",
                  (output_ / "word_vectors.json").string(),
                  "--k",
                  std::to_string(kWordDimensions),
                  "--output",
                  (output_ / "cca").string()});
    if (!fs::exists(sets() / "build.json"))
      steps_.run({"build",
                  "densevisdial",
                  "--dialogs",
                  val().string(),
                  "--annotations",
                  annotations().string(),
                  "--projections",
                  (output_ / "cca").string(),
                  "--cluster-method",
                  "S,M,G,H",
                  "--eval-set",
                  "human",
                  "--out",
                  sets().string()});
    run_model({"--tasks",
               "visdial-rank",
               "--dialogs",
               val().string(),
               "--annotations",
               annotations().string(),
               "--name",
               "cca"});
    for (const int count : kCounts)
      run_model({"--tasks",
                 "visdial-gen",
                 "--training-dialogs",
                 train().string(),
                 "--dialogs",
                 val().string(),
                 "--references",
                 refs("S").string(),
                 "--k",
                 std::to_string(count),
                 "--no-meteor",
                 "--name",
                 fmt::format("cca-k{}", count)});
    Arguments overlap = {"score", "visdial-sets", "--references"};
    for (const char* rule : kRules) overlap.push_back(refs(rule).string());
    overlap.insert(overlap.end(),
                   {"--human",
                    refs("H").string(),
                    "--dialogs",
                    val().string(),
                    "--images",
                    pictures().string(),
                    "--name",
                    "sets",
                    "--output",
                    runs().string()});
    steps_.run(overlap);
  }

  std::string told(bool is_markdown) const {
    auto shown = [&](const report::Table& table) {
      return is_markdown ? table.as_markdown() : table.as_text(kTextWidth);
    };
    return fmt::format(
        "\n## Dialogs\n\n"
        "The two VisDial papers on the eyechart's dialogs, with 95 % intervals that take the "
        "rounds "
        "of a picture together. Word vectors are drawn at random, one direction per word, so that "
        "what is found comes from which words go together. The reference sets S, M and G beside "
        "those of the world's five people (H), in rounds that they judged:\n\n{}\n"
        "CCA ranks 100 candidates (without looking; chance: mean rank 50.5), and answers with "
        "those "
        "of the nearest training questions, judged by CIDEr against the sets S:\n\n{}\n"
        "Examples: {}\n",
        shown(set_table()),
        shown(model_table()),
        examples(is_markdown));
  }

 private:
  fs::path train() const { return folder_ / "visdial_1.0_train.json"; }
  fs::path val() const { return folder_ / "visdial_1.0_val.json"; }
  fs::path pictures() const { return folder_ / "VisualDialog_val2018"; }
  fs::path annotations() const { return folder_ / "visdial_1.0_val_dense_annotations.json"; }
  fs::path sets() const { return output_ / "densevisdial"; }
  fs::path refs(const std::string& rule) const {
    return sets() / fmt::format("refs_{}_human_val.json", rule);
  }
  fs::path runs() const { return output_ / "runs"; }

  void run_model(const Arguments& arguments) {
    Arguments all = {"run", "--model", "cca:" + (output_ / "cca").string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"--output", runs().string()});
    steps_.run(all);
  }

  // "0.512 [0.480, 0.543]".
  std::string value(const std::string& run, const std::string& id, int digits) const {
    const json results = read_json(runs() / run / "results.json");
    for (const json& metric : results.value("metrics", json::array())) {
      if (metric.value("id", "") != id || !metric["value"].is_number()) continue;
      std::string text = fmt::format("{:.{}f}", metric["value"].get<double>(), digits);
      if (metric["low"].is_number() && metric["high"].is_number())
        text += fmt::format(" [{:.{}f}, {:.{}f}]",
                            metric["low"].get<double>(),
                            digits,
                            metric["high"].get<double>(),
                            digits);
      return text;
    }
    return "-";
  }

  // "1 / 3 / 5 / 9 / 20": smallest, quartiles, largest.
  std::string sizes(const std::string& rule) const {
    std::vector<size_t> sizes;
    for (const json& entry : read_json(refs(rule))) sizes.push_back(entry.at("refs").size());
    if (sizes.empty()) return "-";
    std::sort(sizes.begin(), sizes.end());
    auto at = [&](size_t quarter) { return sizes[(sizes.size() - 1) * quarter / 4]; };
    return fmt::format("{} / {} / {} / {} / {}", at(0), at(1), at(2), at(3), at(4));
  }

  report::Table set_table() const {
    report::Table table({{"sets"},
                         {"precision"},
                         {"recall"},
                         {"IOU"},
                         {"mean size"},
                         {"sizes: least / quartiles / most"}});
    for (const char* rule : kRules) {
      const std::string id = fmt::format("visdial-sets/refs_{}_human_val/", rule);
      const std::string run = "sets-visdial-sets";
      table.add({rule,
                 value(run, id + "precision", 3),
                 value(run, id + "recall", 3),
                 value(run, id + "iou", 3),
                 value(run, id + "size", 1),
                 sizes(rule)});
    }
    table.add({"H", "", "", "", "", sizes("H")});
    return table;
  }

  report::Table model_table() const {
    report::Table table({{"measure"}, {"value"}});
    const std::string ranks = "cca-visdial-rank";
    for (const auto& [name, digits] :
         {std::pair{"mean_rank", 2}, {"recall_1", 3}, {"recall_10", 3}, {"mrr", 3}, {"ndcg", 3}})
      table.add({name, value(ranks, fmt::format("visdial-rank/{}", name), digits)});
    for (const int count : kCounts)
      for (const int order : {1, 4})
        table.add({fmt::format("cider_{}, k = {}", order, count),
                   value(fmt::format("cca-k{}-visdial-gen", count),
                         fmt::format("visdial-gen/cider_{}", order),
                         4)});
    return table;
  }

  // Rounds whose sets are larger than the recorded answer alone, with their pictures where they can
  // be shown.
  std::string examples(bool is_markdown) const {
    std::string text;
    size_t shown = 0;
    const annotations::DialogFile dialogs(val());
    const json human = read_json(refs("H"));
    for (const json& entry : read_json(refs("S"))) {
      if (entry.at("refs").size() < 2 || shown == kExamples) continue;
      ++shown;
      std::vector<std::string> people;
      for (const json& one : human)
        if (one.at("image_id") == entry.at("image_id") &&
            one.at("round_id") == entry.at("round_id"))
          people = first_of(one.at("refs"));
      const size_t dialog = dialog_of(dialogs, entry.at("image_id").get<int64_t>());
      const fs::path picture =
          folder_ / fmt::format("VisualDialog_{}", dialogs.split()) / dialogs.image_name(dialog);
      if (is_markdown)
        text += fmt::format("\n\n![picture {}]({})\n",
                            entry.at("image_id").get<int64_t>(),
                            fs::proximate(picture, output_).string());
      text += fmt::format(
          "\n- picture {}, \"{}\", recorded answer \"{}\": of {} candidates ({}) S takes {} ({}), "
          "people took {}",
          entry.at("image_id").get<int64_t>(),
          entry.at("question").get<std::string>(),
          entry.at("gt_answer").get<std::string>(),
          entry.at("in_cluster_idxs").size(),
          fmt::join(first_of(candidates_of(dialogs, dialog, entry)), "; "),
          entry.at("refs").size(),
          fmt::join(first_of(entry.at("refs")), "; "),
          fmt::join(people, "; "));
    }
    return text;
  }

  static size_t dialog_of(const annotations::DialogFile& dialogs, int64_t image_id) {
    size_t dialog = 0;
    while (dialog + 1 < dialogs.num_dialogs() && dialogs.image_id(dialog) != image_id) ++dialog;
    return dialog;
  }

  // The texts that the round of a set chooses from.
  static json candidates_of(const annotations::DialogFile& dialogs,
                            size_t dialog,
                            const json& entry) {
    json texts = json::array();
    const auto rounds = dialogs.candidates(dialog);
    for (const uint32_t id : rounds.at(entry.at("round_id").get<size_t>()))
      texts.push_back(std::string(dialogs.answers()[id]));
    return texts;
  }

  static std::vector<std::string> first_of(const json& list) {
    std::vector<std::string> first;
    for (const json& one : list) {
      if (first.size() == kShownAnswers) return first.emplace_back("..."), first;
      first.push_back(one.get<std::string>());
    }
    return first;
  }

  DemoSteps& steps_;
  fs::path folder_;
  fs::path output_;
};

}  // namespace

void add_dialogs(DemoSteps& steps, const fs::path& world, const fs::path& output, bool is_silent) {
  Dialogs dialogs(steps, world, output);
  dialogs.run();
  const fs::path file = output / "report.md";
  write_text_file(file, read_text_file(file) + dialogs.told(/*is_markdown=*/true));
  if (!is_silent) fmt::print("{}", for_terminal(dialogs.told(/*is_markdown=*/false)));
}

}  // namespace snellen::cli
