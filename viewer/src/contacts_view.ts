// Contacts in the picture: an arrow at each, along the force on the body that moves, longer for more force. They are
// drawn over everything, since contacts lie between bodies.
import * as THREE from 'three'
import { contactSize, type Body } from './run_data'
import type { Theme } from './palette'

const mostArrows = 20000

/** In metres: the longest arrow, for `strongest` newtons, is a twelfth of the scene's size; others go by the square root
 *  of their force, so that weak ones are seen too. */
export function arrowLength(newtons: number, size: number, strongest: number): number {
  return (size / 12) * Math.sqrt(Math.min(1, strongest > 0 ? newtons / strongest : 0))
}

const shortestPart = 0.04 // of the longest: arrows that are shorter would not be seen

/** An arrow of length 1 along y. */
function arrowGeometry(): THREE.BufferGeometry {
  const outline = [
    [0, 0],
    [0.022, 0],
    [0.022, 0.72],
    [0.075, 0.72],
    [0, 1],
  ].map(([x, y]) => new THREE.Vector2(x, y))
  return new THREE.LatheGeometry(outline, 10)
}

export class ContactsView {
  readonly object: THREE.InstancedMesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>

  constructor() {
    const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 })
    this.object = new THREE.InstancedMesh(arrowGeometry(), material, mostArrows)
    this.object.count = 0
    this.object.frustumCulled = false
    this.object.renderOrder = 100
  }

  setTheme(theme: Theme) {
    this.object.material.color.set(theme.contact)
  }

  /** `size` is the scene's; `strongest` newtons belong to the longest arrow. */
  show(contacts: Float32Array, bodies: Body[], size: number, strongest: number) {
    const count = Math.min(contacts.length / contactSize, mostArrows)
    const up = new THREE.Vector3(0, 1, 0)
    const force = new THREE.Vector3()
    const place = new THREE.Vector3()
    const turn = new THREE.Quaternion()
    const scale = new THREE.Vector3()
    const matrix = new THREE.Matrix4()
    for (let i = 0; i < count; ++i) {
      const c = contacts.subarray(contactSize * i, contactSize * (i + 1))
      place.set(c[2], c[3], c[4])
      force.set(c[5] + c[8], c[6] + c[9], c[7] + c[10])
      if (bodies[c[0]]?.obstacle) force.negate()
      const newtons = force.length()
      if (newtons > 0) turn.setFromUnitVectors(up, force.divideScalar(newtons))
      const length = Math.max((shortestPart * size) / 12, arrowLength(newtons, size, strongest))
      scale.set(size / 22, length, size / 22)
      this.object.setMatrixAt(i, matrix.compose(place, turn, scale))
    }
    this.object.count = count
    this.object.instanceMatrix.needsUpdate = true
  }

  static strongest(contacts: Float32Array): number {
    let strongest = 0
    for (let i = 0; i < contacts.length; i += contactSize) {
      const force = Math.hypot(
        contacts[i + 5] + contacts[i + 8],
        contacts[i + 6] + contacts[i + 9],
        contacts[i + 7] + contacts[i + 10],
      )
      strongest = Math.max(strongest, force)
    }
    return strongest
  }
}
