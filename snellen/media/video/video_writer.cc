// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/video_writer.h"

#include <optional>

#include "snellen/base/files.h"
#include "snellen/media/video/frame_converter.h"

namespace snellen::media {
namespace {

AVRational av_rational(Rational value) {
  return {value.num, value.den};
}

bool takes(const AVCodec& encoder, AVPixelFormat format) {
  for (const AVPixelFormat* each = encoder.pix_fmts; each != nullptr && *each != AV_PIX_FMT_NONE;
       ++each) {
    if (*each == format) return true;
  }
  return encoder.pix_fmts == nullptr;
}

// The format to encode in: the frame's own where that works.
AVPixelFormat encoded_format(const AVCodec& encoder, const AVFrame& frame) {
  const auto own = static_cast<AVPixelFormat>(frame.format);
  const AVPixFmtDescriptor* facts = av_pix_fmt_desc_get(own);
  const bool is_rgb = (facts->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  const bool is_halved_width = facts->log2_chroma_w > 0 && frame.width % 2 != 0;
  const bool is_halved_height = facts->log2_chroma_h > 0 && frame.height % 2 != 0;
  if (!is_rgb && !is_halved_width && !is_halved_height && takes(encoder, own)) return own;
  const bool is_even = frame.width % 2 == 0 && frame.height % 2 == 0;
  return is_even || !takes(encoder, AV_PIX_FMT_YUV444P) ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P;
}

}  // namespace

struct VideoWriter::State {
  std::filesystem::path path;
  std::filesystem::path temporary;
  VideoWriteOptions options;
  FormatOutput format;
  const AVCodec* encoder = nullptr;
  Codec codec;
  AVStream* stream = nullptr;
  Packet packet{av_packet_alloc()};
  FrameConverter converter;
  std::optional<int64_t> last_pts;
  bool is_open = false;  // the temporary file is there

