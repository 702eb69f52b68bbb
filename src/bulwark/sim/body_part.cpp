#include <bulwark/sim/body_part.hpp>

#include <fmt/format.h>

namespace bulwark {

std::string describe(const BodyPart& part) {
  if (part.body.empty()) return "";
  const auto& c = part.corners;
  switch (part.kind) {
    case BodyPart::Kind::whole:
      return fmt::format("'{}'", part.body);
    case BodyPart::Kind::node:
      return fmt::format("node {} of '{}'", part.number, part.body);
    case BodyPart::Kind::vertex:
      return fmt::format("vertex {} of '{}'", part.number, part.body);
    case BodyPart::Kind::edge:
      return fmt::format("edge {}-{} of '{}'", c[0], c[1], part.body);
    case BodyPart::Kind::triangle:
      return part.number < 0
                 ? fmt::format("triangle {}-{}-{} of '{}'", c[0], c[1], c[2], part.body)
                 : fmt::format("triangle {} ({}-{}-{}) of '{}'", part.number, c[0], c[1], c[2], part.body);
    case BodyPart::Kind::element:
      return fmt::format("{} {} of '{}'", shape_of(part.element).name, part.number, part.body);
  }
  return "";
}

std::string describe(const StepCulprit& culprit) {
  const std::string first = culprit.parts.empty() ? "" : describe(culprit.parts[0]);
  switch (culprit.reason) {
    case LimitReason::none:
      return "";
    case LimitReason::contact:
      return first + " and " + describe(culprit.parts[1]);
    case LimitReason::pair_count:
      return "the number of pairs along the path";
    case LimitReason::volume:
      return first + " (it would lose too much volume)";
    case LimitReason::length:
      return first + " (it would lose too much length)";
    case LimitReason::strain_limit:
      return first + " (it is near its strain limit)";
    case LimitReason::joint_range:
      return fmt::format("the range of joint '{}'", culprit.joint);
  }
  return "";
}

std::string_view reason_name(LimitReason reason) {
  constexpr std::array<std::string_view, 7> names = {"",       "contact",      "pair-count", "volume",
                                                     "length", "strain-limit", "joint-range"};
  return names[static_cast<std::size_t>(reason)];
}

}  // namespace bulwark
