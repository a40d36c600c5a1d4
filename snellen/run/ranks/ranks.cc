// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ranks/ranks.h"

#include <algorithm>
#include <exception>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/version.h"
#include "snellen/formats/json.h"
#include "snellen/run/scoring.h"
#include "snellen/run/settings.h"
#include "snellen/run/stamp.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {
namespace {

using Json = nlohmann::ordered_json;

// The notes of so many are printed.
constexpr int kRanksShown = 8;

std::string difference_of_traits(const std::string& theirs, const std::string& mine) {
  if (theirs == mine) return {};
  Json there = formats::parse_ordered_json(theirs);
  return first_difference(there, Json::parse(mine));
}

// Runs something on a thread and keeps what it throws until it is joined.
class WatchedThread {
 public:
  explicit WatchedThread(std::function<void()> run)
      : thread_([this, run = std::move(run)] {
          try {
            run();
          } catch (...) {
            failure_ = std::current_exception();
          }
        }) {}
  // Rethrows.
  void join() {
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace

dist::ScoreItems score_of_rank(const RankWork& work) {
  return [work](const dist::Items& items,
                const dist::TakeSamples& take,
                const std::function<bool()>& is_stopped) {
    ItemList list{items.size(),
                  [&](uint64_t index) { return std::optional(work.plan[items[index]]); }};
    // A share may be small; all threads get some of it.
    const uint64_t num_turns = uint64_t{4} * work.settings.num_threads;
    const uint64_t batch_size =
        std::clamp<uint64_t>(items.size() / num_turns, 1, work.settings.batch_size);
    score_items(
        list, work.tasks, work.model, {batch_size, work.settings.num_threads, is_stopped}, take);
  };
}

std::string traits_of(const Ranks& ranks, const Json& identity) {
  Json traits;
  traits["instruction_set"] = ranks.instruction_set;
  traits["program"] = fmt::format("{} ({})", version(), revision());
  traits["identity"] = identity;
  return store::json_text(traits);
}

RankZero::RankZero(const Ranks& ranks)
    : ranks_(ranks),
      world_(2),
      own_end_(world_.join(0)),
      link_(ranks.link, *own_end_),
      coordinator_(link_) {}

void RankZero::score(std::vector<dist::Items> chunks,
                     const RankWork& work,
                     const Recording& recording,
                     const std::function<bool()>& is_stopped) {
  std::unique_ptr<dist::Link> own_link = world_.join(1);
  WatchedThread own([&] {
    dist::work(*own_link,
               {.open =
                    [&] {
                      return dist::OpenedRank{traits_, score_of_rank(work)};
                    },
                .is_stopped = is_stopped});
  });
  try {
    coordinator_.run(
        {.chunks = std::move(chunks),
         .difference =
             [this](const std::string& theirs) { return difference_of_traits(theirs, traits_); },
         .take = recording.take,
         .on_idle = recording.on_idle,
         .is_stopped = is_stopped});
  } catch (const std::exception&) {
    try {
      recording.flush();
    } catch (const std::exception&) {
      // The first failure is the one to be told.
    }
    throw;
  }
  // Before the own worker is waited for: after a signal there may be less than a second.
  recording.flush();
  own.join();
}

std::vector<std::string> RankZero::notes() const {
  std::vector<std::string> notes;
  const int num_shown = std::min(link_.size(), kRanksShown);
  for (int rank = 1; rank < num_shown; ++rank) {
    for (const std::string& note : coordinator_.notes(rank))
      notes.push_back(fmt::format("rank {}: {}", rank, note));
  }
  if (num_shown < link_.size())
    notes.push_back(
        fmt::format("the notes of ranks {} to {} are left out", num_shown, link_.size() - 1));
  const dist::MessageCounts& message_counts = coordinator_.message_counts();
  notes.push_back(fmt::format(
      "shared by {} ranks: {} messages with {:.1f} MB came to rank 0, which took {:.2f} of {:.2f} "
      "s "
      "to record them",
      link_.size(),
      message_counts.messages_in,
      static_cast<double>(message_counts.bytes_in) / 1e6,
      message_counts.seconds_busy,
      message_counts.seconds));
  return notes;
}

}  // namespace snellen::run
