# A room is a static library named snellen_<room>; its LINK line is the architecture.
#   snellen_room(base SOURCES error.cc ... TESTS error_test.cc ... LINK fmt::fmt)
function(snellen_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;TESTS;LINK;PRIVATE_LINK" ${ARGN})
  add_library(snellen_${name} STATIC ${arg_SOURCES})
  target_include_directories(snellen_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  set_target_properties(snellen_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY snellen_rooms snellen_${name})
  target_link_libraries(snellen_${name}
    PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK} snellen_warnings snellen_sanitizers)
  snellen_share_room_headers(${name})
  if(arg_TESTS)
    snellen_tests(${name} ${arg_TESTS})
  endif()
endfunction()

# Files of a room's folder, by their stems: <stem>.cc is compiled, <stem>_test.cc is a test, where they are there.
# The lines of a room read as its table of contents.
function(snellen_folder room folder)
  foreach(stem ${ARGN})
    cmake_path(SET path NORMALIZE "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${stem}")
    set(found FALSE)
    if(EXISTS ${path}.cc)
      target_sources(snellen_${room} PRIVATE ${path}.cc)
      set(found TRUE)
    endif()
    if(EXISTS ${path}_test.cc)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE test)
      snellen_tests(${room} ${test}_test.cc)
      set(found TRUE)
    endif()
    if(NOT found)
      message(FATAL_ERROR "snellen_folder(${room} ${folder}): neither ${stem}.cc nor ${stem}_test.cc is there")
    endif()
  endforeach()
endfunction()

