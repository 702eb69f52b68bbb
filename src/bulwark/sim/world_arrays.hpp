// The one description of the world's arrays: of what each of them has an item, and which members of an item
// are numbers of other things. Removing (remove_marked.hpp), appending (append_parts.hpp), checking
// (arrays_fit.hpp) and the fingerprint of a checkpoint (output/checkpoint.hpp) go by it: an array that is new
// in World is described here, and nowhere else. State::steered goes by names (joint_steering.hpp).
//
// The visitor is called once for each array, with the arrays of that name of all the worlds given:
//   visit(Thing, Extent, name, numbers, arrays...)
// where numbers(item, of) calls
//   of(Thing, i, Relation)             for a member i that is the number of such a thing,
//   of.range(Thing, first, count)      for things that are the item's own, first to first + count - 1.
// The first array of a thing that has an item for all of them tells how many there are.
#pragma once

#include <bulwark/sim/world.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace bulwark {

/// What the world numbers.
enum class Thing {
  body,
  control,
  mass_entry,
  element,
  element_control,
  material,
  stiff_body,
  script,
  load,
  torque,
  joint,
  joint_row,
  joint_coordinate,
  joint_drive,
  vertex,
  triangle,
  edge,
  contact_point,
  plane,
  exempt_pair,
  stiffened_body,
  close_pair,
  friction_pair,
  unguarded_pair,
  model_pair,
  patch_pair,
  contact_history
};
inline constexpr std::size_t thing_count = static_cast<std::size_t>(Thing::contact_history) + 1;
constexpr std::size_t index_of(Thing thing) {
  return static_cast<std::size_t>(thing);
}

/// Whether an array has an item for each thing, or may end early: the others then have none.
enum class Extent { all, first_ones };

/// What becomes of an item and a thing that it has the number of, when one of them goes.
enum class Relation {
  refers,          ///< the item goes when the thing goes
  refers_or_none,  ///< the same; a negative number stands for none
  owns,            ///< the thing goes when the item goes, and the item when the thing goes
  owns_or_none,    ///< the same; a negative number stands for none
  uses             ///< the thing goes when no item that stays uses it
};

