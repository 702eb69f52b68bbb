// Parts of bodies, and what limits steps, as reports carry them: data, in the numbers of the bodies' own
// meshes. Words are made of them where somebody reads them: messages, tables, Python.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/terms/step_limit.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

struct BodyPart {
  enum class Kind : unsigned char { whole, node, vertex, edge, triangle, element };
  std::string body;  ///< its name; "" where there is no part to name
  Kind kind = Kind::whole;
  ElementType element = ElementType::tetrahedron;
  int number = -1;  ///< of a node, vertex or element, and of a triangle that has one
  std::array<int, 3> corners = {-1, -1, -1};  ///< nodes of an edge or triangle
};
/// "'ball'", "node 12 of 'ball'", "edge 3-7 of 'rope'"; "" of no part.
std::string describe(const BodyPart& part);

/// What allowed a line search no larger step.
struct StepCulprit {
  LimitReason reason = LimitReason::none;
  std::vector<BodyPart> parts;  ///< two of a contact, the element where it is one
  std::string joint;            ///< of a range
};
/// "node 12 of 'ball' and triangle 3-4-5 of 'floor'"; "" of none.
std::string describe(const StepCulprit& culprit);

/// "contact", "strain-limit": how tables name it. "" of none.
std::string_view reason_name(LimitReason reason);

}  // namespace bulwark
