// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/demuxer.h"

#include <cmath>
#include <string_view>

#include "snellen/media/video/container_size.h"

namespace snellen::media {
namespace {

// Containers of single files. Playlists and the like (hls, concat, dash, sdp) are not among them:
// they would have other files or addresses opened.
constexpr const char* kFormats =
    "mov,mp4,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,ivf,m4v,h264,hevc,dv,nut,gif,apng,"
    "yuv4mpegpipe";
// How much is looked at to find out what the streams are.
constexpr int64_t kProbeBytes = int64_t{16} << 20;

constexpr Rational rational(AVRational value) {
  return {value.num, value.den};
}

int refuse_to_open(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

int is_late(void* source) {
  return static_cast<ByteSource*>(source)->is_late() ? 1 : 0;
}

int rotation_of(const AVStream& stream) {
  size_t size = 0;
  const uint8_t* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix == nullptr || size < 9 * sizeof(int32_t)) return 0;
  // FFmpeg's angle is counter-clockwise and in (-180, 180].
  const double turn = -av_display_rotation_get(reinterpret_cast<const int32_t*>(matrix));
  if (!std::isfinite(turn)) return 0;
  const int quarters = static_cast<int>(std::lround(turn / 90.0));
  return (quarters % 4 + 4) % 4 * 90;
}

}  // namespace

Error too_slow(const std::string& name, const VideoLimits& limits) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("reading took longer than {} ms", limits.timeout.count()),
               name,
               "re-encode the file, or raise the time limit"};
}

Error damaged(const std::string& name, std::string what) {
  return Error{
      ErrorCode::kInvalidInput, std::move(what), name, "download it again, or re-encode it"};
}

Result<Demuxer> Demuxer::open(ByteSource& source,
                              const std::string& name,
                              const VideoLimits& limits) {
  prepare_ffmpeg();
  const auto claimed = claimed_container_bytes(
      [&](int64_t offset, std::span<uint8_t> out) { return source.read_at(offset, out); },
      source.num_bytes());
  if (claimed && *claimed > source.num_bytes()) {
    return damaged(
        name, fmt::format("is cut short: it has {} bytes of {}", source.num_bytes(), *claimed));
  }
  Demuxer demuxer(source, name);
  if (auto opened = demuxer.open_container(limits); !opened) return opened.error();
  if (auto found = demuxer.find_streams(limits); !found) return found.error();
  if (auto chosen = demuxer.choose_stream(limits); !chosen) return chosen.error();
  demuxer.read_info();
  const double claimed_seconds = demuxer.info_.seconds.value_or(0);
  if (claimed_seconds > limits.max_seconds) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("lasts {:.0f} s, the limit is {:.0f} s", claimed_seconds, limits.max_seconds),
        name,
        "cut the clip out first"};
  }
  return demuxer;
}

Result<bool> Demuxer::open_container(const VideoLimits& limits) {
  AVFormatContext* format = avformat_alloc_context();
  SNELLEN_CHECK(format != nullptr);
  format->pb = source_->rewound();
  format->io_open = refuse_to_open;
  format->interrupt_callback = {is_late, source_};
  format->max_streams = static_cast<int>(limits.max_streams);
  format->probesize = kProbeBytes;
  AVDictionary* options = nullptr;
  av_dict_set(&options, "format_whitelist", kFormats, 0);
  const int code = avformat_open_input(&format, nullptr, nullptr, &options);
  av_dict_free(&options);
  if (code < 0) {  // `format` was freed
    if (source_->is_late()) return too_slow(name_, limits);
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("is not a video we can read: {}", ffmpeg_text(code)),
                 name_,
                 "re-encode it as mp4 with ffmpeg"};
  }
  format_.reset(format);
  return true;
}

