#include <bulwark/base/error.hpp>
#include <bulwark/base/xml_text.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bulwark {
namespace {

std::string xml_error(const std::string& text, const XmlOptions& options = {}) {
  try {
    parse_xml(text, "a.xml", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << part << "\n" << message;
}

TEST(XmlText, ReadsElementsAttributesAndLines) {
  const XmlElement root = parse_xml(
      "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- <no> -->\n<a x='1' y = \"&lt;&#65;&#x42;&amp;\">\n"
      "  text <b/>\n  <![CDATA[ <c> ]]>\n  <b n=\"2\">deep</b >\n</a>\n",
      "a.xml");
  EXPECT_EQ(root.name, "a");
  EXPECT_EQ(root.line, 3);
  EXPECT_EQ(*root.attribute("x"), "1");
  EXPECT_EQ(*root.attribute("y"), "<AB&");
  EXPECT_EQ(root.attribute("z"), nullptr);
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[1].line, 6);
  EXPECT_EQ(root.child("b"), &root.children[0]);
  EXPECT_EQ(root.content, "\n  text ");
  EXPECT_EQ(root.children[0].content, "");
  EXPECT_EQ(root.children[1].content, "deep");
}

TEST(XmlText, NamesFileAndLineOfWhatIsMalformed) {
  expect_parts(xml_error("<a>\n<b>\n</a>"), {"a.xml:3", "</a> closes <b> of line 2", "</b>"});
  expect_parts(xml_error("<a>\n<b>\n"), {"a.xml:2", "<b> of line 2 is not closed"});
  expect_parts(xml_error("<a\n x=1/>"), {"a.xml:2", "not in quotes"});
  expect_parts(xml_error("<a x=\"1\" x=\"2\"/>"), {"a.xml:1", "twice"});
  expect_parts(xml_error("<a x=\"1\"y=\"2\"/>"), {"a.xml:1", "unexpected `y`"});
  expect_parts(xml_error("<a x=\"1>\n<b/></a>"), {"a.xml:1", "has no end"});
  expect_parts(xml_error("<a/>\n<b/>"), {"a.xml:2", "after the end"});
  expect_parts(xml_error("<a x=\"&nbsp;\"/>"), {"a.xml:1", "`&nbsp;`"});
  expect_parts(xml_error("<!DOCTYPE a>\n<a/>"), {"a.xml:1", "document type"});
  expect_parts(xml_error("<a><!-- </a>"), {"a comment has no end"});
  expect_parts(xml_error(""), {"no XML element"});
  expect_parts(xml_error("<a <"), {"a.xml:1"});
}

TEST(XmlText, DeepNestingIsAnErrorAndNoCrash) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "<a>";
  expect_parts(xml_error(text), {"nested more than"});
}

TEST(XmlText, ARawElementEndsTheDocumentWithWhateverItHolds) {
  const XmlOptions options{"data", ""};
  const std::string text = std::string("<a>\n<b/><data n='1'>_<\0<c>&</x></a>", 35);
  const XmlElement root = parse_xml(text, "a.xml", options);
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[1].content, std::string("_<\0<c>&</x></a>", 15));
  EXPECT_EQ(*root.children[1].attribute("n"), "1");
  EXPECT_EQ(xml_error("<a><data/></a>", options), "") << "one without content is an element as any";
  expect_parts(xml_error("<a><data n='1'", options), {"a.xml:1", "has no end"});
}

TEST(XmlText, AFileThatProgramsWriteHasOneRemedy) {
  const XmlOptions options{"", "export it again"};
  for (const char* text : {"", "<a>\n<b>\n</a>", "<a x=1/>", "<a><!-- </a>", "<a/><b/>"})
    expect_parts(xml_error(text, options), {"a.xml:", "\n  export it again"});
}

TEST(XmlText, NumbersOfElementsAndAttributesAreBounded) {
  std::string elements = "<a>\n", attributes = "<a\n";
  for (int i = 0; i < 1'000'001; ++i) elements += "<b/>";
  for (int i = 0; i < 1001; ++i) attributes += " x" + std::to_string(i) + "=''";
  expect_parts(xml_error(elements + "</a>"), {"a.xml:2", "more than 1000000 elements"});
  expect_parts(xml_error(attributes + "/>"), {"a.xml:2", "more than 1000 attributes"});
}

TEST(XmlText, EveryPrefixIsAnErrorAndNoCrash) {
  const std::string whole = "<?xml?><!--c--><a x='&#65;'><![CDATA[]]><b/>t</a>";
  ASSERT_EQ(xml_error(whole), "");
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_NE(xml_error(whole.substr(0, n)), "") << n;
}

}  // namespace
}  // namespace bulwark
