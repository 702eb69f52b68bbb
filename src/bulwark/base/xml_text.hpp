// XML files as trees of elements and attributes, for robots (URDF) and grids (VTU). Strict: what is not well
// formed is answered by an InputError that names file, line and remedy. Comments and processing instructions
// are left out; document types are refused, so that no entity can grow; depth and numbers are bounded, so
// that a tree takes no more memory than some times its file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bulwark {

struct XmlElement {
  std::string name;
  int line = 0;              ///< of its tag
  std::string_view content;  ///< the text behind its tag, up to the next tag; a part of what was parsed
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;

  /// The value of an attribute; null when it has none of that name.
  const std::string* attribute(std::string_view name) const;
  /// The first child of that name; null when there is none.
  const XmlElement* child(std::string_view name) const;
};

struct XmlOptions {
  /// An element whose content is no XML, and ends the document: all that follows its tag is its content.
  std::string raw_element;
  /// For every fault, where the file is one that programs write and nobody mends; "": one for each fault.
  std::string remedy;
};

/// The root element of a document. `name` is the file's, for messages.
XmlElement parse_xml(std::string_view text, const std::string& name, const XmlOptions& options = {});

}  // namespace bulwark
