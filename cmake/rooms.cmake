# The rooms of the house as build targets:
# kinetoscope_room(FOLDER [ROOMS...] [WITHOUT...] [LIBRARIES...] [PRIVATE_LIBRARIES...]).
#
# ROOMS are those it may include; WITHOUT names folders below it that are rooms of their own. One static library a room,
# of every .cpp in the folder; JSON files beside the code are built into it. main.cpp is left out: the program links the
# room. Header sets let `./dev lint` compile every header by itself.
function(kinetoscope_room folder)
  cmake_parse_arguments(room "" "" "ROOMS;WITHOUT;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  set(target kinetoscope_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.hpp)
  file(GLOB_RECURSE data CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.json)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  foreach(other ${room_WITHOUT})
    foreach(files sources headers data)
      list(FILTER ${files} EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/${other}/")
    endforeach()
  endforeach()
  # Files for one instruction set, chosen at run time; their flags do not fit the precompiled header's.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(for_avx2 ${sources})
    list(FILTER for_avx2 INCLUDE REGEX "_avx2\\.cpp$")
    set_source_files_properties(${for_avx2} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
      COMPILE_OPTIONS "-mavx2;-mpclmul;-mpopcnt")
  endif()
  if(sources OR data)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_precompile_headers(${target} REUSE_FROM kinetoscope_precompiled)
    foreach(file ${data})
      kinetoscope_embed(${target} ${folder} ${file})
    endforeach()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  if(headers)
    target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR} FILES ${headers})
  endif()
  target_link_libraries(${target} ${scope} kinetoscope_options ${room_LIBRARIES})
  if(room_PRIVATE_LIBRARIES AND scope STREQUAL PUBLIC)
    target_link_libraries(${target} PRIVATE ${room_PRIVATE_LIBRARIES})
  endif()
  foreach(below ${room_ROOMS})
    string(REPLACE "/" "_" below ${below})
    target_link_libraries(${target} ${scope} kinetoscope_${below})
  endforeach()
endfunction()

# core/names/kernel_kinds.json is read as kinetoscope::embedded::kernel_kinds(), from "embedded/kernel_kinds.hpp";
# schemas/tools/overview.input.json as overview_input().
function(kinetoscope_embed target folder file)
  get_filename_component(stem ${file} NAME_WLE)
  string(REPLACE "." "_" stem ${stem})
  set(out ${CMAKE_BINARY_DIR}/generated/embedded/${stem})
  add_custom_command(
    OUTPUT ${out}.cpp ${out}.hpp
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${out} -DNAME=${stem} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${folder}/${stem}.json" VERBATIM)
  target_sources(${target} PRIVATE ${out}.cpp ${out}.hpp)
endfunction()
