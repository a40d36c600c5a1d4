// SPDX-License-Identifier: Apache-2.0
// A view of settings must not outlive them.
// expect: use of deleted function|call to deleted constructor
#include "snellen/models/checkpoint/config.h"

int main() {
  snellen::models::ConfigView view(nlohmann::json::object(), "config.json");
}
