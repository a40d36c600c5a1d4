// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/base/ordered_pipeline.h"

namespace snellen::run {

using snellen::ordered_pipeline;

}  // namespace snellen::run
