#include <bulwark/scene/nearest.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace bulwark {
namespace {

std::string lower_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c));
  });
  return word;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = std::move(row);
    row.assign(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

/// Words that other programs use, or everyday ones, for what is called otherwise here. In lower case, without
/// `-`, `_` and blanks. A word with several meanings has several entries, and the one that is known counts.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    // kinds of bodies
    {"cloth", "shell"},
    {"fabric", "shell"},
    {"garment", "shell"},
    {"sheet", "shell"},
    {"membrane", "shell"},
    {"plate", "shell"},
    {"paper", "shell"},
    {"soft", "deformable"},
    {"softbody", "deformable"},
    {"elastic", "deformable"},
    {"flexible", "deformable"},
    {"fem", "deformable"},
    {"fea", "deformable"},
    {"tet", "deformable"},
    {"tetrahedra", "deformable"},
    {"tetrahedral", "deformable"},
    {"volume", "deformable"},
    {"volumetric", "deformable"},
    {"solid", "deformable"},
    {"static", "obstacle"},
    {"fixed", "obstacle"},
    {"ground", "obstacle"},
    {"floor", "obstacle"},
    {"wall", "obstacle"},
    {"plane", "obstacle"},
    {"terrain", "obstacle"},
    {"kinematic", "obstacle"},
    {"scripted", "obstacle"},
    {"collider", "obstacle"},
    {"boundary", "obstacle"},
    {"environment", "obstacle"},
    {"stiff", "affine"},
    {"abd", "affine"},
    {"affinebody", "affine"},
    {"hard", "rigid"},
    {"dynamic", "rigid"},
    {"rigidbody", "rigid"},
    {"particle", "particles"},
    {"point", "particles"},
    {"points", "particles"},
    {"cable", "rod"},
    {"rope", "rod"},
    {"wire", "rod"},
    {"string", "rod"},
    {"hair", "rod"},
    {"strand", "rod"},
    {"thread", "rod"},
    {"beam", "rod"},
    {"fiber", "rod"},
    // kinds of joints
    {"fixed", "weld"},
    {"rigid", "weld"},
    {"glue", "weld"},
    {"pin", "hinge"},
    {"continuous", "revolute"},
    {"axle", "hinge"},
    {"bearing", "hinge"},
    {"rotational", "revolute"},
    {"linear", "slider"},
    {"translational", "prismatic"},
    {"planar", "plane"},
    {"socket", "ball"},
    {"ballsocket", "ball"},
    {"ballandsocket", "ball"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"rope", "distance"},
    {"rod", "distance"},
    {"link", "distance"},
    {"damper", "spring"},
    {"actuator", "motor"},
    // shapes
    {"cube", "box"},
    {"cuboid", "box"},
    {"ball", "sphere"},
    {"disk", "cylinder"},
    {"disc", "cylinder"},
    {"pill", "capsule"},
    {"pipe", "tube"},
    {"donut", "torus"},
    {"rectangle", "grid"},
    {"quad", "grid"},
    {"sheet", "grid"},
    {"heightmap", "height_field"},
    {"terrain", "height_field"},
    {"segment", "line"},
    {"loop", "circle"},
    // materials and other keys
    {"stvk", "svk"},
    {"saintvenantkirchhoff", "svk"},
    {"corotational", "fixed-corotational"},
    {"corotated", "fixed-corotational"},
    {"linear", "linear-elastic"},
    {"nh", "neo-hookean"},
    {"e", "young"},
    {"youngsmodulus", "young"},
    {"nu", "poisson"},
    {"rho", "density"},
    {"mu", "friction"},
    {"dt", "step"},
    {"timestep", "step"},
    {"h", "step"},
    {"tend", "duration"},
    {"endtime", "duration"},
    {"translation", "position"},
    {"location", "position"},
    {"orientation", "rotation"},
    {"file", "mesh"},
    {"objects", "bodies"},
    {"initialvelocity", "velocity"},
    {"omega", "angular_velocity_degrees"},
    {"constraints", "joints"},
};

std::string other_name(const std::string& word, const std::vector<std::string>& known) {
  std::string plain = lower_case(word);
  std::erase(plain, '_');
  for (const auto& [other, here] : other_names) {
    if (other == plain && std::find(known.begin(), known.end(), here) != known.end())
      return std::string(here);
  }
  return "";
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody misspells a word into more
  if (word.empty() || word.size() > longest) return "";
  if (const std::string here = other_name(word, known); !here.empty()) return here;
  std::string best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(lower_case(word), lower_case(candidate));
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  // A word cut short or drawn out: `rot` for `rotation`, `velocity_linear` for `velocity`.
  for (const std::string& candidate : known) {
    const std::size_t common = std::min(candidate.size(), word.size());
    if (common >= 3 && common <= longest &&
        lower_case(candidate).compare(0, common, lower_case(word), 0, common) == 0) {
      return candidate;
    }
  }
  return "";
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& what) {
  const std::string nearest = nearest_word(word, known);
  if (!nearest.empty()) return "did you mean \"" + nearest + "\"?";
  if (known.empty()) return "";
  constexpr std::size_t most = 30;
  std::string list = "known " + what + ": ";
  for (std::size_t i = 0; i < std::min(known.size(), most); ++i) list += (i == 0 ? "" : ", ") + known[i];
  return known.size() > most ? list + ", ..." : list;
}

}  // namespace bulwark
