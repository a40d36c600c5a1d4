// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/video_reader.h"

#include <algorithm>
#include <optional>

#include "snellen/media/video/clean_start.h"
#include "snellen/media/video/demuxer.h"
#include "snellen/media/video/frame_converter.h"

namespace snellen::media {

std::string ffmpeg_text(int code) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof text);
  return text;
}

void prepare_ffmpeg() {
  constexpr size_t kMostBytes = size_t{256} << 20;
  static const bool is_prepared = [] {
    av_log_set_level(AV_LOG_QUIET);
    av_max_alloc(kMostBytes);
    return true;
  }();
  static_cast<void>(is_prepared);
}

void AVFrameDeleter::operator()(AVFrame* frame) const {
  av_frame_free(&frame);
}

struct VideoReader::State {
  std::string name;
  VideoLimits limits;
  std::unique_ptr<ByteSource> source;
  std::optional<Demuxer> demuxer;
  Codec codec;
  Packet packet{av_packet_alloc()};
  FrameConverter converter;
  bool has_packet = false;  // `packet` waits to be decoded
  int64_t num_frames = 0;
  // Frames before it were cut off from what they refer to by a seek.
  std::optional<int64_t> first_sound_pts;
  std::optional<int64_t> next_pts;  // where a frame without a timestamp goes

  Result<bool> start();
  Result<bool> start_decoder();
  Result<bool> feed();
  Result<VideoFrame> receive();
  Result<bool> check(const AVFrame& frame) const;
  VideoFrame stamped(Frame frame);
  bool is_clean_start() const;
  bool try_seek(int64_t target, int64_t pts);
};

Result<bool> VideoReader::State::start() {
  demuxer.reset();
  codec.reset();
  has_packet = false;
  num_frames = 0;
  first_sound_pts.reset();
  next_pts.reset();
  auto opened = Demuxer::open(*source, name, limits);
  if (!opened) return opened.error();
  demuxer.emplace(std::move(opened).value());
  return start_decoder();
}

Result<bool> VideoReader::State::start_decoder() {
  const AVStream& stream = demuxer->stream();
  const AVCodec* kind = avcodec_find_decoder(stream.codecpar->codec_id);
  if (kind == nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("no decoder for {}", avcodec_get_name(stream.codecpar->codec_id)),
                 name,
                 "re-encode it as H.264"};
  }
  codec.reset(avcodec_alloc_context3(kind));
  SNELLEN_CHECK(codec != nullptr && packet != nullptr);
  int code = avcodec_parameters_to_context(codec.get(), stream.codecpar);
  codec->pkt_timebase = stream.time_base;
  codec->max_pixels = limits.max_pixels;
  codec->thread_count = 1;  // many files at once use the cores better
  if (code >= 0) code = avcodec_open2(codec.get(), kind, nullptr);
  if (code < 0) return damaged(name, fmt::format("cannot be decoded: {}", ffmpeg_text(code)));
  return true;
}

// Gives the decoder one more packet, or tells it that there are none.
Result<bool> VideoReader::State::feed() {
  if (!has_packet) {
    auto more = demuxer->next(*packet);
    if (source->is_late()) return too_slow(name, limits);
    if (!more) return more;
    has_packet = *more;
  }
  const int code = avcodec_send_packet(codec.get(), has_packet ? packet.get() : nullptr);
  if (has_packet) av_packet_unref(packet.get());
  has_packet = false;
  if (code < 0 && code != AVERROR_EOF && !limits.accepts_damaged) {
    return damaged(name, fmt::format("frame {} is damaged: {}", num_frames, ffmpeg_text(code)));
  }
  return true;
}

Result<bool> VideoReader::State::check(const AVFrame& frame) const {
  if (num_frames >= limits.max_frames) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("has more than {} frames", limits.max_frames),
                 name,
                 "cut the clip out first"};
  }
  if (frame.width <= 0 || frame.height <= 0 ||
      int64_t{frame.width} * frame.height > limits.max_pixels) {
    return damaged(name,
                   fmt::format("frame {} has {}x{} pixels, the limit is {} pixels",
                               num_frames,
                               frame.width,
                               frame.height,
                               limits.max_pixels));
  }
  const bool is_damaged =
      (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags != 0;
  if (is_damaged && !limits.accepts_damaged) {
    return damaged(name, fmt::format("frame {} is damaged", num_frames));
  }
  return true;
}

VideoFrame VideoReader::State::stamped(Frame frame) {
  int64_t duration = frame->pkt_duration;
  if (duration <= 0) {
    const AVStream& stream = demuxer->stream();
    const AVRational rate = stream.avg_frame_rate;
    const bool is_known = rate.num > 0 && rate.den > 0;
    duration = is_known ? av_rescale_q(1, av_inv_q(rate), stream.time_base) : 0;
  }
  int64_t pts = frame->best_effort_timestamp;
  if (pts == AV_NOPTS_VALUE) pts = next_pts.value_or(demuxer->info().start_pts.value_or(0));
  // Hostile times may be anything; sums of these stay within 64 bits.
  constexpr int64_t kFarthest = int64_t{1} << 60;
  pts = std::clamp(pts, -kFarthest, kFarthest);
  duration = std::clamp<int64_t>(duration, 0, kFarthest);
  next_pts = pts + duration;
  return VideoFrame(std::move(frame), pts, duration);
}

