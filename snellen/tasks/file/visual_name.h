// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "snellen/annotations/items/items_file.h"

namespace snellen::tasks::file {

// The name of a visual within a run, from which it can be made again: its path for a picture as it
// is; otherwise what is done to it follows behind tabs, which paths cannot hold:
// "a.mp4<TAB>t=1.5,3", "a.jpg<TAB>b=10,0,64,64<TAB>c=gauss:100<TAB>r=2".
std::string visual_name(const annotations::ItemVisual& visual);
// The visual of such a name.
annotations::ItemVisual visual_of_name(std::string_view name);

}  // namespace snellen::tasks::file
