// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_rank/settings.h"

#include "snellen/base/error.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks::visdial_rank {

namespace fs = std::filesystem;

config::Block settings_block() {
  using config::option;
  using S = RankSettings;
  auto place = [](fs::path S::*member, const char* name, const char* help) {
    return option(member, name, help).identity(false).value("FILE");
  };
  return {
      S{},
      {place(&S::dialogs, "dialogs", "VisDial dialogs, 0.9 or 1.0"),
       place(&S::annotations,
             "annotations",
             "people's relevances of the candidates, for NDCG (default: no NDCG)"),
       place(&S::ranks, "ranks", "with `score`: ranks as the challenge server takes them"),
       option(&S::has_threshold,
              "threshold",
              "also part the scores of every round by Otsu's threshold"),
       option(&S::num_choices,
              "choices",
              "ask a chat model to choose among N answers, the recorded one and others drawn by "
              "--seed; 0: rank all by their scores")
           .range(0, 26)
           .omit_default()}};
}

RankSettings settings_of(const config::Options& options) {
  RankSettings settings = options.get<RankSettings>();
  const bool is_given = options.get<SharedSettings>().adapter == "given";
  auto fail = [](const char* what, const char* flag, const char* hint) {
    throw Error{ErrorCode::kUsage, what, flag, hint};
  };
  if (settings.dialogs.empty())
    fail("no dialogs are named", "--dialogs", "for example visdial_1.0_val.json");
  if (is_given && settings.ranks.empty())
    fail("no ranks are named", "--ranks", "name the file, or `run` the task with a model");
  if (!is_given && !settings.ranks.empty())
    fail("ranks are read by `score`", "--ranks", "leave it out, or use `snellen score`");
  if (is_given && settings.has_threshold)
    fail("a threshold needs scores, not ranks", "--threshold", "`run` the task with a model");
  if (settings.num_choices == 1)
    fail("one answer is no choice", "--choices", "for example --choices 10");
  if (settings.num_choices > 0 &&
      (is_given || settings.has_threshold || !settings.annotations.empty()))
    fail("a choice has no ranks and no scores", "--choices", "leave out the other settings");
  return settings;
}

}  // namespace snellen::tasks::visdial_rank
