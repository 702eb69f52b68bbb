// The equations of all joints of a world, eliminated.
#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/sim/joint_contradiction.hpp>
#include <bulwark/sim/plane_axes.hpp>
#include <bulwark/sim/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace bulwark {
namespace {

Elimination eliminated(const World& world, int most_controls) {
  const int count = world.control_count();
  std::vector<Eliminable> role(count, Eliminable::vertex);
  const std::vector<double> length(world.lever.data(), world.lever.data() + count);
  std::vector<unsigned char> held(count, 0);
  for (const StiffBody& body : world.stiff) {
    role[body.first_control] = Eliminable::center;
    for (int k = 1; k <= 3; ++k) role[body.first_control + k] = Eliminable::column;
  }
  for (int i = 0; i < count; ++i) {
    if (!world.scripted[i]) held[i] = world.held[i];
  }
  for (const Script& script : world.scripts) {
    for (const int control : script.controls)
      role[control] = script.motion.is_still() ? Eliminable::fixed : Eliminable::scripted;
  }
  const auto x = flat(world.state.position);
  return eliminate(world.joint_rows, role, length, held, std::vector<double>(x.data(), x.data() + x.size()),
                   most_controls);
}

/// Where a center would follow more controls than this, a column of A follows in the solve.
constexpr int most_controls_of_solve = 24;
/// With more rows than this, the way of placing bodies that has no such limit would cost too much.
constexpr std::size_t most_rows = 3000;

}  // namespace

std::vector<Follower> placing_followers(const World& world, const Elimination& elimination) {
  if (world.joint_rows.size() > most_rows) return elimination.followers;
  return eliminated(world, std::numeric_limits<int>::max() - 1).followers;
}

namespace {

/// The joint whose rows can't hold together with those of others, if there is one.
std::optional<JointContradiction> contradiction_in(const World& world, const Elimination& result) {
  if (result.contradictory.empty()) return {};
  JointContradiction found{world.joint_rows[result.contradictory[0]].joint, {}};
  const Joint& joint = world.joints[found.joint];
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    const Joint& other = world.joints[j];
    const bool shares =
        other.body_a == joint.body_a || other.body_b == joint.body_a ||
        (joint.body_b != world_body && (other.body_a == joint.body_b || other.body_b == joint.body_b));
    if (&other != &joint && shares && other.row_count > 0) found.others.push_back(static_cast<int>(j));
  }
  return found;
}

}  // namespace

std::optional<JointContradiction> find_contradiction(const World& world) {
  if (world.joint_rows.empty()) return {};
  return contradiction_in(world, eliminated(world, most_controls_of_solve));
}

std::string JointContradiction::problem(const World& world) const {
  if (others.empty()) return "it contradicts what holds its bodies";
  constexpr std::size_t named = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(named, others.size()); ++i)
    names += (i == 0 ? "'" : ", '") + world.joints[others[i]].name + "'";
  if (others.size() > named) names += fmt::format(" and {} more", others.size() - named);
  return "it contradicts the other joints of its bodies: " + names;
}

namespace {

/// Whether a row is about nothing but what a plane holds: a joint in a plane has the rows of one in space.
bool is_of_the_plane(const World& world, const ConstraintRow& row) {
  return std::all_of(row.entries.begin(), row.entries.end(), [&](const std::pair<int, double>& entry) {
    return (plane_axes(world, entry.first / 3) >> (entry.first % 3) & 1) != 0;
  });
}

}  // namespace

Elimination eliminate_joints(const World& world) {
  const Elimination result = eliminated(world, most_controls_of_solve);
  if (const std::optional<JointContradiction> found = contradiction_in(world, result)) {
    throw InputError(fmt::format("joint '{}'", world.joints[found->joint].name), found->problem(world),
                     JointContradiction::remedy);
  }
  std::map<int, int> dropped;
  for (const int row : result.redundant) {
    if (!is_of_the_plane(world, world.joint_rows[row])) ++dropped[world.joint_rows[row].joint];
  }
  for (const auto& [number, count] : dropped) {
    const Joint& joint = world.joints[number];
    const auto first = world.joint_rows.begin() + joint.first_row;
    const auto of_the_plane = std::count_if(first, first + joint.row_count, [&](const ConstraintRow& row) {
      return is_of_the_plane(world, row);
    });
    log_warning("joint '{}': {} of its {} equations follow from other joints and are left out", joint.name,
                count, joint.row_count - of_the_plane);
  }
  return result;
}

}  // namespace bulwark