template <class Visit, class... Worlds>
void visit_arrays(Visit&& visit, Worlds&... world) {
  using enum Thing;
  using enum Extent;
  using enum Relation;
  const auto nothing = [](auto&, auto&) {};
  const auto all_refer_to = [](Thing thing) {
    return [thing](auto& numbers, auto& of) {
      for (auto& number : numbers) of(thing, number, refers);
    };
  };
  const auto refers_to = [](Thing thing) {
    return [thing](auto& number, auto& of) { of(thing, number, refers); };
  };
  const auto controls_of = [](auto& item, auto& of) {
    for (auto& number : item.controls) of(control, number, refers);
  };
  const auto of_material_vector = [](auto& vector, auto& of) {
    for (auto& entry : vector.weights) of(control, entry.first, refers);
  };

  visit(
      body, all, "bodies",
      [](auto& item, auto& of) {
        of.range(control, item.first_control, item.control_count);
        of.range(element, item.first_element, item.element_count);
        of.range(vertex, item.first_vertex, item.vertex_count);
        of(stiff_body, item.stiff, owns_or_none);
      },
      world.bodies...);
  visit(body, all, "collision.bodies", nothing, world.collision.bodies...);
  visit(body, first_ones, "applied", nothing, world.applied...);

  visit(control, all, "rest", nothing, world.rest...);
  visit(control, all, "state.position", nothing, world.state.position...);
  visit(control, all, "state.velocity", nothing, world.state.velocity...);
  visit(control, all, "state.acceleration", nothing, world.state.acceleration...);
  visit(control, first_ones, "state.previous_position", nothing, world.state.previous_position...);
  visit(control, first_ones, "state.previous_velocity", nothing, world.state.previous_velocity...);
  visit(control, all, "roles", nothing, world.roles...);
  visit(control, all, "lever", nothing, world.lever...);
  visit(control, all, "gravity_mass", nothing, world.gravity_mass...);
  visit(control, all, "scripted", nothing, world.scripted...);
  visit(control, all, "held", nothing, world.held...);
  visit(control, first_ones, "applied_to_controls", nothing, world.applied_to_controls...);
  visit(
      mass_entry, all, "mass_entries",
      [](auto& item, auto& of) {
        int row = item.row(), column = item.col();
        of(control, row, refers);
        of(control, column, refers);
        if constexpr (!std::is_const_v<std::remove_reference_t<decltype(item)>>)
          item = {row, column, item.value()};
      },
      world.mass_entries...);

  visit(
      element, all, "elements.elements",
      [](auto& item, auto& of) {
        of.range(element_control, item.first_control, item.control_count);
        of(material, item.material, uses);
      },
      world.elements.elements...);
  visit(element_control, all, "elements.controls", refers_to(control), world.elements.controls...);
  visit(material, all, "elements.materials", nothing, world.elements.materials...);
  visit(
      stiff_body, all, "stiff",
      [](auto& item, auto& of) {
        of(body, item.body, refers);
        of.range(control, item.first_control, 4);
      },
      world.stiff...);

  visit(
      script, all, "scripts",
      [controls_of](auto& item, auto& of) {
        controls_of(item, of);
        for (auto& number : item.turned) of(element, number, refers);
      },
      world.scripts...);
  visit(load, all, "loads", controls_of, world.loads...);
  visit(
      torque, all, "torques", [](auto& item, auto& of) { of(stiff_body, item.stiff, refers); },
      world.torques...);

  visit(
      joint, all, "joints",
      [of_material_vector](auto& item, auto& of) {
        of(body, item.body_a, refers_or_none);
        of(body, item.body_b, refers_or_none);
        for (auto* vector : {&item.point_a, &item.point_b, &item.axis_a, &item.axis_b})
          of_material_vector(*vector, of);
        of.range(joint_row, item.first_row, item.row_count);
        // A motor has those of the joint that it drives.
        of(joint_coordinate, item.coordinate, refers_or_none);
        for (auto& number : item.coordinates) of(joint_coordinate, number, refers);
        for (auto& number : item.held) of(joint_drive, number, refers);
      },
      world.joints...);
  visit(
      joint_row, all, "joint_rows",
      [](auto& item, auto& of) {
        of(joint, item.joint, refers);
        for (auto& [scalar, coefficient] : item.entries) {
          int number = scalar / 3;
          of(control, number, refers);
          if constexpr (!std::is_const_v<std::remove_reference_t<decltype(item)>>)
            scalar = 3 * number + scalar % 3;
        }
      },
      world.joint_rows...);
  visit(
      joint_coordinate, all, "joint_coordinates",
      [of_material_vector](auto& item, auto& of) {
        of(joint, item.joint, refers);
        for (auto* vector : {&item.w, &item.u, &item.v}) of_material_vector(*vector, of);
      },
      world.joint_coordinates...);
  visit(joint_coordinate, all, "state.joint_coordinates", nothing, world.state.joint_coordinates...);
  visit(joint_coordinate, first_ones, "state.joint_multipliers", nothing, world.state.joint_multipliers...);
  visit(
      joint_drive, all, "joint_drives",
      [](auto& item, auto& of) {
        of(joint, item.joint, refers);
        of(joint_coordinate, item.drive.coordinate, refers);
      },
      world.joint_drives...);

  visit(vertex, all, "collision.vertex_body", refers_to(body), world.collision.vertex_body...);
  visit(vertex, all, "collision.rest", nothing, world.collision.rest...);
  visit(vertex, first_ones, "collision.radius", nothing, world.collision.radius...);
  visit(vertex, all, "collision.weights", all_refer_to(control), world.collision.weights...);
  visit(triangle, all, "collision.triangles", all_refer_to(vertex), world.collision.triangles...);
  visit(triangle, first_ones, "collision.corner_shares", nothing, world.collision.corner_shares...);
  visit(edge, all, "collision.edges", all_refer_to(vertex), world.collision.edges...);
  visit(edge, all, "collision.edge_role", nothing, world.collision.edge_role...);
  visit(contact_point, all, "collision.points", refers_to(vertex), world.collision.points...);
  visit(
      plane, all, "collision.planes",
      [](auto& item, auto& of) {
        of(vertex, item.vertex, refers);
        of(body, item.body, refers);
      },
      world.collision.planes...);
  visit(
      stiffened_body, all, "state.contact.stiffened",
      [](auto& item, auto& of) { of(body, item.body, refers); }, world.state.contact.stiffened...);
  visit(
      close_pair, all, "state.contact.close",
      [](auto& item, auto& of) {
        of(body, item.body_a, refers);
        of(body, item.body_b, refers);
      },
      world.state.contact.close...);
  visit(exempt_pair, all, "collision.exempt_pairs", all_refer_to(body), world.collision.exempt_pairs...);
  visit(
      friction_pair, all, "friction_pairs",
      [](auto& item, auto& of) {
        of(body, item.first.first, refers);
        of(body, item.first.second, refers);
      },
      world.friction_pairs...);
  visit(unguarded_pair, all, "collision.unguarded_pairs", all_refer_to(body),
        world.collision.unguarded_pairs...);
  visit(
      model_pair, all, "model_pairs",
      [](auto& item, auto& of) {
        of(body, item.first.first, refers);
        of(body, item.first.second, refers);
      },
      world.model_pairs...);
  visit(
      patch_pair, all, "patch_pairs",
      [](auto& item, auto& of) {
        of(body, item.first.first, refers);
        of(body, item.first.second, refers);
      },
      world.patch_pairs...);
  visit(
      contact_history, all, "state.contact_history",
      [](auto& item, auto& of) {
        of(body, item.body_a, refers);
        of(body, item.body_b, refers);
      },
      world.state.contact_history...);
}

/// How many there are of each thing.
std::array<int, thing_count> thing_counts(const World& world);

/// New items, zero, at the ends of all arrays that have one for each such thing.
void append_zeros(World& world, Thing thing, int count);

}  // namespace bulwark
