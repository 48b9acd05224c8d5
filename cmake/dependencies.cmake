# Libraries, all from Debian. Why each is here: CONTRIBUTING.md.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)

# Debian ships these without a CMake package that all of our machines agree on: header and library, by name.
function(kinetoscope_find_library target header library)
  find_path(${target}_INCLUDE ${header} REQUIRED)
  find_library(${target}_LIBRARY ${library} REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${${target}_LIBRARY})
endfunction()
kinetoscope_find_library(zstd_library zstd.h zstd)
kinetoscope_find_library(zip_library zip.h zip)
kinetoscope_find_library(xlsx_library xlsxwriter.h xlsxwriter)

# Debian builds cpp-httplib as a library; its header has to be read with the switches that the library was built with.
find_package(OpenSSL REQUIRED)
kinetoscope_find_library(httplib_library httplib.h cpp-httplib)
target_compile_definitions(httplib_library INTERFACE
  CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
target_link_libraries(httplib_library INTERFACE OpenSSL::SSL)

# Validates the arguments of tools, and in tests what the program prints.
find_path(VALIJSON_INCLUDE valijson/validator.hpp REQUIRED)
add_library(valijson INTERFACE)
target_include_directories(valijson SYSTEM INTERFACE ${VALIJSON_INCLUDE})

# xxHash is used header-only: its hash of a short key is inlined into the loop that needs it.
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
add_library(xxhash INTERFACE)
target_include_directories(xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
target_compile_definitions(xxhash INTERFACE XXH_INLINE_ALL)

# ISA-L inflates three times as fast as zlib; where it is not built (it is for x86-64 and aarch64), zlib serves.
find_path(ISAL_INCLUDE isa-l/igzip_lib.h)
find_library(ISAL_LIBRARY isal)
add_library(isal_library INTERFACE)
if(ISAL_INCLUDE AND ISAL_LIBRARY)
  target_include_directories(isal_library SYSTEM INTERFACE ${ISAL_INCLUDE})
  target_link_libraries(isal_library INTERFACE ${ISAL_LIBRARY})
  target_compile_definitions(isal_library INTERFACE KINETOSCOPE_HAVE_ISAL=1)
else()
  message(STATUS "ISA-L not found: gzip is inflated by zlib, about three times slower")
endif()