Result<bool> Demuxer::find_streams(const VideoLimits& limits) {
  // The limits hold for the decoders that are tried here, too.
  std::vector<AVDictionary*> options(format_->nb_streams, nullptr);
  for (AVDictionary*& each : options) {
    av_dict_set_int(&each, "max_pixels", limits.max_pixels, 0);
    av_dict_set(&each, "threads", "1", 0);
  }
  const int code = avformat_find_stream_info(format_.get(), options.data());
  for (AVDictionary*& each : options) av_dict_free(&each);
  if (source_->is_late()) return too_slow(name_, limits);
  if (code < 0) return damaged(name_, fmt::format("has unreadable streams: {}", ffmpeg_text(code)));
  if (format_->nb_streams > limits.max_streams) {
    return damaged(
        name_,
        fmt::format("has {} streams, the limit is {}", format_->nb_streams, limits.max_streams));
  }
  return true;
}

Result<bool> Demuxer::choose_stream(const VideoLimits& limits) {
  bool has_cover = false;
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    AVStream* candidate = format_->streams[i];
    candidate->discard = AVDISCARD_ALL;
    info_.has_audio |= candidate->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (candidate->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) continue;
    if ((candidate->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
      has_cover = true;
    } else if (stream_ == nullptr) {
      stream_ = candidate;
    }
  }
  if (stream_ == nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 has_cover ? "has no video stream, only a cover picture" : "has no video stream",
                 name_,
                 "give a file with pictures in it"};
  }
  stream_->discard = AVDISCARD_DEFAULT;
  const AVCodecParameters& facts = *stream_->codecpar;
  if (facts.width <= 0 || facts.height <= 0) {
    return damaged(name_, "has a video stream without a size");
  }
  if (int64_t{facts.width} * facts.height > limits.max_pixels) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("frames have {}x{} pixels, the limit is {} pixels",
                             facts.width,
                             facts.height,
                             limits.max_pixels),
                 name_,
                 "scale it down first"};
  }
  return true;
}

void Demuxer::read_info() {
  const AVCodecParameters& facts = *stream_->codecpar;
  info_.container = format_->iformat->name;
  info_.codec = avcodec_get_name(facts.codec_id);
  const char* pixels = av_get_pix_fmt_name(static_cast<AVPixelFormat>(facts.format));
  info_.pixel_format = pixels == nullptr ? "unknown" : pixels;
  info_.width = facts.width;
  info_.height = facts.height;
  info_.rotation_degrees = rotation_of(*stream_);
  info_.time_base = rational(stream_->time_base);
  info_.average_rate = rational(stream_->avg_frame_rate);
  if (stream_->start_time != AV_NOPTS_VALUE) info_.start_pts = stream_->start_time;
  if (stream_->duration != AV_NOPTS_VALUE && stream_->duration > 0) {
    info_.seconds = static_cast<double>(stream_->duration) * info_.time_base.value();
  } else if (format_->duration != AV_NOPTS_VALUE && format_->duration > 0) {
    info_.seconds = static_cast<double>(format_->duration) / AV_TIME_BASE;
  }
  if (stream_->nb_frames > 0) info_.frames_claim = stream_->nb_frames;
  info_.num_streams = format_->nb_streams;
  info_.num_bytes = source_->num_bytes();
}

bool Demuxer::is_seekable() const {
  // Others guess timestamps from what came before.
  const std::string_view container = info_.container;
  return container.starts_with("mov,") || container.starts_with("matroska,");
}

Result<bool> Demuxer::next(AVPacket& packet) {
  while (true) {
    av_packet_unref(&packet);
    const int code = av_read_frame(format_.get(), &packet);
    if (code == AVERROR_EOF) return false;
    if (code < 0) return damaged(name_, fmt::format("cannot be read on: {}", ffmpeg_text(code)));
    if (packet.stream_index == stream_->index) return true;
  }
}

bool Demuxer::seek(int64_t pts) {
  return av_seek_frame(format_.get(), stream_->index, pts, AVSEEK_FLAG_BACKWARD) >= 0;
}

}  // namespace snellen::media
