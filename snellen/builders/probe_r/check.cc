// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/check.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/probe/probe_files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/parse_number.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders::probe_r {
namespace {

using annotations::ProbeRGroup;

constexpr uint64_t kGroupsAtOnce = 256;

std::string prompt_of(std::string_view s, std::string_view r, std::string_view o) {
  return fmt::format("A photo of a {} {} {}.", s, r, o);
}

// What stands between two texts; nothing when they do not enclose it.
std::optional<std::string> between(std::string_view text,
                                   std::string_view before,
                                   std::string_view after) {
  if (text.size() <= before.size() + after.size()) return std::nullopt;
  if (!text.starts_with(before) || !text.ends_with(after)) return std::nullopt;
  return std::string(text.substr(before.size(), text.size() - before.size() - after.size()));
}

std::vector<BrokenRule> rules_broken_by(const Facts& facts,
                                        int64_t image,
                                        const TripleWords& triple,
                                        const std::string& foil_subject_prompt,
                                        const std::string& foil_predicate_prompt,
                                        const FoilRules& rules) {
  std::vector<BrokenRule> broken;
  std::optional<std::string> subject =
      between(foil_subject_prompt,
              "A photo of a ",
              fmt::format(" {} {}.", triple.predicate, triple.object));
  if (!subject) {
    broken.push_back(
        {"subject-prompt", fmt::format("'{}' changes more than the subject", foil_subject_prompt)});
  } else {
    if (facts.is_seen({*subject, triple.predicate, triple.object}))
      broken.push_back(
          {"foil-subject-seen", fmt::format("'{}' is in Visual Genome", foil_subject_prompt)});
    if (facts.has_name(image, *subject))
      broken.push_back({"foil-subject-in-anchor", fmt::format("the anchor has a '{}'", *subject)});
    if (facts.images_of_subject(*subject) < std::max<uint64_t>(1, rules.min_object_images)) {
      broken.push_back(
          {"foil-subject-rare",
           fmt::format(
               "'{}' is no subject of at least {} images", *subject, rules.min_object_images)});
    }
  }
  std::optional<std::string> predicate = between(foil_predicate_prompt,
                                                 fmt::format("A photo of a {} ", triple.subject),
                                                 fmt::format(" {}.", triple.object));
  if (!predicate) {
    broken.push_back({"predicate-prompt",
                      fmt::format("'{}' changes more than the predicate", foil_predicate_prompt)});
  } else {
    if (facts.is_seen({triple.subject, *predicate, triple.object}))
      broken.push_back(
          {"foil-predicate-seen", fmt::format("'{}' is in Visual Genome", foil_predicate_prompt)});
    if (facts.count_of_predicate(*predicate) < std::max<uint64_t>(1, rules.min_predicate_count)) {
      broken.push_back(
          {"foil-predicate-rare",
           fmt::format("'{}' occurs fewer than {} times", *predicate, rules.min_predicate_count)});
    }
  }
  return broken;
}

struct GroupRules {
  FoilRules foils;
  size_t num_images = 10;
  bool reserves_relcomp = true;
};

// One list of images: its length, and each image's own rule.
template <typename Rule>
void check_images(const std::vector<int64_t>& ids,
                  const char* kind,
                  const GroupRules& rules,
                  int64_t anchor,
                  Rule rule,
                  std::vector<BrokenRule>& broken) {
  if (ids.size() != rules.num_images ||
      std::set<int64_t>(ids.begin(), ids.end()).size() != ids.size()) {
    broken.push_back(
        {fmt::format("{}-count", kind),
         fmt::format("{} images, expected {} different ones", ids.size(), rules.num_images)});
  }
  for (int64_t id : ids) {
    if (id == anchor)
      broken.push_back({fmt::format("{}-is-anchor", kind), fmt::format("image {}", id)});
    if (rules.reserves_relcomp && builders::is_reserved_for_relcomp(id))
      broken.push_back({"relcomp-image", fmt::format("{} image {} is kept for RelComp", kind, id)});
    rule(id);
  }
}

std::vector<BrokenRule> broken_by_group(const Facts& facts,
                                        const ProbeRGroup& group,
                                        const GroupRules& rules) {
  int64_t anchor = 0;
  std::from_chars(group.image_id.data(), group.image_id.data() + group.image_id.size(), anchor);
  std::vector<BrokenRule> broken =
      broken_rules(facts,
                   anchor,
                   group.positive_prompt,
                   group.negative_prompt,
                   group.negative_predicate_prompt,
                   rules.foils,
                   Subjects{group.positive_object, group.negative_object});
  if (!facts.has_relationships(anchor))
    broken.push_back({"anchor-unknown", "it has no relationships"});
  if (rules.reserves_relcomp && builders::is_reserved_for_relcomp(anchor))
    broken.push_back({"relcomp-image", fmt::format("anchor {} is kept for RelComp", anchor)});
  check_images(
      group.positive_image_ids,
      "positive",
      rules,
      anchor,
      [&](int64_t id) {
        if (!facts.has_name(id, group.positive_object)) {
          broken.push_back({"positive-lacks-subject",
                            fmt::format("image {} has no '{}'", id, group.positive_object)});
        }
        if (size_t count = facts.num_shared(anchor, id, group.positive_object)) {
          broken.push_back(
              {"positive-shares-object",
               fmt::format("image {} shares {} more names with the anchor", id, count)});
        }
      },
      broken);
  check_images(
      group.negative_image_ids,
      "negative",
      rules,
      anchor,
      [&](int64_t id) {
        if (!facts.has_name(id, group.negative_object)) {
          broken.push_back({"negative-lacks-subject",
                            fmt::format("image {} has no '{}'", id, group.negative_object)});
        }
        if (facts.has_name(id, group.positive_object)) {
          broken.push_back({"negative-has-subject",
                            fmt::format("image {} has a '{}'", id, group.positive_object)});
        }
      },
      broken);
  return broken;
}

}  // namespace

