// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/training_line.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/print.h"
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

bool TrainingLine::is_due() {
  auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || std::chrono::duration<double>(now - last_).count() < kSecondsBetween)
    return false;
  last_ = now;
  is_drawn_ = true;
  return true;
}

void TrainingLine::draw_evaluation(uint64_t done, uint64_t total) {
  auto now = std::chrono::steady_clock::now();
  if (done <= 1) evaluation_begin_ = now;
  if (!is_due()) return;
  double seconds = std::chrono::duration<double>(now - evaluation_begin_).count();
  double left =
      done > 1 ? seconds / static_cast<double>(done - 1) * static_cast<double>(total - done) : 0;
  print_note("\r\x1b[Kevaluating {}/{}  {} left", done, total, shown_time(left));
  std::fflush(stderr);
}

void TrainingLine::draw(const training::TrainingProgress& progress) {
  if (!is_due()) return;
  double seconds_per_step =
      progress.seconds / static_cast<double>(progress.done - progress.resumed);
  double left = static_cast<double>(progress.total - progress.done) * seconds_per_step;
  print_note("\r\x1b[Kstep {}/{}  loss {:.4f}  lr {:.2e}  {:.0f} samples/s  {} left",
             progress.done,
             progress.total,
             progress.loss,
             progress.learning_rate,
             progress.samples_per_second,
             shown_time(left));
  std::fflush(stderr);
}

}  // namespace snellen::cli
