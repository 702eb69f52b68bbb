// The picture: camera, light, floor, bodies, contacts, joints.
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { BodiesView, type Hit } from './bodies_view'
import { BodyColoring } from './body_materials'
import { ContactsView } from './contacts_view'
import { GroundView } from './ground_view'
import type { Cut } from './inspection'
import { JointsView } from './joints_view'
import { bodyColor, obstacleColor, type Rgb, type Theme } from './palette'
import type { Body, Box, Field, Frame, Joint, SceneCamera, Surface } from './run_data'

// A three-quarter view, the same as that of `bulwark render`.
const turn = 0.6
const lift = 0.42
const halfViewTangent = 0.35
const fittedFieldOfView = (2 * Math.atan(halfViewTangent) * 180) / Math.PI
const margin = 1.06

export function colorsOf(bodies: Body[]): Rgb[] {
  let moving = 0
  return bodies.map((body) => (body.obstacle ? obstacleColor : bodyColor(moving++)))
}

/** Low and high corner of the boxes together; a body that has flown far away does not count. */
function jointBox(first: Box, last: Box): THREE.Box3 {
  const box = (b: Box) => new THREE.Box3(new THREE.Vector3(b[0], b[1], b[2]), new THREE.Vector3(b[3], b[4], b[5]))
  const size = (b: THREE.Box3) => b.getSize(new THREE.Vector3()).length()
  const joint = box(first).union(box(last))
  return size(joint) < 3 * size(box(first)) || size(box(first)) === 0 ? joint : box(first)
}

function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  return /swiftshader|llvmpipe|software/i.test(name)
}

/** The processor will draw, since the browser finds no graphics card. */
export function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2')
  const software = gl !== null && isSoftware(gl)
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return software
}

