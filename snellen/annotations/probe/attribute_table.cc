// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/probe/attribute_table.h"

#include <array>

namespace snellen::annotations {
namespace {

struct CategoryText {
  std::string_view name;
  std::string_view entries;  // "attribute>antonym,antonym; ..."
};

constexpr std::array kCategories = {
    CategoryText{
        "color",
        "black>white; white>black; red>green,blue; green>red; blue>orange,yellow,red; "
        "orange>blue; yellow>purple,blue; purple>yellow; pink>green,blue; brown>white,black; "
        "gray>orange,brown; grey>orange,brown; tan>black; beige>black; silver>gold,black; "
        "gold>silver; golden>silver,black; blonde>brunette,black; brunette>blonde"},
    CategoryText{
        "material",
        "wooden>metal,plastic; metal>wooden,plastic; metallic>wooden; plastic>wooden,metal; "
        "glass>wooden,plastic; stone>wooden; brick>wooden; concrete>wooden; ceramic>plastic; "
        "leather>cloth; cloth>leather; paper>plastic; steel>wooden"},
    CategoryText{
        "pattern",
        "striped>plain,solid; plaid>plain,solid; checkered>plain,solid; spotted>solid,plain; "
        "floral>plain,striped; patterned>plain; plain>patterned,striped; "
        "solid>striped,spotted"},
    CategoryText{
        "texture",
        "smooth>rough,bumpy; rough>smooth; bumpy>smooth; soft>hard; hard>soft; fluffy>smooth; "
        "furry>smooth; shiny>dull; dull>shiny"},
    CategoryText{
        "shape",
        "round>square; circular>rectangular,square; square>round; rectangular>round,circular; "
        "oval>square; triangular>round; curved>straight; straight>curved; curly>straight; "
        "flat>pointed,curved; pointed>rounded,flat; rounded>pointed,square"},
    CategoryText{"size",
                 "small>large,big; large>small,little; big>small,little; little>big,large; "
                 "tiny>huge,giant,large; huge>tiny,small; giant>tiny,small; tall>short; "
                 "short>tall,long; long>short; wide>narrow; narrow>wide; thick>thin; thin>thick"},
    CategoryText{"visibility",
                 "bright>dark,dim; dark>bright; dim>bright; clear>blurry,cloudy; blurry>clear; "
                 "cloudy>clear,sunny; sunny>cloudy; foggy>clear,sunny; lit>unlit; unlit>lit"},
    CategoryText{"age",
                 "young>old,elderly; old>young,new; new>old; elderly>young; modern>antique,old; "
                 "antique>modern"},
    CategoryText{"condition",
                 "clean>dirty; dirty>clean; neat>messy; messy>neat,clean; rusty>new,clean; "
                 "broken>intact,new; intact>broken; cluttered>neat,clean,empty"},
    CategoryText{
        "state",
        "wet>dry; dry>wet; hot>cold; cold>hot,warm; warm>cold; frozen>melted; melted>frozen; "
        "cooked>raw; raw>cooked"},
    CategoryText{
        "occupancy",
        "open>closed; closed>open; full>empty; empty>full,crowded; crowded>empty; busy>empty"},
};

// Used only to avoid false negatives: a picture of a big dog is no foil for a large dog.
constexpr std::array<std::string_view, 15> kSynonyms = {"gray grey",
                                                        "gold golden",
                                                        "large big huge giant",
                                                        "small little tiny",
                                                        "metal metallic steel",
                                                        "round circular oval rounded",
                                                        "square rectangular",
                                                        "old elderly antique",
                                                        "new modern",
                                                        "dark dim unlit",
                                                        "bright lit",
                                                        "full crowded busy",
                                                        "fluffy furry",
                                                        "clear sunny",
                                                        "cloudy foggy"};

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return pieces;
}

}  // namespace

AttributeTable::AttributeTable() {
  for (const CategoryText& category : kCategories) {
    categories_.emplace_back(category.name);
    for (const std::string& entry : split(category.entries, "; ")) {
      size_t mark = entry.find('>');
      std::string name = entry.substr(0, mark);
      places_[name] = attributes_.size();
      attributes_.push_back({name, std::string(category.name), split(entry.substr(mark + 1), ",")});
    }
  }
  for (std::string_view group : kSynonyms) synonym_groups_.push_back(split(group, " "));
}

const Attribute* AttributeTable::find(std::string_view name) const {
  auto place = places_.find(name);
  return place == places_.end() ? nullptr : &attributes_[place->second];
}

std::string AttributeTable::category_of(std::string_view name) const {
  const Attribute* attribute = find(name);
  return attribute == nullptr ? "other" : attribute->category;
}

}  // namespace snellen::annotations
