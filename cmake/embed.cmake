# Turns a text file into a function that returns it: OUTPUT.hpp declares it, OUTPUT.cpp defines it.
# The text stands in raw strings of at most 8,000 bytes: compilers limit the length of one literal.
file(READ "${INPUT}" text)
string(LENGTH "${text}" length)
set(pieces "")
set(position 0)
while(position LESS length)
  string(SUBSTRING "${text}" ${position} 8000 piece)
  string(APPEND pieces "    R\"embed(${piece})embed\"\n")
  math(EXPR position "${position} + 8000")
endwhile()
file(WRITE "${OUTPUT}.hpp" "#pragma once\n\n#include <string_view>\n\nnamespace kinetoscope::embedded {\n"
  "[[nodiscard]] std::string_view ${NAME}();\n}  // namespace kinetoscope::embedded\n")
file(WRITE "${OUTPUT}.cpp" "#include \"embedded/${NAME}.hpp\"\n\nnamespace kinetoscope::embedded {\n"
  "std::string_view ${NAME}() {\n  static constexpr std::string_view text =\n${pieces}  ;\n  return text;\n}\n"
  "}  // namespace kinetoscope::embedded\n")