export class Picture {
  private readonly renderer: THREE.WebGLRenderer
  private readonly scene = new THREE.Scene()
  private readonly camera = new THREE.PerspectiveCamera(fittedFieldOfView, 1, 0.01, 100)
  private controls: OrbitControls
  private readonly coloring = new BodyColoring()
  private readonly bodiesView = new BodiesView(this.coloring)
  private readonly contactsView = new ContactsView()
  private readonly jointsView = new JointsView()
  private readonly mark = new THREE.Points(
    new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3), 3)),
    new THREE.PointsMaterial({ size: 9, sizeAttenuation: false, depthTest: false, color: '#e0245e' }),
  )
  private readonly sun = new THREE.DirectionalLight('#fff6ea', 2.0)
  private readonly fill = new THREE.DirectionalLight('#e6edff', 0.5)
  private readonly sky = new THREE.HemisphereLight('#f7f9ff', '#c9c2b8', 1.8)
  private grounds = [new GroundView()]
  private theme: Theme | null = null
  private surface: Surface | null = null
  private bodies: Body[] = []
  private joints: Joint[] = []
  private sceneCamera: SceneCamera | null = null
  /** Turns y to where up is. */
  private readonly upright = new THREE.Quaternion()
  private box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1))
  private dirty = true
  private mostPixels = 2 // of the screen, along each side of one of the page's

  constructor(
    private readonly canvas: HTMLCanvasElement,
    antialias: boolean,
  ) {
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias,
      stencil: true,
      powerPreference: 'high-performance',
    })
    this.renderer.localClippingEnabled = true
    this.mark.renderOrder = 100
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = THREE.PCFShadowMap
    this.renderer.toneMapping = THREE.NeutralToneMapping
    this.renderer.toneMappingExposure = 1.0
    this.sun.castShadow = true
    this.sun.shadow.mapSize.set(2048, 2048)
    this.sun.shadow.radius = 3
    this.scene.add(
      this.sky,
      this.sun,
      this.sun.target,
      this.fill,
      this.bodiesView.group,
      this.grounds[0].object,
    )
    this.controls = this.makeControls()
  }

  /** Turning is about the direction that is the camera's up when they are made. */
  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas)
    controls.enableDamping = true
    controls.dampingFactor = 0.12
    controls.zoomToCursor = true
    controls.addEventListener('change', () => (this.dirty = true))
    return controls
  }

  /** The processor draws, since the browser found no graphics card. */
  get isSoftware(): boolean {
    return isSoftware(this.renderer.getContext())
  }

  /** Makes the shaders, so that the first frame need not wait for them. */
  prepare() {
    this.renderer.compile(this.scene, this.camera)
  }

  get size(): number {
    return Math.max(1e-9, this.box.getSize(new THREE.Vector3()).length())
  }

  setTheme(theme: Theme) {
    this.theme = theme
    this.scene.background = skyTexture(theme)
    this.bodiesView.setTheme(theme)
    this.contactsView.setTheme(theme)
    this.jointsView.setTheme(theme)
    for (const ground of this.grounds) ground.setTheme(theme)
    this.sky.intensity = theme.name === 'light' ? 1.9 : 1.5
    this.dirty = true
  }

  setRun(bodies: Body[], first: Box, last: Box) {
    this.bodies = bodies
    this.box = jointBox(first, last)
    this.bodiesView.setRun(colorsOf(bodies), this.size)
    this.placeSun()
    this.fit()
  }

  /** Which way is up, and where the scene file looks from; before setRun. */
  setView(up: THREE.Vector3, camera: SceneCamera | null) {
    this.sceneCamera = camera
    this.upright.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up)
    this.camera.up.copy(up)
    this.controls.dispose()
    this.controls = this.makeControls()
  }

  setJoints(joints: Joint[]) {
    this.joints = joints
  }

  setSurface(surface: Surface) {
    this.surface = surface
    this.bodiesView.setSurface(surface)
    this.scene.remove(...this.grounds.map((ground) => ground.object))
    const count = Math.max(1, surface.planes.length)
    this.grounds = Array.from({ length: count }, () => new GroundView())
    if (this.theme) for (const ground of this.grounds) ground.setTheme(this.theme)
    this.scene.add(...this.grounds.map((ground) => ground.object))
    this.placedGround = ''
    this.dirty = true
  }

  private placedGround = ''

  showFrame(frame: Frame) {
    if (frame.topology !== this.surface?.topology) return
    this.bodiesView.showFrame(frame)
    this.placeGrounds(frame)
    this.dirty = true
  }

  showContacts(contacts: Float32Array, strongest: number) {
    this.scene.add(this.contactsView.object)
    this.contactsView.show(contacts, this.bodies, this.size, strongest)
    this.dirty = true
  }

  showJoints(rows: Float32Array) {
    this.scene.add(this.jointsView.object)
    this.jointsView.show(rows, this.joints, this.size)
    this.dirty = true
  }

  /** The joint at a place of the page, in pixels; null: none. */
  jointAt(x: number, y: number): Joint | null {
    const bounds = this.canvas.getBoundingClientRect()
    const number = this.jointsView.pick(x - bounds.left, y - bounds.top, (point) => {
      const seen = point.clone().project(this.camera)
      return new THREE.Vector2(((seen.x + 1) / 2) * bounds.width, ((1 - seen.y) / 2) * bounds.height)
    })
    return this.joints[number] ?? null
  }

  setField(field: Field | null, scaleEnd: number) {
    this.coloring.setField(field, scaleEnd)
    this.dirty = true
  }

  select(body: number) {
    this.coloring.uniforms.selectedBody.value = body
    this.dirty = true
  }

  setHidden(hidden: Set<number>) {
    this.bodiesView.setHidden(hidden)
    this.dirty = true
  }

  setMeshShown(shown: boolean) {
    this.bodiesView.setMeshShown(shown)
    this.dirty = true
  }

  setShadows(on: boolean) {
    this.sun.castShadow = on
    this.dirty = true
  }

  /** Cuts the bodies open; null: leaves them whole. Returns where, m. */
  setCut(cut: Cut | null): number {
    this.dirty = true
    if (!cut) {
      this.bodiesView.setCut(null)
      return 0
    }
    const low = this.box.min[cut.axis]
    const margin = 1e-3 * this.size // the last steps of the slider cut nothing, or all
    const place = low - margin + cut.part * (this.box.max[cut.axis] - low + 2 * margin)
    const normal = new THREE.Vector3()
    normal[cut.axis] = -cut.side
    this.bodiesView.setCut(new THREE.Plane(normal, cut.side * place))
    return place
  }

  /** Marks a point; null: none. */
  setMark(place: [number, number, number] | null) {
    this.dirty = true
    this.scene.remove(this.mark)
    if (!place) return
    this.mark.position.set(...place)
    this.scene.add(this.mark)
  }

  /** What is at a place of the canvas, in pixels of the page. */
  pick(x: number, y: number): Hit {
    const bounds = this.canvas.getBoundingClientRect()
    const place = new THREE.Vector2(
      (2 * (x - bounds.left)) / bounds.width - 1,
      1 - (2 * (y - bounds.top)) / bounds.height,
    )
    const caster = new THREE.Raycaster()
    caster.setFromCamera(place, this.camera)
    return this.bodiesView.pick(caster.ray)
  }

  /** Pixels of the page that a metre takes in the middle of the picture. */
  get pixelsPerMetre(): number {
    const distance = this.camera.position.distanceTo(this.controls.target)
    return this.canvas.clientHeight / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * Math.max(1e-12, distance))
  }

  /** Looks as the scene file says; at all that moves where it says nothing. */
  showSceneView() {
    if (!this.sceneCamera) return this.fit()
    const { position, target, field_of_view_degrees } = this.sceneCamera
    this.lookFrom(new THREE.Vector3(...position), new THREE.Vector3(...target), field_of_view_degrees)
  }

  private lookFrom(position: THREE.Vector3, target: THREE.Vector3, fieldOfView: number) {
    this.camera.fov = fieldOfView
    this.camera.position.copy(position)
    this.controls.target.copy(target)
    this.controls.minDistance = this.size / 200
    this.controls.maxDistance = Math.max(this.size * 20, 2 * position.distanceTo(target))
    this.camera.updateProjectionMatrix()
    this.controls.update()
    this.dirty = true
  }

  /** Looks at all that moves, from the front, the right and above; at a planar scene from the front alone. */
  fit() {
    const aspect = Math.max(0.2, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight))
    const planar = this.box.min.z === 0 && this.box.max.z === 0
    const [aside, above] = planar ? [0, 0] : [turn, lift]
    const forward = new THREE.Vector3(
      -Math.cos(above) * Math.sin(aside),
      -Math.sin(above),
      -Math.cos(above) * Math.cos(aside),
    ).applyQuaternion(this.upright)
    const right = new THREE.Vector3().crossVectors(forward, this.camera.up).normalize()
    const up = new THREE.Vector3().crossVectors(right, forward)
    const middle = this.box.getCenter(new THREE.Vector3())
    let distance = 1e-3 * this.size
    for (let i = 0; i < 8; ++i) {
      const { min, max } = this.box
      const corner = new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(middle)
      const across = Math.abs(corner.dot(right)) / (halfViewTangent * aspect)
      const along = Math.abs(corner.dot(up)) / halfViewTangent
      distance = Math.max(distance, margin * Math.max(across, along) - corner.dot(forward))
    }
    this.lookFrom(middle.clone().addScaledVector(forward, -distance), middle, fittedFieldOfView)
  }

  /** Makes drawing cheaper where it is slow: first with fewer pixels, then without shadows. */
  giveUpSome() {
    if (Math.min(window.devicePixelRatio, this.mostPixels) > 1) {
      this.mostPixels = 1
      this.resize()
    } else {
      this.setShadows(false)
    }
  }

  get shadows(): boolean {
    return this.sun.castShadow
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas
    if (width === 0 || height === 0) return
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.mostPixels))
    this.renderer.setSize(width, height, false)
    this.camera.aspect = width / height
    this.camera.updateProjectionMatrix()
    this.dirty = true
  }

  /** Draws if anything has changed. */
  draw(): boolean {
    this.controls.update()
    if (!this.dirty) return false
    this.dirty = false
    const distance = this.camera.position.distanceTo(this.controls.target)
    this.camera.near = distance / 100
    this.camera.far = distance + 30 * this.size
    this.camera.updateProjectionMatrix()
    this.renderer.render(this.scene, this.camera)
    return true
  }

  private placeSun() {
    const middle = this.box.getCenter(new THREE.Vector3())
    const radius = this.size
    const upwards = (x: number, y: number, z: number) => new THREE.Vector3(x, y, z).applyQuaternion(this.upright)
    this.sun.position.copy(middle).addScaledVector(upwards(0.62, 1.25, 0.42).normalize(), 4 * radius)
    this.sun.target.position.copy(middle)
    this.fill.position.copy(middle).add(upwards(-1, 0.5, 0.8))
    this.sky.position.copy(upwards(0, 1, 0))
    this.fill.target.position.copy(middle)
    const shadow = this.sun.shadow
    Object.assign(shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius })
    Object.assign(shadow.camera, { near: 2 * radius, far: 7 * radius })
    shadow.camera.updateProjectionMatrix()
    shadow.normalBias = 0.002 * this.size
    shadow.bias = -0.0004
  }

  /** Floors where the run has planes; where it has none, one below everything, for the eye. */
  private placeGrounds(frame: Frame) {
    const planes = this.surface!.planes
    const places = planes.length > 0 ? frame.planePoints.join() : 'below'
    if (places === this.placedGround) return
    this.placedGround = places
    const middle = this.box.getCenter(new THREE.Vector3())
    if (planes.length === 0) {
      const { up } = this.camera
      let lowest = Math.min(this.box.min.dot(up), this.box.max.dot(up))
      const place = new THREE.Vector3()
      for (let i = 0; i < frame.positions.length; i += 3)
        lowest = Math.min(lowest, place.fromArray(frame.positions, i).dot(up))
      this.grounds[0].place(up.clone().multiplyScalar(lowest - 0.002 * this.size), up, middle, this.size)
    }
    planes.forEach((plane, i) => {
      const point = new THREE.Vector3().fromArray(frame.planePoints, 3 * i)
      this.grounds[i].place(point, new THREE.Vector3(...plane.normal), middle, this.size)
    })
  }
}

/** A sky that brightens towards the horizon. */
function skyTexture(theme: Theme): THREE.CanvasTexture {
  const canvas = document.createElement('canvas')
  canvas.width = 2
  canvas.height = 256
  const context = canvas.getContext('2d')!
  const gradient = context.createLinearGradient(0, 0, 0, canvas.height)
  gradient.addColorStop(0, theme.skyTop)
  gradient.addColorStop(1, theme.skyBottom)
  context.fillStyle = gradient
  context.fillRect(0, 0, canvas.width, canvas.height)
  const texture = new THREE.CanvasTexture(canvas)
  texture.colorSpace = THREE.SRGBColorSpace
  return texture
}
