// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/training_run.h"

#include "apps/cli/launch.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/train/probe_flags.h"
#include "apps/cli/train/training_line.h"
#include "apps/cli/train/training_summary.h"
#include "snellen/run/catalogue.h"

namespace snellen::cli {
namespace {

constexpr int kInterrupted = 130;
constexpr int kFailedItems = 4;
// Ranks that have trained together end together.
constexpr double kSecondsToLeave = 60;

}  // namespace

int run_training(const Context& context,
                 const training::TrainingSettings& settings,
                 const std::function<training::TrainingSummary(training::Session&)>& verb) {
  const dist::Launch launch = this_launch();
  const std::unique_ptr<dist::Group> group = dist::join_group(launch);
  TrainingLine line;
  stop_on_signals();
  training::Session session(
      {.group = *group,
       .gpu = dist::gpu_of(launch, *group),
       .installation = context.catalogue.installation,
       .probes = open_probe_tasks(context, settings),
       .is_stopped = is_stop_requested,
       .on_progress = [&](const training::TrainingProgress& done) { line.draw(done); },
       .on_asked = [&](uint64_t done, uint64_t total) { line.draw_evaluation(done, total); },
       .on_evaluation = [&] { write_curves(settings.output); }});
  const training::TrainingSummary summary = verb(session);
  if (group->rank() == 0) print_summary(context, settings, summary, write_curves(settings.output));
  (void)group->leave(kSecondsToLeave);
  if (!summary.is_complete) return kInterrupted;
  return summary.num_replaced > 0 ? kFailedItems : 0;
}

}  // namespace snellen::cli
