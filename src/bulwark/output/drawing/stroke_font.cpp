#include <bulwark/output/drawing/stroke_font.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace bulwark {
namespace {

// A glyph is strokes with a blank between them; a stroke is a row of points; a point is two digits: how far
// to the right, and how high. Descenders reach 0, the base line is 2, the top of an x 6, that of an X 8.
constexpr int base_line = 2, capital = 8;
constexpr double narrow = 0.8;  // letters are less wide than their grid
constexpr double gap = 1.7, blank = 2;
constexpr double unit = 0.72 / (capital - base_line);  // of a text of size 1

constexpr char32_t first_ascii = 0x21;
constexpr std::array<const char*, 94> ascii = {
    "0804 0202",                         // !
    "0806 2826",                         // "
    "1218 3238 0646 0444",               // #
    "473818070615354443321203 2921",     // $
    "0248 0708181707 3233434232",        // %
    "420607182837360403122244",          // &
    "0806",                              // '
    "19070311",                          // (
    "09171301",                          // )
    "2824 0745 4705",                    // *
    "2723 0545",                         // +
    "1201",                              // ,
    "0535",                              // -
    "0202",                              // .
    "0149",                              // /
    "120307183847433212",                // 0
    "062822 0242",                       // 1
    "07183847460242",                    // 2
    "07183847463515 354443321203",       // 3
    "32380444",                          // 4
    "480805354443321203",                // 5
    "473818070312324344351504",          // 6
    "084812",                            // 7
    "15060718384746351504031232434435",  // 8
    "031232434738180706153546",          // 9
    "0202 0606",                         // :
    "1201 1616",                         // ;
    "470543",                            // <
    "0646 0444",                         // =
    "074503",                            // >
    "07183847462524 2222",               // ?
    "52120307185867644446262444",        // @
    "022842 1434",                       // A
    "02083847463505 3544433202",         // B
    "4738180703123243",                  // C
    "02082846442202",                    // D
    "48080242 0535",                     // E
    "480802 0535",                       // F
    "47381807031232434525",              // G
    "0208 4248 0545",                    // H
    "0222 0828 1218",                    // I
    "3833221203",                        // J
    "0208 4804 1542",                    // K
    "080242",                            // L
    "0208356862",                        // M
    "02084248",                          // N
    "120307183847433212",                // O
    "02083847463505",                    // P
    "120307183847433212 2442",           // Q
    "02083847463505 2542",               // R
    "473818070615354443321203",          // S
    "0848 2822",                         // T
    "080312324348",                      // U
    "082248",                            // V
    "0812365268",                        // W
    "0248 0842",                         // X
    "082548 2522",                       // Y
    "08480242",                          // Z
    "19090111",                          // [
    "0941",                              // (backslash)
    "09191101",                          // ]
    "062846",                            // ^
    "0141",                              // _
    "0817",                              // `
    "4642 4536160503123243",             // a
    "0802 0516364543321203",             // b
    "4536160503123243",                  // c
    "4842 4536160503123243",             // d
    "04444536160503123243",              // e
    "38281712 0636",                     // f
    "4641301001 4536160503123243",       // g
    "0802 0516364542",                   // h
    "0602 0808",                         // i
    "26211000 2828",                     // j
    "0802 3603 1432",                    // k
    "080312",                            // l
    "0602 0516263532 3546566562",        // m
    "0602 0516364542",                   // n
    "160503123243453616",                // o
    "0600 0516364543321203",             // p
    "4640 4536160503123243",             // q
    "0602 042636",                       // r
    "45361605143443321203",              // s
    "18132232 0636",                     // t
    "0603123243 4642",                   // u
    "062246",                            // v
    "0612355266",                        // w
    "0246 0642",                         // x
    "0622 461000",                       // y
    "06460242",                          // z
    "29181605141221",                    // {
    "0901",                              // |
    "09181625141201",                    // }
    "04153445",                          // ~
};

constexpr std::array<std::pair<char32_t, const char*>, 6> others = {{
    {0xB0, "1807162718"},          // degree
    {0xB2, "0828270525"},          // squared
    {0xB3, "082817261505"},        // cubed
    {0xB5, "0600 03123243 4642"},  // micro
    {0xB7, "0505"},                // middle dot
    {0xD7, "0336 0633"},           // times
}};

constexpr const char* box = "0208484202";

const char* glyph(char32_t character) {
  if (character >= first_ascii && character < first_ascii + ascii.size())
    return ascii[character - first_ascii];
  for (const auto& [code, strokes] : others) {
    if (code == character) return strokes;
  }
  return box;
}

/// Takes the next character off the text; bytes that are no UTF-8 count one by one.
char32_t next_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t character = length == 1 ? lead : lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || (byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(1);
      return lead;
    }
    character = (character << 6) | (byte(i) & 0x3F);
  }
  text.remove_prefix(length);
  return lead >= 0x80 && length == 1 ? char32_t{0xFFFD} : character;
}

}  // namespace

TextStrokes text_strokes(std::string_view text) {
  TextStrokes result;
  double x = 0;  // on the grid
  while (!text.empty()) {
    const char32_t character = next_character(text);
    if (character <= ' ') {
      x += blank + gap;
      continue;
    }
    const std::string_view points = glyph(character);
    double right = 0;
    result.strokes.emplace_back();
    for (std::size_t i = 0; i < points.size();) {
      if (points[i] == ' ') {
        result.strokes.emplace_back();
        ++i;
        continue;
      }
      const double across = narrow * (points[i] - '0');
      right = std::max(right, across);
      result.strokes.back().push_back({unit * (x + across), unit * (points[i + 1] - '0' - base_line)});
      i += 2;
    }
    x += right + gap;
  }
  result.width = unit * std::max(0.0, x - gap);
  return result;
}

}  // namespace bulwark
