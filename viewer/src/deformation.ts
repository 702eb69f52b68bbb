// Displacements drawn larger than they are: x' = X + s (x - X), with X the place in the run's first frame.
import { cornerNormals } from './corner_frame'
import type { Frame, Surface } from './run_data'

export const deformationScales = [0, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

export class Deformation {
  scale = 1
  private first: Frame | null = null

  /** The first frame. */
  setFirst(frame: Frame) {
    this.first = frame
  }

  get needsFirst(): boolean {
    return this.scale !== 1 && this.first === null
  }

  /** The frame as it is drawn; as it is where the first one had other cells. */
  apply(frame: Frame, surface: Surface): Frame {
    const { scale, first } = this
    if (scale === 1 || !first || first.topology !== frame.topology) return frame
    const positions = new Float32Array(frame.positions.length)
    for (let i = 0; i < positions.length; ++i)
      positions[i] = first.positions[i] + scale * (frame.positions[i] - first.positions[i])
    return { ...frame, positions, normals: cornerNormals(positions, surface.triangles, positions.length / 3) }
  }
}
