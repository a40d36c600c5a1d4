// SPDX-License-Identifier: Apache-2.0
// One small owner for each FFmpeg handle. Only the sources of this folder that talk to FFmpeg
// include it.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>

#include "snellen/media/video/video_reader.h"

namespace snellen::media {

struct FormatInputDeleter {
  void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
};
struct FormatOutputDeleter {
  void operator()(AVFormatContext* format) const { avformat_free_context(format); }
};
struct CodecDeleter {
  void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
};
struct PacketDeleter {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
struct ScalerDeleter {
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};
struct IoDeleter {
  void operator()(AVIOContext* io) const {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
};

using FormatInput = std::unique_ptr<AVFormatContext, FormatInputDeleter>;
using FormatOutput = std::unique_ptr<AVFormatContext, FormatOutputDeleter>;
using Codec = std::unique_ptr<AVCodecContext, CodecDeleter>;
using Packet = std::unique_ptr<AVPacket, PacketDeleter>;
using Frame = std::unique_ptr<AVFrame, AVFrameDeleter>;
using Scaler = std::unique_ptr<SwsContext, ScalerDeleter>;
using Io = std::unique_ptr<AVIOContext, IoDeleter>;

// FFmpeg's words for one of its codes.
std::string ffmpeg_text(int code);

// What FFmpeg lets one set only for the whole process, set once: it prints nothing (libraries here
// never do), and no single allocation exceeds 256 MiB, because its MP4 demuxer believes the counts
// a file claims (found by fuzzing: 2 kB that ask for 3 GB). Safe from many threads.
void prepare_ffmpeg();

}  // namespace snellen::media
