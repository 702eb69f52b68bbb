// The bodies of a run in the picture: one set of buffers that frames fill, drawn as moving bodies and as obstacles.
//
// An obstacle that covers moving bodies lets them shine through, and is solid elsewhere: moving bodies are drawn first
// and mark their pixels; obstacles are then drawn solid on unmarked pixels and see-through on marked ones.
import * as THREE from 'three'
import { BodyColoring } from './body_materials'
import type { Frame, Surface } from './run_data'
import type { Rgb, Theme } from './palette'
import { WiresView } from './wires_view'

const seeThrough = 0.32

const emptySurface: Surface = {
  topology: '',
  bodyCount: 0,
  vertexBody: new Uint32Array(1),
  vertexNode: new Int32Array(1),
  cornerVertex: new Uint32Array(1),
  triangles: new Uint32Array(),
  movingTriangles: 0,
  segments: new Uint32Array(),
  dots: new Uint32Array(),
  planes: [],
}

/** What a ray met: a body, and the corner at the nearest of its nodes; -1: none. */
export interface Hit {
  body: number
  corner: number
}

const nothing: Hit = { body: -1, corner: -1 }

export class BodiesView {
  readonly group = new THREE.Group()
  private readonly geometry = new THREE.BufferGeometry()
  private readonly obstacleGeometry = new THREE.BufferGeometry()
  private readonly meshGeometry = new THREE.BufferGeometry()
  private readonly wires = new WiresView()
  private readonly dotGeometry = new THREE.BufferGeometry()
  private readonly obstacles: THREE.Object3D[]
  private readonly dots: THREE.Object3D
  private readonly meshLines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>
  private readonly dotMaterial: THREE.PointsMaterial
  private surface: Surface | null = null
  private frame: Frame | null = null
  private hidden = new Set<number>()
  private meshShown = false
  private cut: THREE.Plane | null = null

