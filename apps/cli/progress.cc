// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.h"
#include "apps/cli/print.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace snellen::cli {
namespace {

constexpr double kSecondsBeforeDrawing = 2.0;
constexpr double kSecondsBetween = 0.2;
constexpr int kBarWidth = 24;

}  // namespace

std::string shown_time(double seconds) {
  auto whole = static_cast<uint64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02d} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02d} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

ProgressLine::ProgressLine()
    : is_terminal_(::isatty(STDERR_FILENO) != 0), last_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::draw(const run::Progress& progress) {
  if (!is_terminal_ || progress.seconds < kSecondsBeforeDrawing || progress.total == 0) return;
  auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < kSecondsBetween) return;
  last_ = now;
  is_drawn_ = true;
  double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  double rate = static_cast<double>(progress.done - progress.resumed) / progress.seconds;
  double left = rate > 0 ? static_cast<double>(progress.total - progress.done) / rate : 0;
  std::string bar(static_cast<size_t>(share * kBarWidth), '#');
  bar.resize(kBarWidth, '.');
  print_note(
      "\r\x1b[K[{}] {:3.0f} %  {}/{} items  {:.0f}/s  {} left{}{}",
      bar,
      100 * share,
      progress.done,
      progress.total,
      rate,
      shown_time(left),
      progress.failed > 0 ? fmt::format("  {} failed", progress.failed) : "",
      progress.limited_by.empty() ? "" : fmt::format("  limited by {}", progress.limited_by));
  std::fflush(stderr);
}

void ProgressLine::say(std::string_view line) const {
  print_note("{}{}\n", is_terminal_ ? "\r\x1b[K" : "", line);
}

}  // namespace snellen::cli
