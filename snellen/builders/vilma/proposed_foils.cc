// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/proposed_foils.h"

#include <algorithm>
#include <array>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/vilma/counting_texts.h"
#include "snellen/builders/vilma/exercise_foils.h"

namespace snellen::builders::vilma {
namespace {

constexpr std::array<std::string_view, 16> kDeterminers = {"a",
                                                           "an",
                                                           "the",
                                                           "his",
                                                           "her",
                                                           "their",
                                                           "its",
                                                           "one",
                                                           "two",
                                                           "three",
                                                           "four",
                                                           "some",
                                                           "these",
                                                           "those",
                                                           "another",
                                                           "this"};

bool is_determiner(std::string_view word) {
  return std::find(kDeterminers.begin(), kDeterminers.end(), word) != kDeterminers.end();
}

// One sentence of a video that is asked about or judged.
struct Asked {
  const annotations::QuvaVideo* video;
  size_t number;  // of its template
};

const annotations::QuvaVideo* find_video(std::span<const annotations::QuvaVideo> videos,
                                         std::string_view id) {
  const auto found =
      std::find_if(videos.begin(), videos.end(), [&](const auto& one) { return one.id == id; });
  return found == videos.end() ? nullptr : &*found;
}

std::vector<std::string> foils_for(const std::string& caption, const ProposedFoilOptions& options) {
  std::vector<std::string> foils;
  for (std::string& one : options.propose(caption)) {
    const bool is_new = one != caption && std::find(foils.begin(), foils.end(), one) == foils.end();
    if (is_new) foils.push_back(std::move(one));
  }
  return foils;
}

}  // namespace

std::vector<WordGap> object_gaps(std::string_view sentence) {
  std::vector<WordGap> gaps;
  for (size_t at = first_noun_phrase(sentence).size(); at < sentence.size();) {
    at = sentence.find_first_not_of(" ,", at);
    if (at == std::string_view::npos) break;
    const size_t end = std::min(sentence.find_first_of(" .,", at), sentence.size());
    if (!is_determiner(sentence.substr(at, end - at))) {
      at = std::max(end, at + 1);
      continue;
    }
    const std::string phrase = first_noun_phrase(sentence.substr(at));
    const size_t blank = phrase.rfind(' ');
    if (blank != std::string::npos) {
      std::string masked(sentence);
      masked.replace(at + blank + 1, phrase.size() - blank - 1, "[MASK]");
      gaps.push_back({std::move(masked), phrase.substr(blank + 1)});
    }
    at += std::max(phrase.size(), size_t{1});
  }
  return gaps;
}

void add_proposed_foils(std::span<const annotations::QuvaVideo> videos,
                        const ProposedFoilOptions& options,
                        const Workers& workers,
                        annotations::QuvaFoilPool& pool) {
  std::vector<Asked> asked;
  for (const annotations::QuvaVideo& video : videos) {
    const bool is_left_out = video.category == "exercise" && !options.includes_exercises;
    if (is_left_out || pool.videos.contains(video.id)) continue;
    for (size_t i = 0; i < video.templates.size(); ++i) asked.push_back({&video, i});
  }
  std::map<std::string, annotations::QuvaFoils, std::less<>> added;
  size_t num_done = 0;
  ordered_pipeline<std::vector<std::string>>(
      asked.size(),
      workers.num_threads,
      [&](uint64_t i) {
        return foils_for(without_count(asked[i].video->templates[asked[i].number]), options);
      },
      [&](std::vector<std::string>&& foils) {
        const Asked& one = asked[num_done++];
        if (!foils.empty()) added[one.video->id][one.number] = std::move(foils);
        workers.tell("proposed sentences", num_done, asked.size());
      },
      [] { return false; });
  pool.videos.merge(added);
}

size_t keep_passing_foils(std::span<const annotations::QuvaVideo> videos,
                          const FoilJudges& judges,
                          const Workers& workers,
                          annotations::QuvaFoilPool& pool) {
  struct Judged {
    std::string caption;
    std::vector<std::string>* foils;
  };
  std::vector<Judged> judged;
  for (auto& [id, by_template] : pool.videos) {
    const annotations::QuvaVideo* video = find_video(videos, id);
    for (auto& [number, foils] : by_template)
      if (video != nullptr && number < video->templates.size())
        judged.push_back({without_count(video->templates[number]), &foils});
  }
  size_t num_done = 0, num_gone = 0;
  ordered_pipeline<std::vector<std::string>>(
      judged.size(),
      workers.num_threads,
      [&](uint64_t i) {
        std::vector<std::string> kept = *judged[i].foils;
        std::erase_if(kept, [&](const std::string& foil) {
          return !judges.lets_pass(judged[i].caption, foil);
        });
        return kept;
      },
      [&](std::vector<std::string>&& kept) {
        std::vector<std::string>& foils = *judged[num_done++].foils;
        num_gone += foils.size() - kept.size();
        foils = std::move(kept);
        workers.tell("judged sentences", num_done, judged.size());
      },
      [] { return false; });
  for (auto& [id, by_template] : pool.videos)
    std::erase_if(by_template, [](const auto& entry) { return entry.second.empty(); });
  std::erase_if(pool.videos, [](const auto& entry) { return entry.second.empty(); });
  return num_gone;
}

}  // namespace snellen::builders::vilma
