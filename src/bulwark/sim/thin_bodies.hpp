// Adds thin bodies to a world: shells of triangles and rods of segments. Their controls are their vertices,
// all of which collide; a rod has two more per segment, for its material frame (bodies/rod_segment.hpp).
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// Adds a shell, flat or curved, open or closed. The surface has triangles only, and no vertex without one.
int add_shell(World& world, const SurfaceMesh& mesh, const ClothMaterial& material,
              const BodyOptions& options);

/// Adds a rod or a net of rods: the mesh has edges only, and no vertex without one. Where more than two
/// segments meet they are joined stiffly.
int add_rod(World& world, const SurfaceMesh& mesh, const RodMaterial& material, const BodyOptions& options);

/// Segments whose two vertices are both among the controls of the last script are held with their frames, or
/// turned with the script.
void hold_rod_frames(World& world, const std::vector<int>& controls);

/// A body whose collision vertices are its controls; `mesh` is in place. More controls, which belong to no
/// vertex, follow the vertices. Masses and velocities are left to the caller.
int append_vertex_body(World& world, BodyKind kind, const SurfaceMesh& mesh, const Vectors& more_controls,
                       const BodyOptions& options);

}  // namespace bulwark
