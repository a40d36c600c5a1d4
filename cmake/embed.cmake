# Files of the repository as bytes of the program:
#   snellen_embed(report published FILES published/probe.json ...)
# adds a source to snellen_report that defines std::span<const EmbeddedFile> snellen::embedded_published().
function(snellen_embed room name)
  cmake_parse_arguments(arg "" "BASE" "FILES;DEPENDS" ${ARGN})
  if(NOT arg_BASE)
    set(arg_BASE ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  # Files of a folder are watched one by one.
  set(watched "")
  foreach(file IN LISTS arg_FILES)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${arg_BASE})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${file} ${file}/*)
    list(APPEND watched ${found})
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cc)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DNAME=${name}" "-DBASE=${arg_BASE}" "-DFILES=${arg_FILES}" "-DOUT=${out}"
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake ${watched} ${arg_DEPENDS} VERBATIM)
  target_sources(snellen_${room} PRIVATE ${out})
endfunction()

# The pages of web/ as embedded_pages(): built with Vite where ./dev setup has installed the packages, else the stub.
function(snellen_embed_pages room)
  set(web ${PROJECT_SOURCE_DIR}/web)
  find_program(SNELLEN_NODE node HINTS ${PROJECT_SOURCE_DIR}/.venv/bin)
  set(version 0)
  if(SNELLEN_NODE)
    execute_process(COMMAND ${SNELLEN_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REPLACE "v" "" version "${version}")
  endif()
  if(version VERSION_LESS 20.19 OR NOT EXISTS ${web}/node_modules/vite/bin/vite.js)
    message(STATUS "The viewer's pages are not built: ./dev setup installs Node and their packages")
    snellen_embed(${room} pages BASE ${web}/stub FILES stub.html)
    return()
  endif()
  set(pages ${CMAKE_CURRENT_BINARY_DIR}/pages)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/* ${web}/public/*)
  add_custom_command(OUTPUT ${pages}/index.html
    COMMAND ${SNELLEN_NODE} node_modules/typescript/bin/tsc --noEmit
    COMMAND ${SNELLEN_NODE} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${pages} --emptyOutDir
    WORKING_DIRECTORY ${web}
    DEPENDS ${sources} ${web}/index.html ${web}/package-lock.json ${web}/vite.config.ts ${web}/tsconfig.json
    COMMENT "Building the viewer's pages" VERBATIM)
  snellen_embed(${room} pages BASE ${pages} FILES ${pages} DEPENDS ${pages}/index.html)
endfunction()