# One test program per room; add sources to it with snellen_tests(<room> file_test.cc ...).
function(snellen_tests room)
  if(NOT SNELLEN_TESTS)
    return()
  endif()
  if(NOT TARGET ${room}_test)
    add_executable(${room}_test)
    target_link_libraries(${room}_test PRIVATE
      snellen_${room} GTest::gmock_main GTest::gtest snellen_warnings snellen_sanitizers)
    snellen_share_headers(${room}_test test)
    snellen_compile_quickly(${room}_test)
    add_test(NAME ${room} COMMAND ${room}_test)
    set_tests_properties(${room} PROPERTIES TIMEOUT 600)
  endif()
  foreach(source ${ARGN})
    set(path ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "${path} is not there: every part has its test beside it (CONTRIBUTING.md)")
    endif()
    target_sources(${room}_test PRIVATE ${path})
    # Only files that may name the checkout's folder get it: the others come from ccache in every clone.
    file(STRINGS ${path} names_folder REGEX "SNELLEN_SOURCE_DIR|snellen/testing/" LIMIT_COUNT 1)
    if(names_folder)
      set_source_files_properties(${path} TARGET_DIRECTORY ${room}_test PROPERTIES
        COMPILE_DEFINITIONS SNELLEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
endfunction()

# Tests have no loop of their own that takes time; what they call is compiled as ever.
function(snellen_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  # GCC 12 warns of strings that it inlines from a precompiled header (its bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# A small program of tests, parity or bench, from one source and what it links.
function(snellen_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARGN} nlohmann_json::nlohmann_json snellen_warnings snellen_sanitizers)
  snellen_share_headers(${name} standard)
endfunction()

# The one line that adds a metric, a task, a model or an adapter. It compiles <path>.cc (metrics) or the named files of the
# folder <name>, or of FOLDER (the others), adds the test beside it and writes the catalogue entry make_<name>().
function(snellen_add_metric path)
  cmake_path(GET path FILENAME name)
  target_sources(snellen_metrics PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${path}.cc)
  snellen_tests(metrics ${path}_test.cc)
  set_property(GLOBAL APPEND PROPERTY snellen_catalogue_metrics ${name})
endfunction()

function(snellen_add_task name)
  snellen_add_folder(tasks task ${name} ${ARGN})
endfunction()

# An architecture that loads checkpoint folders; compiled with torch.
function(snellen_add_model name)
  snellen_add_folder(networks model ${name} ${ARGN})
endfunction()

# A model that is not a network of ours: a file, a program, a server.
function(snellen_add_adapter name)
  snellen_add_folder(models model ${name} ${ARGN})
endfunction()

function(snellen_add_folder room kind name)
  cmake_parse_arguments(arg "" "FOLDER" "SOURCES;TESTS;LINK" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  foreach(source ${kind}.cc ${arg_SOURCES})
    target_sources(snellen_${room} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/${source})
  endforeach()
  target_link_libraries(snellen_${room} PRIVATE ${arg_LINK})
  foreach(test ${kind}_test.cc ${arg_TESTS})
    snellen_tests(${room} ${arg_FOLDER}/${test})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY snellen_catalogue_${room} ${name})
endfunction()

# Writes built_in_<room>.cc: the catalogue that built_in_<room>() returns, in the order of the lines.
# The functions live in snellen::<room>, or in the namespace named last.
function(snellen_write_catalogue room type header)
  set(namespace ${room})
  if(ARGN)
    set(namespace ${ARGN})
  endif()
  get_property(names GLOBAL PROPERTY snellen_catalogue_${room})
  set(declarations "")
  set(entries "")
  foreach(name ${names})
    string(APPEND declarations "std::unique_ptr<${type}> make_${name}();\n")
    string(APPEND entries "  catalogue.push_back(make_${name}());\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/built_in_${room}.cc CONTENT
"// Written by cmake/rooms.cmake from the lines of snellen/${room}/CMakeLists.txt.
#include \"${header}\"
namespace snellen::${namespace} {
${declarations}
std::vector<std::unique_ptr<${type}>> built_in_${room}() {
  std::vector<std::unique_ptr<${type}>> catalogue;
${entries}  return catalogue;
}
}  // namespace snellen::${namespace}
" @ONLY)
  target_sources(snellen_${room} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/built_in_${room}.cc)
endfunction()

# The one line that adds a verb: apps/cli/<path>.cc defines add_<file name>(). OF makes it a sub-command of that verb; SOURCES
# are further files of its folder.
function(snellen_add_verb path)
  cmake_parse_arguments(arg "" "OF" "SOURCES" ${ARGN})
  if(NOT arg_OF)
    set(arg_OF snellen)
  endif()
  cmake_path(GET path FILENAME name)
  cmake_path(GET path PARENT_PATH folder)
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/)
  target_sources(snellen PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${path}.cc ${arg_SOURCES})
  set_property(GLOBAL APPEND PROPERTY snellen_verbs ${arg_OF}:${name})
endfunction()

# Writes the lists that verbs_of() gives, in the order of the lines.
function(snellen_write_verbs)
  get_property(verbs GLOBAL PROPERTY snellen_verbs)
  set(declarations "")
  set(owners "")
  foreach(verb ${verbs})
    string(REGEX MATCH "^(.*):(.*)$" verb ${verb})
    string(APPEND declarations "std::function<int()> add_${CMAKE_MATCH_2}(Command app, Context& context);\n")
    list(APPEND owners ${CMAKE_MATCH_1})
    string(APPEND list_${CMAKE_MATCH_1} "add_${CMAKE_MATCH_2}, ")
  endforeach()
  list(REMOVE_DUPLICATES owners)
  set(lists "")
  foreach(owner ${owners})
    string(APPEND lists "  static constexpr Verb k_${owner}[] = {${list_${owner}}};\n  if (owner == \"${owner}\") return k_${owner};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/verbs.cc CONTENT
"// Written by cmake/rooms.cmake from the lines of apps/cli/CMakeLists.txt.
#include \"apps/cli/verbs.h\"
namespace snellen::cli {
${declarations}
std::span<const Verb> verbs_of(std::string_view owner) {
${lists}  return {};
}
}  // namespace snellen::cli
" @ONLY)
  target_sources(snellen PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/verbs.cc)
endfunction()
