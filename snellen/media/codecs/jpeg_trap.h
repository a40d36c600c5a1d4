// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

namespace snellen::media {

// Where libjpeg goes when it fails. It leaves by longjmp, which runs no destructors.
struct JpegTrap {
  jpeg_error_mgr manager;  // first, since libjpeg hands back a pointer to it
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] inline void escape_from_jpeg(j_common_ptr codec) {
  JpegTrap* trap = reinterpret_cast<JpegTrap*>(codec->err);
  trap->manager.format_message(codec, trap->message);
  std::longjmp(trap->escape, 1);
}

}  // namespace snellen::media
