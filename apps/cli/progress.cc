// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.h"
#include "apps/cli/print.h"

#include <cstdio>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace snellen::cli {
namespace {

constexpr double kSecondsBeforeDrawing = 1.0;
constexpr double kSecondsBetween = 0.2;
constexpr int kBarWidth = 16;
constexpr size_t kUsualWidth = 80;

// Columns of the terminal behind stderr.
size_t terminal_width() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsualWidth;
}

std::string shown_rate(uint64_t count, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(count) / seconds : 0;
  return fmt::format("{:.{}f}/s", rate, rate < 10 ? 1 : 0);
}

// What is counted, how fast, and how much of the time has passed. A model that works ahead counts
// what it computes; items follow at once.
struct Pace {
  explicit Pace(const run::Progress& progress) {
    const auto& ahead = progress.ahead;
    const uint64_t num_new = progress.done - progress.resumed;
    if (ahead.counts.empty()) {
      share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
      pieces = {fmt::format("{}/{} {}", progress.done, progress.total, progress.unit),
                shown_rate(num_new, progress.seconds)};
      const double left = static_cast<double>(progress.total - progress.done);
      if (num_new > 0) seconds_left = left * progress.seconds / static_cast<double>(num_new);
      return;
    }
    share = ahead.share;
    for (const auto& count : ahead.counts)
      pieces.push_back(fmt::format("{}/{} {}", count.done, count.total, count.unit));
    pieces.push_back(shown_rate(ahead.counts.front().done, ahead.seconds));
    if (share > 0) seconds_left = ahead.seconds * (1 - share) / share;
  }

  double share = 0;
  std::vector<std::string> pieces = {};
  std::optional<double> seconds_left = {};
};

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
  print_note("\r\x1b[K{}", progress_text(progress, terminal_width() - 1));
  std::fflush(stderr);
}

std::string progress_text(const run::Progress& progress, size_t width) {
  Pace pace(progress);
  std::string bar(static_cast<size_t>(pace.share * kBarWidth), '#');
  bar.resize(kBarWidth, '.');
  std::string text = fmt::format("[{}] {:3.0f} %", bar, 100 * pace.share);
  if (pace.seconds_left)
    pace.pieces.insert(pace.pieces.begin() + 1, shown_time(*pace.seconds_left) + " left");
  if (progress.failed > 0) pace.pieces.push_back(fmt::format("{} failed", progress.failed));
  if (!progress.limited_by.empty()) pace.pieces.push_back("limited by " + progress.limited_by);
  // What does not fit on the line any more is left out.
  for (const std::string& piece : pace.pieces) {
    if (text.size() + 2 + piece.size() > width) continue;
    text += "  " + piece;
  }
  return text.substr(0, width);
}

void ProgressLine::say(std::string_view line) const {
  print_note("{}{}\n", is_terminal_ ? "\r\x1b[K" : "", line);
}

}  // namespace snellen::cli