Result<VideoFrame> VideoReader::State::receive() {
  while (true) {
    if (source->is_late()) return too_slow(name, limits);
    Frame frame(av_frame_alloc());
    SNELLEN_CHECK(frame != nullptr);
    const int code = avcodec_receive_frame(codec.get(), frame.get());
    if (code == AVERROR_EOF) return VideoFrame();
    if (code == AVERROR(EAGAIN)) {
      if (auto fed = feed(); !fed) return fed.error();
      continue;
    }
    if (code < 0) {
      if (limits.accepts_damaged) continue;
      return damaged(name, fmt::format("frame {} is damaged: {}", num_frames, ffmpeg_text(code)));
    }
    VideoFrame stamped_frame = stamped(std::move(frame));
    if (first_sound_pts && stamped_frame.pts() < *first_sound_pts) continue;
    if (auto sound = check(*stamped_frame.get()); !sound) return sound.error();
    ++num_frames;
    return stamped_frame;
  }
}

bool VideoReader::State::is_clean_start() const {
  const AVCodecParameters& codec_facts = *demuxer->stream().codecpar;
  if (codec_facts.codec_id != AV_CODEC_ID_H264) return true;
  auto bytes = [](const uint8_t* data, int size) {
    return std::span(data, data ? static_cast<size_t>(size) : 0);
  };
  return has_idr_picture(bytes(packet->data, packet->size),
                         bytes(codec_facts.extradata, codec_facts.extradata_size));
}

// Goes to the key packet before `target`; only one that is shown by `pts` will do.
bool VideoReader::State::try_seek(int64_t target, int64_t pts) {
  if (!demuxer->seek(target)) return false;
  avcodec_flush_buffers(codec.get());
  auto more = demuxer->next(*packet);
  has_packet = more && *more;
  if (!has_packet || (packet->flags & AV_PKT_FLAG_KEY) == 0 || packet->pts == AV_NOPTS_VALUE ||
      packet->pts > pts || !is_clean_start()) {
    return false;
  }
  first_sound_pts = packet->pts;
  next_pts.reset();
  num_frames = 0;
  return true;
}

VideoReader::VideoReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

Result<VideoReader> VideoReader::open(const std::filesystem::path& path,
                                      const VideoLimits& limits) {
  auto state = std::make_unique<State>();
  state->name = path.string();
  state->limits = limits;
  auto source = ByteSource::open(path, limits, std::chrono::steady_clock::now() + limits.timeout);
  if (!source) return source.error();
  state->source = std::move(source).value();
  if (auto started = state->start(); !started) return started.error();
  return VideoReader(std::move(state));
}

Result<VideoReader> VideoReader::open_bytes(std::span<const uint8_t> bytes,
                                            std::string name,
                                            const VideoLimits& limits) {
  auto state = std::make_unique<State>();
  state->limits = limits;
  auto source =
      ByteSource::over(bytes, name, limits, std::chrono::steady_clock::now() + limits.timeout);
  if (!source) return source.error();
  state->name = std::move(name);
  state->source = std::move(source).value();
  if (auto started = state->start(); !started) return started.error();
  return VideoReader(std::move(state));
}

const std::string& VideoReader::name() const {
  return state_->name;
}

const VideoInfo& VideoReader::info() const {
  return state_->demuxer->info();
}

Result<VideoFrame> VideoReader::next() {
  return state_->receive();
}

Result<bool> VideoReader::seek_before(int64_t pts) {
  State& state = *state_;
  const int64_t start = info().start_pts.value_or(0);
  // Containers seek by decoding time, so that the first try may land on a key frame shown too late.
  if (state.demuxer->is_seekable()) {
    for (const int seconds_back : {0, 2, 10, 60}) {
      const int64_t target =
          pts - av_rescale_q(seconds_back, AVRational{1, 1}, state.demuxer->stream().time_base);
      if (target <= start) break;
      if (state.try_seek(target, pts)) return true;
      if (state.source->is_late()) return too_slow(state.name, state.limits);
    }
  }
  return rewind();
}

Result<bool> VideoReader::rewind() {
  return state_->start();
}

Result<Image> VideoReader::to_rgb(const VideoFrame& frame) {
  SNELLEN_CHECK(!frame.is_empty());
  Image image;
  if (state_->converter.to_image(*frame.get(), image)) return image;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} cannot be made into RGB", frame.pixel_format()),
               state_->name,
               "re-encode it as yuv420p"};
}

std::string video_support() {
  const unsigned version = avcodec_version();
  return fmt::format("FFmpeg's libavcodec {}.{}.{}",
                     AV_VERSION_MAJOR(version),
                     AV_VERSION_MINOR(version),
                     AV_VERSION_MICRO(version));
}

bool has_video_support() {
  return true;
}

}  // namespace snellen::media
