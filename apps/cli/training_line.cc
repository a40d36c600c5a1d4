// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/training_line.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/progress.h"

namespace snellen::cli {
namespace {

constexpr double kSecondsBetween = 0.2;

}  // namespace

TrainingLine::TrainingLine()
    : is_terminal_(::isatty(STDERR_FILENO) != 0), last_(std::chrono::steady_clock::now()) {}

TrainingLine::~TrainingLine() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void TrainingLine::draw(const training::TrainingProgress& progress) {
  auto now = std::chrono::steady_clock::now();
  bool is_due = std::chrono::duration<double>(now - last_).count() >= kSecondsBetween;
  if (!is_terminal_ || !is_due) return;
  last_ = now;
  is_drawn_ = true;
  double seconds_a_step = progress.seconds / static_cast<double>(progress.done - progress.resumed);
  double left = static_cast<double>(progress.total - progress.done) * seconds_a_step;
  fmt::print(stderr,
             "\r\x1b[Kstep {}/{}  loss {:.4f}  lr {:.2e}  {:.0f} samples/s  {} left",
             progress.done,
             progress.total,
             progress.loss,
             progress.learning_rate,
             progress.samples_per_second,
             shown_time(left));
  std::fflush(stderr);
}

}  // namespace snellen::cli