std::vector<BrokenRule> broken_rules(const Facts& facts,
                                     int64_t image,
                                     const std::string& prompt,
                                     const std::string& foil_subject_prompt,
                                     const std::string& foil_predicate_prompt,
                                     const FoilRules& rules,
                                     const std::optional<Subjects>& subjects) {
  std::optional<std::vector<BrokenRule>> fewest;
  for (const TripleWords& triple : facts.triples_read(image, prompt)) {
    if (subjects && subjects->subject != triple.subject) continue;
    std::vector<BrokenRule> broken =
        rules_broken_by(facts, image, triple, foil_subject_prompt, foil_predicate_prompt, rules);
    if (subjects &&
        foil_subject_prompt != prompt_of(subjects->foil, triple.predicate, triple.object)) {
      broken.push_back({"foil-subject-name",
                        fmt::format("'{}' is not in '{}'", subjects->foil, foil_subject_prompt)});
    }
    if (!fewest || broken.size() < fewest->size()) fewest = std::move(broken);
  }
  if (fewest) return *fewest;
  return {{"triple-unknown", fmt::format("'{}' is no relationship of image {}", prompt, image)}};
}

VisualGenome genome_of(const builders::BuildRecord& record) {
  return {.relationships = record.source("relationships"),
          .objects = record.source("objects"),
          .object_aliases = record.source("object-aliases"),
          .relationship_aliases = record.source("relationship-aliases")};
}

builders::CheckReport check(const std::filesystem::path& folder,
                            const builders::BuildRecord& record,
                            const builders::Workers& workers) {
  annotations::ProbeRFile file(folder / "relation_eval_subject.json");
  Facts facts(genome_of(record), workers);
  GroupRules rules{
      .foils = {.min_object_images =
                    parse_number<uint64_t>(record.option("min-object-images")).value_or(20),
                .min_predicate_count =
                    parse_number<uint64_t>(record.option("min-predicate-count")).value_or(1)},
      .num_images = parse_number<uint64_t>(record.option("num-images")).value_or(10),
      .reserves_relcomp = record.option("reserve-relcomp") != "false"};
  uint64_t count = file.elements().size();
  auto make = [&](uint64_t chunk) {
    builders::CheckReport part;
    uint64_t end = std::min(count, (chunk + 1) * kGroupsAtOnce);
    for (uint64_t i = chunk * kGroupsAtOnce; i < end; ++i) {
      ++part.num_groups;
      Result<ProbeRGroup> group = file.group(i);
      if (!group) {
        part.add({file.elements().where(i), "unreadable", group.error().message()});
        continue;
      }
      for (BrokenRule& broken : broken_by_group(facts, *group, rules))
        part.add({file.elements().where(i), std::move(broken.rule), std::move(broken.what)});
    }
    return part;
  };
  builders::CheckReport report;
  std::set<std::string_view> anchors;
  for (uint64_t i = 0; i < count; ++i) {
    if (!anchors.insert(file.elements().key(i)).second)
      report.add({file.elements().where(i), "anchor-twice", "this image has two groups"});
  }
  ordered_pipeline<builders::CheckReport>((count + kGroupsAtOnce - 1) / kGroupsAtOnce,
                                          workers.num_threads,
                                          make,
                                          [&](builders::CheckReport&& part) {
                                            report.add(std::move(part));
                                            workers.tell(
                                                "checking groups", report.num_groups, count);
                                          },
                                          [] { return false; });
  return report;
}

}  // namespace snellen::builders::probe_r
