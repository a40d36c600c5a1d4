// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/bridge_tower/link.h"

#include <fmt/format.h>

namespace snellen::models::bridge_tower {

std::vector<Link> load_links(nn::Weights& weights,
                             const ConfigView& config,
                             const std::string& name) {
  std::string type = config.text("link_tower_type", "add");
  if (type != "add" && type != "scaled_add" && type != "interpolate")
    config.fail("link_tower_type",
                fmt::format("'{}' is not known: add, scaled_add and interpolate are", type));
  bool is_shared = config.boolean("share_link_tower_layers", false);
  int64_t width = config.positive("hidden_size", 768);
  double eps = config.positive_number("layer_norm_eps", 1e-5);
  std::vector<Link> links;
  for (int64_t i = 0; i + 1 < config.layers("num_hidden_layers", 6); ++i) {
    std::string prefix = is_shared ? name + "." : fmt::format("{}.{}.", name, i);
    Link link;
    link.norm = weights.layer_norm(prefix + "LayerNorm", width, eps);
    if (type == "scaled_add") link.tower_factor = weights.take_number(prefix + "scaled_factor");
    if (type == "interpolate") {
      link.cross_factor = weights.take_number(prefix + "beta");
      link.tower_factor = 1 - link.cross_factor;
    }
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace snellen::models::bridge_tower
