#pragma once

// A document of ours as its elements, read strictly: what is not well-formed XML fails here. Knows what figures use:
// elements, attributes in double quotes, text, the five named references; no comments, no CDATA, no declarations.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;  ///< with references resolved
  std::string text;                               ///< its own, without that of its children
  std::size_t depth = 0;                          ///< of the root 0
  /// Of an attribute that is a number; fails the test where there is none.
  [[nodiscard]] double number(const std::string& attribute) const;
};

struct XmlDocument {
  std::vector<XmlElement> elements;  ///< in the order in which they begin
  std::string problem;               ///< empty for well-formed text
  [[nodiscard]] std::vector<XmlElement> all(std::string_view name) const;
  /// The first with that text; fails the test where there is none.
  [[nodiscard]] const XmlElement& with_text(std::string_view text) const;
  /// Whether any element's text contains it.
  [[nodiscard]] bool says(std::string_view part) const;
};

[[nodiscard]] XmlDocument read_xml(std::string_view text);
}  // namespace kinetoscope
