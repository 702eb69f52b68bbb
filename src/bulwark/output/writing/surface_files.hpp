// A frame in the formats of other programs: what it looks like, as obj, ply or stl; all of it, as legacy VTK.
#pragma once

#include <bulwark/output/frame.hpp>

#include <string>

namespace bulwark {

/// Text; each body is an object of its own with its name, wires are `l`, points are `p`. All digits.
std::string frame_to_obj(const Frame& frame);

/// Binary; vertices in double precision with the number of their body, and faces. Wires are left out: common
/// readers refuse files with edges.
std::string frame_to_ply(const Frame& frame);

/// Binary; triangles alone, in single precision, as the format has it.
std::string frame_to_stl(const Frame& frame);

/// Binary legacy VTK (.vtk): all cells, with body, velocity, contact force and stress where the frame has
/// them.
std::string frame_to_legacy_vtk(const Frame& frame);

}  // namespace bulwark
