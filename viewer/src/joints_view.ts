// Joints in the picture: a ball at the joint's point, a bar along its axis, a thin one between the points of the two
// bodies where they are apart (distances, springs, sliders). They are drawn over everything, since joints lie within
// bodies.
import * as THREE from 'three'
import type { Theme } from './palette'
import { jointSize, type Joint } from './run_data'

const mostJoints = 10000
/** Of the scene's size. */
const ballRadius = 0.0075
const axisLength = 0.12
const axisRadius = 0.0022
const linkRadius = 0.0015

type Bars = THREE.InstancedMesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>

/** Balls and bars, each with a colour of its own. */
function instances(geometry: THREE.BufferGeometry, count: number): Bars {
  const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 })
  const made = new THREE.InstancedMesh(geometry, material, count)
  made.setColorAt(0, new THREE.Color()) // the shader is made for instances with colours
  made.count = 0
  made.frustumCulled = false
  return made
}

export class JointsView {
  readonly object = new THREE.Group()
  private readonly balls = instances(new THREE.SphereGeometry(1, 20, 14), 2 * mostJoints)
  private readonly bars = instances(new THREE.CylinderGeometry(1, 1, 1, 10), 3 * mostJoints)
  private readonly colors = { joint: new THREE.Color(), motor: new THREE.Color() }
  private shown: Float32Array = new Float32Array()

  constructor() {
    this.bars.renderOrder = 101
    this.balls.renderOrder = 102
    this.object.add(this.bars, this.balls)
  }

  setTheme(theme: Theme) {
    this.colors.joint.set(theme.joint)
    this.colors.motor.set(theme.motor)
  }

  /** `rows` as JointsOfRun lists them (src/bulwark/output/viewing/viewed_joints.hpp); `size` is the scene's. */
  show(rows: Float32Array, joints: Joint[], size: number) {
    const count = Math.min(rows.length / jointSize, mostJoints)
    this.shown = rows.subarray(0, count * jointSize)
    this.balls.count = this.bars.count = 0
    const a = new THREE.Vector3()
    const b = new THREE.Vector3()
    const axis = new THREE.Vector3()
    for (let i = 0; i < count; ++i) {
      const row = this.row(i)
      const color = joints[row[0]]?.kind === 'motor' ? this.colors.motor : this.colors.joint
      a.fromArray(row, 1)
      b.fromArray(row, 4)
      const apart = a.distanceTo(b) > 1e-4 * size
      this.addBall(a, ballRadius * size, color)
      if (apart) {
        this.addBall(b, 0.7 * ballRadius * size, color)
        this.addBar(a, b, linkRadius * size, color)
      }
      // The axis of the second body is drawn where it is another one.
      for (const [begin, place] of [
        [7, a],
        [10, b],
      ] as const) {
        axis.fromArray(row, begin)
        if (axis.lengthSq() === 0) continue
        if (begin === 10 && !apart && sameLine(row)) continue
        axis.setLength((axisLength / 2) * size)
        this.addBar(place.clone().sub(axis), place.clone().add(axis), axisRadius * size, color)
      }
    }
    for (const mesh of [this.balls, this.bars]) {
      mesh.instanceMatrix.needsUpdate = true
      mesh.instanceColor!.needsUpdate = true
    }
  }

  /** The number of the joint whose ball is at a place of the picture, or -1. `project` gives the pixel of a point. */
  pick(x: number, y: number, project: (point: THREE.Vector3) => THREE.Vector2): number {
    let nearest = 10 // pixels
    let found = -1
    const point = new THREE.Vector3()
    for (let i = 0; i < this.shown.length / jointSize; ++i) {
      const row = this.row(i)
      for (const begin of [1, 4]) {
        const place = project(point.fromArray(row, begin))
        const distance = Math.hypot(place.x - x, place.y - y)
        if (distance >= nearest) continue
        nearest = distance
        found = row[0]
      }
    }
    return found
  }

  private row(i: number): Float32Array {
    return this.shown.subarray(jointSize * i, jointSize * (i + 1))
  }

  private addBall(place: THREE.Vector3, radius: number, color: THREE.Color) {
    const matrix = new THREE.Matrix4().makeScale(radius, radius, radius).setPosition(place)
    this.add(this.balls, matrix, color)
  }

  private addBar(from: THREE.Vector3, to: THREE.Vector3, radius: number, color: THREE.Color) {
    const along = to.clone().sub(from)
    const length = along.length()
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length))
    const middle = from.clone().add(to).multiplyScalar(0.5)
    const matrix = new THREE.Matrix4().compose(middle, turn, new THREE.Vector3(radius, length, radius))
    this.add(this.bars, matrix, color)
  }

  private add(mesh: Bars, matrix: THREE.Matrix4, color: THREE.Color) {
    mesh.setMatrixAt(mesh.count, matrix)
    mesh.setColorAt(mesh.count, color)
    mesh.count += 1
  }
}

/** Whether the axes of both bodies lie along each other. */
function sameLine(row: Float32Array): boolean {
  const a = new THREE.Vector3().fromArray(row, 7).normalize()
  const b = new THREE.Vector3().fromArray(row, 10).normalize()
  return a.cross(b).length() < 1e-3
}
