// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/clip.h"

#include <algorithm>
#include <map>

#include "snellen/media/video/clip_window.h"

namespace snellen::media {
namespace {

// One frame of the window. `number` counts from where decoding began.
struct Entry {
  int64_t number = 0;
  int64_t pts = 0;
  VideoFrame frame;  // empty when too many bytes would have been kept
};

class Selection {
 public:
  Selection(VideoReader& reader, const ClipWindow& window, const ClipRules& rules)
      : reader_(reader), window_(window), rules_(rules) {}

  Result<bool> find();
  // Gives the entries at `positions` in that order, decoding once more what was not kept.
  Result<bool> give(const FrameIndices& positions,
                    const std::function<Result<bool>(const VideoFrame&)>& take);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Result<bool> start();
  Result<bool> scan();
  void add(Entry entry);
  void stop_keeping();
  Error nothing_found() const;
  bool is_by_number() const { return window_.unit == ClipUnit::kFrames; }

  VideoReader& reader_;
  ClipWindow window_;
  ClipRules rules_;
  TimestampRange range_;
  // By time; frames with one timestamp replace each other in compat only.
  std::map<std::pair<int64_t, int64_t>, Entry> inside_;
  std::optional<Entry> before_;
  bool has_exact_start_ = false;
  bool has_later_ = false;
  int64_t last_end_ = 0;  // of the last frame seen
  int64_t num_kept_bytes_ = 0;
  bool keeps_ = true;
  std::vector<Entry> entries_;
};

Result<bool> Selection::start() {
  const bool is_inside = range_.first > reader_.info().start_pts.value_or(0);
  if (!is_by_number() && is_inside) return reader_.seek_before(range_.first);
  return true;
}

void Selection::stop_keeping() {
  keeps_ = false;
  for (auto& [key, entry] : inside_) entry.frame = VideoFrame();
  if (before_) before_->frame = VideoFrame();
}

void Selection::add(Entry entry) {
  const int64_t time = is_by_number() ? entry.number : entry.pts;
  has_later_ |= time > range_.last;
  has_exact_start_ |= time == range_.first;
  const bool is_inside = time >= range_.first && time <= range_.last;
  if (keeps_ && is_inside) {
    num_kept_bytes_ += entry.frame.num_bytes();
    if (num_kept_bytes_ > rules_.limits.max_kept_bytes) stop_keeping();
  }
  if (!keeps_) entry.frame = VideoFrame();
  if (time <= range_.last_before && (!before_ || time >= before_->pts)) {
    before_.emplace(Entry{entry.number, entry.pts, entry.frame.share()});
  }
  if (is_inside) {
    const int64_t order = rules_.is_compat && !is_by_number() ? 0 : entry.number;
    inside_.insert_or_assign({time, order}, std::move(entry));
  }
}

Result<bool> Selection::scan() {
  int num_past = 0;
  for (int64_t number = 0;; ++number) {
    auto next = reader_.next();
    if (!next) return next.error();
    VideoFrame frame = std::move(next).value();
    if (frame.is_empty()) return true;
    const int64_t pts = frame.pts();
    last_end_ = std::max(last_end_, pts + frame.duration());
    add({number, pts, std::move(frame)});
    if (is_by_number()) {
      if (number >= range_.last) return true;
    } else if (pts >= range_.last && pts > range_.last_before) {
      if (++num_past > kFramesPastTheEnd) return true;
    }
  }
}

Error Selection::nothing_found() const {
  const std::string end = window_.end ? fmt::format("{}", *window_.end) : "the end";
  return Error{ErrorCode::kInvalidInput,
               fmt::format("no frame between {} and {} {}",
                           window_.start.value_or(0),
                           end,
                           is_by_number() ? "(frame numbers)" : "s"),
               reader_.name(),
               "check the times against the video's length"};
}

Result<bool> Selection::find() {
  auto range = timestamp_range(window_, reader_.info(), rules_, reader_.name());
  if (!range) return range.error();
  range_ = *range;
  if (auto started = start(); !started) return started;
  if (auto scanned = scan(); !scanned) return scanned;
  if (before_) {
    // Default: only for an empty window, and not when the whole window lies after the end.
    const bool is_on_show = has_later_ || last_end_ > range_.last_before;
    const bool is_needed = rules_.is_compat ? !has_exact_start_ : inside_.empty() && is_on_show;
    if (is_needed) entries_.push_back(std::move(*before_));
  }
  for (auto& [key, entry] : inside_) entries_.push_back(std::move(entry));
  inside_.clear();
  if (entries_.empty()) return nothing_found();
  return true;
}

Result<bool> Selection::give(const FrameIndices& positions,
                             const std::function<Result<bool>(const VideoFrame&)>& take) {
  // How often each frame is still wanted; those not kept come by while decoding again.
  std::map<int64_t, int64_t> num_wanted;
  for (const int64_t position : positions)
    ++num_wanted[entries_[static_cast<size_t>(position)].number];
  std::map<int64_t, VideoFrame> at_hand;
  if (!keeps_) {
    if (auto rewound = reader_.rewind(); !rewound) return rewound;
    if (auto started = start(); !started) return started;
  }
  int64_t number = 0;
  for (const int64_t position : positions) {
    const Entry& entry = entries_[static_cast<size_t>(position)];
    if (keeps_) {
      if (auto taken = take(entry.frame); !taken) return taken;
      continue;
    }
    while (!at_hand.contains(entry.number)) {
      auto next = reader_.next();
      if (!next) return next.error();
      if (next->is_empty()) return nothing_found();
      if (num_wanted.contains(number)) at_hand.emplace(number, std::move(next).value());
      ++number;
    }
    if (auto taken = take(at_hand.at(entry.number)); !taken) return taken;
    if (--num_wanted[entry.number] == 0) at_hand.erase(entry.number);
  }
  return true;
}

}  // namespace

FrameIndices all_frames(std::span<const double> seconds) {
  FrameIndices indices;
  for (size_t i = 0; i < seconds.size(); ++i) indices.push_back(static_cast<int64_t>(i));
  return indices;
}

namespace {

// At most `count` of the frames, evenly from the first to the last: floor(i * (n - 1) / (count -
// 1)), as CLIP4Clip takes them (its slice_framepos 2). count at least 1.
FrameIndices evenly_among(const FrameIndices& frames, int64_t count) {
  const auto num_frames = static_cast<int64_t>(frames.size());
  if (num_frames <= count) return frames;
  FrameIndices kept;
  for (int64_t i = 0; i < count; ++i)
    kept.push_back(
        frames[static_cast<size_t>(count == 1 ? 0 : i * (num_frames - 1) / (count - 1))]);
  return kept;
}

}  // namespace

ChooseFrames chosen_by(const FrameSampler& sampler, WindowSampler* window) {
  return [sampler, window](std::span<const double> seconds) -> FrameIndices {
    const auto num_frames = static_cast<int64_t>(seconds.size());
    switch (sampler.kind) {
      case FrameSampler::Kind::kUniform:
        return uniform_frames(num_frames, sampler.num_frames);
      case FrameSampler::Kind::kWindow:
        SNELLEN_CHECK(window != nullptr);
        return window->next(num_frames, sampler.num_frames).indices;
      case FrameSampler::Kind::kAll:
        return all_frames(seconds);
      case FrameSampler::Kind::kRate: {
        FrameIndices all = frames_at_rate(seconds, sampler.fps, size_t{1} << 20);
        return sampler.num_frames > 0 ? evenly_among(all, sampler.num_frames) : all;
      }
    }
    return {};
  };
}

Result<Clip> read_clip(VideoReader& reader,
                       const ClipWindow& window,
                       const ChooseFrames& choose,
                       const ClipRules& rules) {
  Selection selection(reader, window, rules);
  if (auto found = selection.find(); !found) return found.error();
  const double unit = reader.info().time_base.value();
  std::vector<double> seconds;
  for (const Entry& entry : selection.entries())
    seconds.push_back(static_cast<double>(entry.pts) * unit);
  const FrameIndices positions = choose(seconds);
  Clip clip;
  clip.num_frames = static_cast<int64_t>(seconds.size());
  clip.average_rate = reader.info().average_rate;
  for (const int64_t position : positions) {
    SNELLEN_CHECK(position >= 0 && position < clip.num_frames);
    clip.seconds.push_back(seconds[static_cast<size_t>(position)]);
  }
  int64_t num_bytes = 0;
  auto given = selection.give(positions, [&](const VideoFrame& frame) -> Result<bool> {
    num_bytes += int64_t{3} * frame.width() * frame.height();
    if (num_bytes > rules.limits.max_clip_bytes) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} frames have more than {} bytes of RGB",
                               positions.size(),
                               rules.limits.max_clip_bytes),
                   reader.name(),
                   "sample fewer frames, or cut the clip first"};
    }
    auto image = reader.to_rgb(frame);
    if (!image) return image.error();
    clip.frames.push_back(std::move(image).value());
    return true;
  });
  if (!given) return given.error();
  return clip;
}

Result<Clip> read_clip(const std::filesystem::path& path,
                       const ClipWindow& window,
                       const ChooseFrames& choose,
                       const ClipRules& rules) {
  auto reader = VideoReader::open(path, rules.limits);
  if (!reader) return reader.error();
  VideoReader opened = std::move(reader).value();
  return read_clip(opened, window, choose, rules);
}

Result<bool> for_each_frame(VideoReader& reader,
                            const ClipWindow& window,
                            const ClipRules& rules,
                            const std::function<void(const VideoFrame&)>& take) {
  Selection selection(reader, window, rules);
  if (auto found = selection.find(); !found) return found;
  FrameIndices positions;
  for (size_t i = 0; i < selection.entries().size(); ++i)
    positions.push_back(static_cast<int64_t>(i));
  return selection.give(positions, [&](const VideoFrame& frame) -> Result<bool> {
    take(frame);
    return true;
  });
}

}  // namespace snellen::media
