// Wires in the picture: segments that belong to no triangle, drawn as thin round bars in the colours of their bodies.
import * as THREE from 'three'
import type { Frame, Surface } from './run_data'
import type { Rgb } from './palette'

export class WiresView {
  readonly group = new THREE.Group()
  private readonly bar = new THREE.CylinderGeometry(1, 1, 1, 8, 1)
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.6 })
  private bars: THREE.InstancedMesh | null = null
  private segments: Uint32Array = new Uint32Array()
  private surface: Surface | null = null
  private colors: Rgb[] = []
  private radius = 1
  private frame: Frame | null = null

  setRun(colors: Rgb[], radius: number) {
    this.colors = colors
    this.radius = radius
  }

  setCut(planes: THREE.Plane[] | null) {
    this.material.clippingPlanes = planes
  }

  /** `segments`: the shown ones of the surface, two corners each. */
  setSegments(surface: Surface, segments: Uint32Array) {
    this.surface = surface
    this.segments = segments
    if (this.bars) {
      this.group.remove(this.bars)
      this.bars.dispose()
      this.bars = null
    }
    if (segments.length === 0) return
    this.bars = new THREE.InstancedMesh(this.bar, this.material, segments.length / 2)
    this.bars.frustumCulled = false
    this.bars.castShadow = this.bars.receiveShadow = true
    this.bars.renderOrder = 1
    const color = new THREE.Color()
    for (let i = 0; i < this.bars.count; ++i) {
      const rgb = this.colors[this.bodyOf(i)] ?? [0.5, 0.5, 0.5]
      this.bars.setColorAt(i, color.setRGB(...rgb, THREE.SRGBColorSpace))
    }
    this.group.add(this.bars)
    if (this.frame?.topology === surface.topology) this.showFrame(this.frame)
  }

  showFrame(frame: Frame) {
    this.frame = frame
    if (!this.bars) return
    const up = new THREE.Vector3(0, 1, 0)
    const a = new THREE.Vector3()
    const b = new THREE.Vector3()
    const scale = new THREE.Vector3()
    const turn = new THREE.Quaternion()
    const matrix = new THREE.Matrix4()
    for (let i = 0; i < this.bars.count; ++i) {
      this.ends(i, a, b)
      const length = b.sub(a).length()
      a.addScaledVector(b, 0.5)
      if (length > 0) turn.setFromUnitVectors(up, b.divideScalar(length))
      this.bars.setMatrixAt(i, matrix.compose(a, turn, scale.set(this.radius, length, this.radius)))
    }
    this.bars.instanceMatrix.needsUpdate = true
  }

  /** The body of the nearest wire that a ray passes within a few radii; -1: none. */
  pick(ray: THREE.Ray): number {
    if (!this.bars || !this.frame) return -1
    const a = new THREE.Vector3()
    const b = new THREE.Vector3()
    const place = new THREE.Vector3()
    let nearest = Infinity
    let body = -1
    for (let i = 0; i < this.bars.count; ++i) {
      this.ends(i, a, b)
      if (ray.distanceSqToSegment(a, b, place) > (3 * this.radius) ** 2) continue
      const distance = ray.origin.distanceToSquared(place)
      if (distance >= nearest) continue
      nearest = distance
      body = this.bodyOf(i)
    }
    return body
  }

  private ends(segment: number, a: THREE.Vector3, b: THREE.Vector3) {
    a.fromArray(this.frame!.positions, 3 * this.segments[2 * segment])
    b.fromArray(this.frame!.positions, 3 * this.segments[2 * segment + 1])
  }

  private bodyOf(segment: number): number {
    const { cornerVertex, vertexBody } = this.surface!
    return vertexBody[cornerVertex[this.segments[2 * segment]]]
  }
}
