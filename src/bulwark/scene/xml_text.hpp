// XML files as trees of elements and attributes, for the URDF import. Strict: what is not well formed is
// answered by an InputError that names file, line and remedy. Text between elements, comments and processing
// instructions are left out; document types are refused, so that no entity can grow.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bulwark {

struct XmlElement {
  std::string name;
  int line = 0;  ///< of its tag
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;

  /// The value of an attribute; null when it has none of that name.
  const std::string* attribute(std::string_view name) const;
  /// The first child of that name; null when there is none.
  const XmlElement* child(std::string_view name) const;
};

/// The root element of a document. `name` is the file's, for messages.
XmlElement parse_xml(std::string_view text, const std::string& name);

}  // namespace bulwark
