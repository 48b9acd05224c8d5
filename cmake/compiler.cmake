# What every target of ours is compiled with.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -fno-omit-frame-pointer")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Processors since 2009 count bits in one instruction, which the trace's sparse columns do at each look-up.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(KINETOSCOPE_MARCH "x86-64-v2" CACHE STRING "Value of -march=, empty for the compiler's own")
endif()

add_library(kinetoscope_options INTERFACE)
if(KINETOSCOPE_MARCH)
  target_compile_options(kinetoscope_options INTERFACE -march=${KINETOSCOPE_MARCH})
endif()
target_include_directories(kinetoscope_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(kinetoscope_options INTERFACE
  -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Werror
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
target_link_libraries(kinetoscope_options INTERFACE Threads::Threads)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # PCH and ccache together: ccache has to see the preprocessor's own line markers.
  # The two warnings are wrong about std::string in g++ 12 (its reports 105329 and 105651).
  target_compile_options(kinetoscope_options INTERFACE -fpch-preprocess -Wno-restrict -Wno-stringop-overflow)
endif()
if(KINETOSCOPE_BATCH GREATER 1)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE ${KINETOSCOPE_BATCH})
  # Sources of a batch share their unnamed namespaces; clang-tidy sees each alone, with this warning.
  target_compile_options(kinetoscope_options INTERFACE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # To g++ a batch is one source with the others as its headers, whose unnamed namespaces it warns of.
    target_compile_options(kinetoscope_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(KINETOSCOPE_SANITIZE)
  target_compile_options(kinetoscope_options INTERFACE -fsanitize=${KINETOSCOPE_SANITIZE} -fno-sanitize-recover=all)
  target_compile_definitions(kinetoscope_options INTERFACE KINETOSCOPE_SANITIZED=1)  # some tests take less then
  target_link_options(kinetoscope_options INTERFACE -fsanitize=${KINETOSCOPE_SANITIZE})
endif()
if(KINETOSCOPE_FUZZ)
  # Without coverage of our own code the fuzzers are blind.
  target_compile_options(kinetoscope_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# For what is not under test itself: with sanitizers a source compiles in half the time when it is not optimized.
function(kinetoscope_quick_build target)
  if(KINETOSCOPE_SANITIZE)
    target_compile_options(${target} PUBLIC -O0)
  endif()
endfunction()

# The headers that most sources include, parsed once for all rooms. clang maps such a file and reads what a source names;
# g++ reads the whole, so that nlohmann/json, which one source in ten includes, would cost each of them a second.
set(KINETOSCOPE_PRECOMPILED <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string>
  <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND KINETOSCOPE_PRECOMPILED <nlohmann/json.hpp>)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/generated/precompiled.cpp "")
add_library(kinetoscope_precompiled STATIC ${CMAKE_BINARY_DIR}/generated/precompiled.cpp)
target_link_libraries(kinetoscope_precompiled PUBLIC kinetoscope_options fmt::fmt nlohmann_json::nlohmann_json)
target_precompile_headers(kinetoscope_precompiled PRIVATE ${KINETOSCOPE_PRECOMPILED})
