// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/vilma/foil_candidates.h"
#include "snellen/annotations/vilma/label_lists.h"
#include "snellen/annotations/vilma/rareact.h"
#include "snellen/base/files.h"
#include "snellen/builders/vilma/check.h"
#include "snellen/builders/vilma/item_check.h"
#include "snellen/text/words/verb_forms.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> paths_of(const std::string& lines) {
  std::vector<fs::path> paths;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    paths.emplace_back(lines.substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

std::string gerund_of(std::string_view verb) {
  return text::gerund(verb.substr(0, verb.find(' ')));
}

// "cutting a phone" -> "a phone": what follows the article, the article included.
std::string object_of(std::string_view sentence) {
  size_t first = std::string_view::npos;
  for (const std::string_view article : {" a ", " an ", " some "})
    first = std::min(first, sentence.find(article));
  return first == std::string_view::npos ? std::string() : std::string(sentence.substr(first + 1));
}

class RareCheck {
 public:
  explicit RareCheck(const builders::BuildRecord& record)
      : is_compat_(record.option("compat") == "true") {
    for (annotations::RareActRow& row : annotations::read_rareact(record.source("rareact")).rows) {
      nouns_.insert(row.noun);
      rows_.emplace(row.id, std::move(row));
    }
    for (const char* source : {"candidates", "mlm-outputs"}) {
      for (const fs::path& path : paths_of(record.source(source).string())) {
        const annotations::FoilCandidates file = annotations::read_foil_candidates(path);
        for (const auto& [key, list] : file.lists) {
          for (const annotations::FoilCandidate& one : list) add_candidate(key, one);
        }
      }
    }
    if (const fs::path seen = record.source("detections"); !seen.empty())
      detections_ = annotations::read_label_lists(seen);
  }

  void check(bool is_verb, ItemCheck& item) const {
    const int64_t id = item.integer("dataset_idx");
    const auto known = rows_.find(id);
    if (known == rows_.end())
      return item.broken("row-unknown", fmt::format("RareAct has no row {} with annotation 1", id));
    const annotations::RareActRow& row = known->second;
    item.expect(item.text("youtube_id") == row.video_id &&
                    item.integer("start_time") == row.start_s &&
                    item.integer("end_time") == row.end_s,
                "clip",
                fmt::format("is not that of row {}", id));
    const std::string caption = item.text("caption");
    const std::string foil = item.only_text("foils");
    item.expect(caption.starts_with(gerund_of(row.verb) + " ") &&
                    object_of(caption).find(row.noun) != std::string::npos,
                "caption",
                fmt::format("'{}' does not say '{} {}'", caption, row.verb, row.noun));
    item.expect(caption != foil || is_compat_, "foil-same", fmt::format("'{}'", caption));
    item.expect(is_verb || row.verb != "deseed", "verb-excluded", "'deseed' has no noun foils");
    if (is_verb) {
      check_verb_foil(row, foil, item);
    } else {
      check_noun_foil(row, foil, item);
    }
    if (item.has_proficiency()) check_proficiency(row, item);
  }

 private:
  void add_candidate(const std::string& key, const annotations::FoilCandidate& one) {
    if (one.label == "entailment") return;
    if (one.verb.empty()) {
      noun_candidates_[key].insert(one.noun);
    } else {
      verb_candidates_[key].insert(one.verb);
    }
  }

  using Words = std::map<std::string, std::set<std::string>>;

  static const std::set<std::string>* words_of(const Words& words,
                                               const annotations::RareActRow& row,
                                               const std::string& last) {
    const std::string pair = row.verb + " " + row.noun;
    for (const std::string& key : {pair, pair + "s", last}) {
      if (const auto found = words.find(key); found != words.end()) return &found->second;
    }
    return nullptr;
  }

  void check_verb_foil(const annotations::RareActRow& row,
                       const std::string& foil,
                       ItemCheck& item) const {
    const std::set<std::string>* words = words_of(verb_candidates_, row, row.noun);
    const bool is_known =
        words != nullptr && std::any_of(words->begin(), words->end(), [&](const std::string& verb) {
          return foil.starts_with(gerund_of(verb) + " ");
        });
    item.expect(is_known, "foil-candidate", fmt::format("'{}' uses no candidate", foil));
    item.expect(object_of(foil).find(row.noun) != std::string::npos,
                "foil-noun",
                fmt::format("'{}' is not about '{}'", foil, row.noun));
  }

  void check_noun_foil(const annotations::RareActRow& row,
                       const std::string& foil,
                       ItemCheck& item) const {
    item.expect(foil.starts_with(gerund_of(row.verb) + " "),
                "foil-verb",
                fmt::format("'{}' does not say '{}'", foil, row.verb));
    const std::set<std::string>* words = words_of(noun_candidates_, row, row.verb);
    const bool takes_any = row.verb == "move" || row.verb == "weigh";
    if (words == nullptr && takes_any) words = &nouns_;
    const std::string object = object_of(foil);
    bool is_known = false;
    bool is_seen = false;
    const auto seen = detections_.labels.find(std::to_string(row.id));
    for (const std::string& noun : words == nullptr ? std::set<std::string>() : *words) {
      const bool is_it = object.ends_with(" " + noun) || object.ends_with(" " + noun + "s");
      is_known = is_known || is_it;
      is_seen =
          is_seen || (is_it && seen != detections_.labels.end() && seen->second.contains(noun));
    }
    item.expect(is_known, "foil-candidate", fmt::format("'{}' uses no candidate", foil));
    item.expect(!is_seen, "foil-seen", fmt::format("'{}' was seen in the clip", foil));
  }

  void check_proficiency(const annotations::RareActRow& row, ItemCheck& item) const {
    const std::string caption = item.proficiency_caption();
    const std::string foil = item.proficiency_foil();
    item.expect(caption.find(row.noun) != std::string::npos,
                "proficiency-caption",
                fmt::format("'{}' is not about '{}'", caption, row.noun));
    item.expect(caption != foil, "proficiency-same", fmt::format("'{}'", caption));
    const auto seen = detections_.labels.find(std::to_string(row.id));
    bool is_known = false;
    for (const std::string& noun : nouns_) {
      const bool is_it = foil.ends_with(" " + noun) || foil.ends_with(" " + noun + "s");
      is_known = is_known || is_it;
      if (is_it && seen != detections_.labels.end() && seen->second.contains(noun))
        item.broken("proficiency-seen", fmt::format("'{}' was seen in the clip", noun));
    }
    item.expect(is_known, "proficiency-foil", fmt::format("'{}' names no noun of the rows", foil));
  }

  bool is_compat_;
  std::map<int64_t, annotations::RareActRow> rows_;
  std::set<std::string> nouns_;
  Words verb_candidates_;
  Words noun_candidates_;
  annotations::LabelLists detections_;
};

}  // namespace

builders::CheckReport check_rare_actions(const fs::path& folder,
                                         const builders::BuildRecord& record,
                                         const builders::Workers& workers) {
  const RareCheck rare(record);
  builders::CheckReport report;
  for (const bool is_verb : {true, false}) {
    const fs::path file =
        folder / (is_verb ? "rare-actions-verb-foils.json" : "rare-actions-noun-foils.json");
    if (!fs::exists(file)) continue;  // there were no candidates for it
    check_items(file, workers, report, [&](const std::string&, ItemCheck& item) {
      rare.check(is_verb, item);
    });
  }
  return report;
}

}  // namespace snellen::builders::vilma
