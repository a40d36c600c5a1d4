// SPDX-License-Identifier: Apache-2.0
// Stands in for the reader and the writer in a build without FFmpeg: says what is missing.
#include "snellen/media/video/video_reader.h"
#include "snellen/media/video/video_writer.h"

namespace snellen::media {
namespace {

Error missing(std::string where) {
  return Error{ErrorCode::kUsage,
               "this build of snellen has no FFmpeg, so it cannot read or write video",
               std::move(where),
               "install libavcodec-dev, libavformat-dev and libswscale-dev and build with "
               "-DSNELLEN_FFMPEG=ON"};
}

}  // namespace

void AVFrameDeleter::operator()(AVFrame*) const {}

VideoFrame::VideoFrame(std::unique_ptr<AVFrame, AVFrameDeleter> frame,
                       int64_t pts,
                       int64_t duration)
    : frame_(std::move(frame)), pts_(pts), duration_(duration) {}
int VideoFrame::width() const {
  return 0;
}
int VideoFrame::height() const {
  return 0;
}
std::string VideoFrame::pixel_format() const {
  return "unknown";
}
int64_t VideoFrame::num_bytes() const {
  return 0;
}
std::vector<uint8_t> VideoFrame::planes() const {
  return {};
}
VideoFrame VideoFrame::share() const {
  return {};
}

struct VideoReader::State {
  std::string name;
  VideoInfo info;
};

VideoReader::VideoReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

Result<VideoReader> VideoReader::open(const std::filesystem::path& path, const VideoLimits&) {
  return missing(path.string());
}
Result<VideoReader> VideoReader::open_bytes(std::span<const uint8_t>,
                                            std::string name,
                                            const VideoLimits&) {
  return missing(std::move(name));
}
const std::string& VideoReader::name() const {
  return state_->name;
}
const VideoInfo& VideoReader::info() const {
  return state_->info;
}
Result<VideoFrame> VideoReader::next() {
  return missing(state_->name);
}
Result<bool> VideoReader::seek_before(int64_t) {
  return missing(state_->name);
}
Result<bool> VideoReader::rewind() {
  return missing(state_->name);
}
Result<Image> VideoReader::to_rgb(const VideoFrame&) {
  return missing(state_->name);
}

struct VideoWriter::State {};

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature of the real one
VideoWriter::VideoWriter(std::filesystem::path path, VideoWriteOptions) {
  throw missing(path.string());
}
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;
void VideoWriter::write(const Image&, int64_t) {}
void VideoWriter::write(const VideoFrame&, int64_t) {}
void VideoWriter::finish() {}

std::string video_support() {
  return "none: built without FFmpeg";
}

bool has_video_support() {
  return false;
}

}  // namespace snellen::media
