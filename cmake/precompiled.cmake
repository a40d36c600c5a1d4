# Precompiled headers: parsing the standard library, fmt, simdjson and GTest is a third of what most files cost. Each set
# is compiled once and shared by many targets; `lint` and whoever sets CMAKE_DISABLE_PRECOMPILE_HEADERS build without, and
# there a file that forgot an include shows.
#
# A bigger set takes longer to load into every file (0.3 s for simdjson, 0.5 s for nlohmann/json), so a target gets the one
# that most of its files use.
set(snellen_standard_headers
  <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <filesystem> <fstream> <functional>
  <map> <memory> <mutex> <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility>
  <variant> <vector> <fmt/format.h>)
set(snellen_record_headers ${snellen_standard_headers} <simdjson.h>)
set(snellen_json_headers ${snellen_standard_headers} <nlohmann/json.hpp>)
set(snellen_test_headers ${snellen_standard_headers} <gmock/gmock.h> <gtest/gtest.h>)
set(snellen_record_libraries simdjson::simdjson)
set(snellen_json_libraries nlohmann_json::nlohmann_json)
set(snellen_test_libraries GTest::gmock GTest::gtest)
# Rooms whose files mostly read records with simdjson, or handle nlohmann::json; all others take the standard set.
set(snellen_record_rooms annotations tasks builders)
set(snellen_json_rooms store run report)

# Notes that `target` shares the headers of a set (standard, record, json or test).
function(snellen_share_headers target set)
  set_property(GLOBAL APPEND PROPERTY snellen_header_users ${target})
  set_target_properties(${target} PROPERTIES snellen_headers ${set})
endfunction()

function(snellen_share_room_headers room)
  set(set standard)
  foreach(kind record json)
    if(room IN_LIST snellen_${kind}_rooms)
      set(set ${kind})
    endif()
  endforeach()
  snellen_share_headers(snellen_${room} ${set})
endfunction()

# Files of a room that take no compiled header, because GCC 12 warns falsely of strings that it inlines from one (its bug
# 105651: array-bounds, stringop-overflow).
function(snellen_without_headers room)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY snellen_${room} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Called when all targets are known: a compiled header fits position-independent code or other code, never both.
function(snellen_give_headers)
  get_property(users GLOBAL PROPERTY snellen_header_users)
  foreach(user ${users})
    get_target_property(set ${user} snellen_headers)
    get_target_property(independent ${user} POSITION_INDEPENDENT_CODE)
    set(holder snellen_${set}_headers)
    if(independent)
      string(APPEND holder _independent)
    endif()
    if(NOT TARGET ${holder})
      file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers/${holder}.cc CONTENT "// Holds a precompiled header.\n")
      add_library(${holder} OBJECT ${CMAKE_BINARY_DIR}/headers/${holder}.cc)
      # No more than the set needs: what a library defines here, every user would have to define too.
      target_link_libraries(${holder} PRIVATE ${snellen_${set}_libraries} fmt::fmt snellen_warnings snellen_sanitizers)
      if(independent)
        set_target_properties(${holder} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      endif()
      target_precompile_headers(${holder} PRIVATE ${snellen_${set}_headers})
    endif()
    target_precompile_headers(${user} REUSE_FROM ${holder})
  endforeach()
endfunction()
