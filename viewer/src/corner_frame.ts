// From a frame as it is stored (by vertex) to one that can be drawn (by corner, with normals).
import type { Frame, StoredFrame, Surface } from './run_data'

/** Sums of normals, kept between frames: a fresh array of this size for each would keep the collector busy. */
let sums = new Float32Array(0)

/** The normal of a corner is the sum of its triangles' normals, weighted by their areas. */
export function cornerNormals(positions: Float32Array, triangles: Uint32Array, corners: number): Int16Array {
  if (sums.length < 3 * corners) sums = new Float32Array(3 * corners)
  sums.fill(0, 0, 3 * corners)
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]
    const b = 3 * triangles[t + 1]
    const c = 3 * triangles[t + 2]
    const ax = positions[a]
    const ay = positions[a + 1]
    const az = positions[a + 2]
    const ux = positions[b] - ax
    const uy = positions[b + 1] - ay
    const uz = positions[b + 2] - az
    const vx = positions[c] - ax
    const vy = positions[c + 1] - ay
    const vz = positions[c + 2] - az
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    sums[a] += nx
    sums[a + 1] += ny
    sums[a + 2] += nz
    sums[b] += nx
    sums[b + 1] += ny
    sums[b + 2] += nz
    sums[c] += nx
    sums[c + 1] += ny
    sums[c + 2] += nz
  }
  const normals = new Int16Array(4 * corners)
  for (let i = 0; i < corners; ++i) {
    const x = sums[3 * i]
    const y = sums[3 * i + 1]
    const z = sums[3 * i + 2]
    const length = Math.sqrt(x * x + y * y + z * z)
    const scale = length > 0 ? 32767 / length : 0
    normals[4 * i] = x * scale
    normals[4 * i + 1] = y * scale
    normals[4 * i + 2] = z * scale
  }
  return normals
}

export function cornerFrame(stored: StoredFrame, surface: Surface): Frame {
  const { cornerVertex } = surface
  const corners = cornerVertex.length
  const positions = new Float32Array(3 * corners)
  for (let i = 0; i < corners; ++i) {
    const from = 3 * cornerVertex[i]
    positions[3 * i] = stored.positions[from]
    positions[3 * i + 1] = stored.positions[from + 1]
    positions[3 * i + 2] = stored.positions[from + 2]
  }
  let values: Float32Array | null = null
  if (stored.values) {
    values = new Float32Array(corners)
    for (let i = 0; i < corners; ++i) values[i] = stored.values[cornerVertex[i]]
  }
  const planePoints = new Float32Array(3 * surface.planes.length)
  surface.planes.forEach((plane, i) =>
    planePoints.set(stored.positions.subarray(3 * plane.vertex, 3 * plane.vertex + 3), 3 * i),
  )
  const normals = cornerNormals(positions, surface.triangles, corners)
  return { topology: stored.topology, positions, normals, values, planePoints }
}
