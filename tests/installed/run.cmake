# Installs Snellen below WORK, builds examples/cpp against it alone, and runs them:
#   cmake -DBUILD=build/release -DSOURCE=. -DWORK=/tmp/x [-DHAS_NETWORKS=ON] -P tests/installed/run.cmake
cmake_minimum_required(VERSION 3.25)
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})

function(expect what)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE errors RESULT_VARIABLE code)
  if(NOT code EQUAL 0 OR NOT out MATCHES "${what}")
    message(FATAL_ERROR "${ARGN}: exit code ${code}, expected ${what}\n${out}\n${errors}")
  endif()
endfunction()

expect("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
expect("" ${CMAKE_COMMAND} -S ${SOURCE}/examples/cpp -B ${WORK}/build -G Ninja -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_PREFIX_PATH=${prefix})
expect("" ${CMAKE_COMMAND} --build ${WORK}/build)

expect("probe-c/.*wrote " ${WORK}/build/run_a_task ${WORK}/runs
  --model fake --tasks probe-c --data ${prefix}/share/snellen/demo)
file(WRITE ${WORK}/items.jsonl
  "{\"name\": \"mine\", \"metric\": \"margin_over_rest\"}\n"
  "{\"id\": \"1\", \"visuals\": [\"1.jpg\"], \"texts\": [\"a cat\", \"a dog\"], \"right\": 0}\n"
  "{\"id\": \"2\", \"visuals\": [\"2.jpg\"], \"texts\": [\"a cat\", \"a dog\"], \"right\": 1}\n")
expect("mine/margin\t.*n 2" ${WORK}/build/own_metric ${WORK}/items.jsonl ${WORK}/runs)
expect("snellen " ${prefix}/bin/snellen --version)
if(HAS_NETWORKS)
  file(GLOB picture ${SOURCE}/docs/pictures/*.jpg)
  list(GET picture 0 picture)
  expect("jpg\t[-0-9.e]+\t[-0-9.e]+" ${WORK}/build/score_my_pictures ${prefix}/share/snellen/models/clip
    "a red cat|a blue dog" ${picture})
endif()
file(REMOVE_RECURSE ${WORK})