  constructor(private readonly coloring: BodyColoring) {
    const marked = { stencilWrite: true, stencilRef: 1 }
    const moving = new THREE.Mesh(
      this.geometry,
      coloring.material(true, { ...marked, stencilZPass: THREE.ReplaceStencilOp }),
    )
    moving.castShadow = moving.receiveShadow = true

    const solid = new THREE.Mesh(
      this.obstacleGeometry,
      coloring.material(false, { ...marked, stencilFunc: THREE.NotEqualStencilFunc }),
    )
    solid.receiveShadow = solid.castShadow = true
    const depth = new THREE.Mesh(
      this.obstacleGeometry,
      coloring.material(false, { ...marked, stencilFunc: THREE.EqualStencilFunc, colorWrite: false }),
    )
    const glass = new THREE.Mesh(
      this.obstacleGeometry,
      coloring.material(false, {
        ...marked,
        stencilFunc: THREE.EqualStencilFunc,
        transparent: true,
        opacity: seeThrough,
        depthFunc: THREE.EqualDepth,
      }),
    )
    glass.receiveShadow = true

    this.meshLines = new THREE.LineSegments(this.meshGeometry, new THREE.LineBasicMaterial({ transparent: true }))
    this.dotMaterial = new THREE.PointsMaterial({ size: 6, sizeAttenuation: false })
    this.dotMaterial.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <clipping_planes_fragment>',
        '#include <clipping_planes_fragment>\nif (length(gl_PointCoord - 0.5) > 0.5) discard;',
      )
    }
    this.obstacles = [solid, depth, glass]
    this.dots = new THREE.Points(this.dotGeometry, this.dotMaterial)

    const drawn = [moving, ...this.obstacles, this.dots, this.meshLines]
    drawn.forEach((object, order) => {
      object.frustumCulled = false // its bounds change with every frame
      object.renderOrder = order + 1
    })
    this.group.add(moving, this.wires.group)
    this.setSurface(emptySurface) // shaders are made for what the buffers hold, and may be made before a run is there
  }

  setTheme(theme: Theme) {
    this.meshLines.material.color.set(theme.mesh)
    this.meshLines.material.opacity = theme.meshOpacity
    this.dotMaterial.color.set(theme.name === 'light' ? '#4a5360' : '#aab4c2')
    this.coloring.uniforms.accent.value.set(theme.accent)
  }

  /** `size` is the scene's. */
  setRun(colors: Rgb[], size: number) {
    this.coloring.setBodies(colors)
    this.wires.setRun(colors, 0.003 * size)
  }

  setSurface(surface: Surface) {
    this.surface = surface
    const corners = surface.cornerVertex.length
    const body = new Float32Array(corners)
    for (let i = 0; i < corners; ++i) body[i] = surface.vertexBody[surface.cornerVertex[i]]
    const attributes: Record<string, THREE.BufferAttribute> = {
      position: new THREE.BufferAttribute(new Float32Array(3 * corners), 3),
      normal: new THREE.BufferAttribute(new Int16Array(4 * corners), 4, true),
      value: new THREE.BufferAttribute(new Float32Array(corners), 1),
      body: new THREE.BufferAttribute(body, 1),
    }
    for (const name of ['position', 'normal', 'value']) attributes[name].setUsage(THREE.DynamicDrawUsage)
    for (const geometry of [this.geometry, this.obstacleGeometry]) {
      geometry.dispose()
      for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute)
    }
    for (const geometry of [this.meshGeometry, this.dotGeometry]) {
      geometry.dispose()
      geometry.setAttribute('position', attributes.position)
    }
    this.setHidden(this.hidden)
  }

  showFrame(frame: Frame) {
    this.frame = frame
    const replace = (name: string, array: THREE.TypedArray) => {
      const attribute = this.geometry.getAttribute(name) as THREE.BufferAttribute
      attribute.array = array
      attribute.needsUpdate = true
    }
    replace('position', frame.positions)
    replace('normal', frame.normals)
    if (frame.values) replace('value', frame.values)
    this.wires.showFrame(frame)
  }

  /** Leaves bodies out, from the picture and from picking. */
  setHidden(hidden: Set<number>) {
    this.hidden = hidden
    const surface = this.surface
    if (!surface) return
    const end = 3 * surface.movingTriangles
    this.geometry.setIndex(this.shown(surface.triangles.subarray(0, end), 3))
    this.obstacleGeometry.setIndex(this.shown(surface.triangles.subarray(end), 3))
    this.wires.setSegments(surface, this.shown(surface.segments, 2).array as Uint32Array)
    this.dotGeometry.setIndex(this.shown(surface.dots, 1))
    this.keep(this.obstacles, surface.triangles.length > end)
    this.keep([this.dots], surface.dots.length > 0)
    this.setMeshShown(this.meshShown)
  }

  /** What is not there at all needs no shader: making them takes long where the processor draws. */
  private keep(objects: THREE.Object3D[], on: boolean) {
    if (on) this.group.add(...objects)
    else this.group.remove(...objects)
  }

  /** Lines along the edges of all triangles. Made when first asked for: they need twice the triangles' memory. */
  setMeshShown(shown: boolean) {
    this.meshShown = shown
    this.keep([this.meshLines], shown)
    this.meshGeometry.setIndex(null)
    if (!shown || !this.surface) return
    const triangles = this.shown(this.surface.triangles, 3).array
    const edges = new Uint32Array(2 * triangles.length)
    for (let t = 0, e = 0; t < triangles.length; t += 3) {
      for (let k = 0; k < 3; ++k) {
        edges[e++] = triangles[t + k]
        edges[e++] = triangles[t + ((k + 1) % 3)]
      }
    }
    this.meshGeometry.setIndex(new THREE.BufferAttribute(edges, 1))
  }

  /** What a ray meets first; obstacles only where it meets nothing that moves. */
  pick(ray: THREE.Ray): Hit {
    if (!this.surface || !this.frame) return nothing
    for (const find of [
      () => this.firstHit(ray, this.geometry.index!.array),
      () => ({ body: this.wires.pick(ray), corner: -1 }),
      () => this.firstHit(ray, this.obstacleGeometry.index!.array),
    ]) {
      const hit = find()
      if (hit.body >= 0) return hit
    }
    return nothing
  }

  /** Leaves out what lies behind the plane; null: nothing. */
  setCut(plane: THREE.Plane | null) {
    this.cut = plane
    const planes = plane ? [plane] : null
    const objects = [...this.group.children, ...this.obstacles, this.meshLines, this.dots, this.wires.group]
    for (const object of objects) {
      object.traverse((part) => {
        const { material } = part as THREE.Mesh
        if (!(material instanceof THREE.Material)) return
        material.clippingPlanes = planes
        material.clipShadows = true
      })
    }
    this.wires.setCut(planes)
  }

  private firstHit(ray: THREE.Ray, triangles: THREE.TypedArray): Hit {
    const positions = this.frame!.positions
    const surface = this.surface!
    const a = new THREE.Vector3()
    const b = new THREE.Vector3()
    const c = new THREE.Vector3()
    const place = new THREE.Vector3()
    const met = new THREE.Vector3()
    let nearest = Infinity
    let body = -1
    for (let t = 0; t < triangles.length; t += 3) {
      a.fromArray(positions, 3 * triangles[t])
      b.fromArray(positions, 3 * triangles[t + 1])
      c.fromArray(positions, 3 * triangles[t + 2])
      if (!ray.intersectTriangle(a, b, c, false, place)) continue
      if (this.cut && this.cut.distanceToPoint(place) < 0) continue
      const distance = ray.origin.distanceToSquared(place)
      if (distance >= nearest) continue
      nearest = distance
      met.copy(place)
      body = surface.vertexBody[surface.cornerVertex[triangles[t]]]
    }
    return body < 0 ? nothing : { body, corner: this.nearestNode(body, met) }
  }

  /** The corner of a body that is a node and nearest to a place; -1: none is. */
  private nearestNode(body: number, place: THREE.Vector3): number {
    const { cornerVertex, vertexBody, vertexNode } = this.surface!
    const at = new THREE.Vector3()
    let nearest = Infinity
    let found = -1
    cornerVertex.forEach((vertex, corner) => {
      if (vertexBody[vertex] !== body || vertexNode[vertex] < 0) return
      const distance = at.fromArray(this.frame!.positions, 3 * corner).distanceToSquared(place)
      if (distance >= nearest || (this.cut && this.cut.distanceToPoint(at) < 0)) return
      nearest = distance
      found = corner
    })
    return found
  }

  private shown(indices: Uint32Array, size: number): THREE.BufferAttribute {
    if (this.hidden.size === 0) return new THREE.BufferAttribute(indices, 1)
    const { cornerVertex, vertexBody } = this.surface!
    const kept = new Uint32Array(indices.length)
    let count = 0
    for (let i = 0; i < indices.length; i += size) {
      if (this.hidden.has(vertexBody[cornerVertex[indices[i]]])) continue
      for (let k = 0; k < size; ++k) kept[count++] = indices[i + k]
    }
    return new THREE.BufferAttribute(kept.slice(0, count), 1)
  }
}
