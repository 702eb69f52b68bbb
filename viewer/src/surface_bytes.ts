// The surface from the bytes that pack_surface (src/bulwark/output/viewing/viewed_surface.cpp) made.
import type { Plane, Surface } from './run_data'

const magic = 0x31535742 // "BWS1"

export function readSurface(topology: string, bytes: ArrayBuffer): Surface {
  const head = new Uint32Array(bytes, 0, 9)
  if (head[0] !== magic) throw new Error('the surface of the bodies is not in the format that this page knows')
  const [, bodyCount, vertices, corners, triangles, movingTriangles, segments, dots, planeCount] = head
  let offset = head.byteLength
  const take = (count: number) => {
    const numbers = new Uint32Array(bytes, offset, count)
    offset += numbers.byteLength
    return numbers
  }
  const surface = {
    topology,
    bodyCount,
    vertexBody: take(vertices),
    vertexNode: new Int32Array(take(vertices)),
    cornerVertex: take(corners),
    triangles: take(3 * triangles),
    movingTriangles,
    segments: take(2 * segments),
    dots: take(dots),
  }
  const planes: Plane[] = []
  for (let i = 0; i < planeCount; ++i) {
    const [vertex, body] = take(2)
    const normal = new Float32Array(bytes, offset, 3)
    offset += normal.byteLength
    planes.push({ vertex, body, normal: [normal[0], normal[1], normal[2]] })
  }
  return { ...surface, planes }
}
