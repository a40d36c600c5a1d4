// SPDX-License-Identifier: Apache-2.0
// Rooms other than the networks and learners are compiled without torch's folder.
// expect: ATen/ATen.h.*(No such file|not found)
#include <ATen/ATen.h>

int main() {}