  ~State();
  [[noreturn]] void fail(const char* doing, int code) const;
  void choose_encoder();
  void start(const AVFrame& first);
  void open_encoder(const AVFrame& first);
  void open_file();
  void encode(const AVFrame* frame);
  void write(const AVFrame& frame, int64_t pts);
};

VideoWriter::State::~State() {
  if (format != nullptr && format->pb != nullptr) avio_closep(&format->pb);
  if (is_open) ::unlink(temporary.c_str());
}

void VideoWriter::State::fail(const char* doing, int code) const {
  throw Error{ErrorCode::kIo,
              fmt::format("{} failed: {}", doing, ffmpeg_text(code)),
              path.string(),
              "check the folder and the space left"};
}

void VideoWriter::State::choose_encoder() {
  prepare_ffmpeg();
  AVFormatContext* made = nullptr;
  avformat_alloc_output_context2(&made, nullptr, nullptr, path.c_str());
  format.reset(made);
  if (made == nullptr) {
    throw Error{ErrorCode::kUsage,
                fmt::format("no video format ends in '{}'", path.extension().string()),
                path.string(),
                "use .mp4, .mkv, .avi or .webm"};
  }
  const bool takes_h264 =
      avformat_query_codec(made->oformat, AV_CODEC_ID_H264, FF_COMPLIANCE_NORMAL) == 1;
  encoder = takes_h264 ? avcodec_find_encoder_by_name("libx264")
                       : avcodec_find_encoder(made->oformat->video_codec);
  if (encoder == nullptr) {
    throw Error{ErrorCode::kUsage,
                takes_h264 ? "FFmpeg here has no libx264" : "FFmpeg here has no encoder for it",
                path.string(),
                "install an FFmpeg built with libx264, as Debian's libavcodec59 is"};
  }
}

void VideoWriter::State::open_encoder(const AVFrame& first) {
  codec.reset(avcodec_alloc_context3(encoder));
  SNELLEN_CHECK(codec != nullptr && packet != nullptr);
  codec->width = first.width;
  codec->height = first.height;
  codec->pix_fmt = encoded_format(*encoder, first);
  codec->framerate = av_rational(options.rate);
  codec->time_base =
      options.time_base.num > 0 ? av_rational(options.time_base) : av_inv_q(codec->framerate);
  codec->sample_aspect_ratio = first.sample_aspect_ratio;
  codec->thread_count = 1;
  codec->flags |= AV_CODEC_FLAG_BITEXACT;
  if ((format->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
    codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  }
  if (first.colorspace == AVCOL_SPC_RGB) {
    // What swscale makes of RGB, said aloud so that every reader takes the same way back.
    codec->colorspace = AVCOL_SPC_SMPTE170M;
    codec->color_range = AVCOL_RANGE_MPEG;
  } else {
    codec->colorspace = first.colorspace;
    codec->color_range = first.color_range;
    codec->color_primaries = first.color_primaries;
    codec->color_trc = first.color_trc;
  }
  // Encoders without these options go by their own.
  av_opt_set(codec->priv_data, "preset", options.preset.c_str(), 0);
  // libx264's macroblock tree reads memory it never wrote when frames are small, so that the same
  // frames gave other bytes.
  av_opt_set_int(codec->priv_data, "mbtree", 0, 0);
  av_opt_set_int(codec->priv_data, "crf", options.crf, 0);
  if (std::string_view(encoder->name).starts_with("libvpx")) {
    codec->bit_rate = 0;  // constant quality
    av_opt_set_int(codec->priv_data, "cpu-used", 4, 0);
  }
  const int code = avcodec_open2(codec.get(), encoder, nullptr);
  if (code < 0) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("frames of {}x{} cannot be encoded as {}: {}",
                            first.width,
                            first.height,
                            encoder->name,
                            ffmpeg_text(code)),
                path.string(),
                "use another container, for instance .mp4"};
  }
}

void VideoWriter::State::open_file() {
  stream = avformat_new_stream(format.get(), nullptr);
  SNELLEN_CHECK(stream != nullptr);
  int code = avcodec_parameters_from_context(stream->codecpar, codec.get());
  if (code < 0) fail("describing the stream", code);
  stream->time_base = codec->time_base;
  stream->avg_frame_rate = codec->framerate;
  if (options.rotation_degrees != 0) {
    uint8_t* matrix =
        av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
    SNELLEN_CHECK(matrix != nullptr);
    av_display_rotation_set(reinterpret_cast<int32_t*>(matrix), options.rotation_degrees);
  }
  format->flags |= AVFMT_FLAG_BITEXACT;  // no times, no versions: the same frames, the same bytes
  temporary = half_written_path(path);
  code = avio_open(&format->pb, ("file:" + temporary.string()).c_str(), AVIO_FLAG_WRITE);
  if (code < 0) fail("creating the file", code);
  is_open = true;
  code = avformat_write_header(format.get(), nullptr);
  if (code < 0) fail("writing the header", code);
}

void VideoWriter::State::start(const AVFrame& first) {
  open_encoder(first);
  open_file();
}

// Null: what the encoder still holds.
void VideoWriter::State::encode(const AVFrame* frame) {
  int code = avcodec_send_frame(codec.get(), frame);
  if (code < 0) fail("encoding", code);
  while (true) {
    code = avcodec_receive_packet(codec.get(), packet.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    if (code < 0) fail("encoding", code);
    av_packet_rescale_ts(packet.get(), codec->time_base, stream->time_base);
    packet->stream_index = stream->index;
    code = av_interleaved_write_frame(format.get(), packet.get());
    if (code < 0) fail("writing", code);
  }
}

void VideoWriter::State::write(const AVFrame& frame, int64_t pts) {
  if (codec == nullptr) start(frame);
  if (frame.width != codec->width || frame.height != codec->height) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("a frame has {}x{} pixels, those before {}x{}",
                            frame.width,
                            frame.height,
                            codec->width,
                            codec->height),
                path.string(),
                "cut the video where its size changes"};
  }
  if (last_pts && pts <= *last_pts) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("timestamp {} comes after {}", pts, *last_pts),
                path.string(),
                "re-encode the source with ffmpeg first"};
  }
  last_pts = pts;
  Frame own = frame.format == codec->pix_fmt ? Frame(av_frame_clone(&frame))
                                             : converter.convert(frame, codec->pix_fmt);
  if (own == nullptr) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("frames cannot be made into {}", av_get_pix_fmt_name(codec->pix_fmt)),
                path.string()};
  }
  own->pts = pts;
  own->pict_type = AV_PICTURE_TYPE_NONE;  // the encoder chooses its own key frames
  encode(own.get());
}

VideoWriter::VideoWriter(std::filesystem::path path, VideoWriteOptions options)
    : state_(std::make_unique<State>()) {
  SNELLEN_CHECK(options.rate.num > 0 && options.rate.den > 0);
  state_->path = std::move(path);
  state_->options = std::move(options);
  state_->choose_encoder();
}

VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;

void VideoWriter::write(const Image& image, int64_t pts) {
  const Frame frame = frame_of(image);
  SNELLEN_CHECK(frame != nullptr);
  state_->write(*frame, pts);
}

void VideoWriter::write(const VideoFrame& frame, int64_t pts) {
  state_->write(*frame.get(), pts);
}

void VideoWriter::finish() {
  State& state = *state_;
  if (state.codec == nullptr) {
    throw Error{ErrorCode::kInvalidInput, "a video needs at least one frame", state.path.string()};
  }
  state.encode(nullptr);
  int code = av_write_trailer(state.format.get());
  if (code < 0) state.fail("writing the index", code);
  code = avio_closep(&state.format->pb);
  if (code < 0) state.fail("closing the file", code);
  rename_into_place(state.temporary, state.path);
  state.is_open = false;
}

}  // namespace snellen::media
