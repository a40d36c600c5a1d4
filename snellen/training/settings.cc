// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/settings.h"

#include <algorithm>

namespace snellen::training {

bool ProbeSettings::wants_held_out_world() const {
  return std::find(probe_files.begin(), probe_files.end(), kHeldOutWorld) != probe_files.end();
}

TrainSettings::TrainSettings() {
  weight_decay = 0.05;
  beta2 = 0.98;
  clip_norm = 1;
}

FinetuneSettings::FinetuneSettings() {
  lr = 1e-5;
  epochs = 20;
}

}  // namespace snellen::training
