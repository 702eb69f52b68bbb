// The viewer: brings run, picture, transport, panel and plots together.
import { Vector3 } from 'three'
import { ArrowScale } from './arrow_scale'
import { Chart } from './chart'
import { chartKinds } from './chart_kinds'
import { Deformation } from './deformation'
import { element, iconButton } from './dom'
import { count } from './format'
import { FieldColors } from './field_colors'
import { FrameCache } from './frame_cache'
import { FrameDetails } from './frame_details'
import { bindKeys, helpCard } from './keys'
import { themes } from './palette'
import { Panel } from './panel'
import { colorsOf, drawsInSoftware, Picture } from './picture'
import { Playback } from './playback'
import { RunClient } from './run_client'
import type { Body, Field, RunDescription, Surface } from './run_data'
import { StepsTable } from './steps_table'
import { speeds, Transport } from './transport'

const pollMilliseconds = 1000
const failureMilliseconds = 6000 // that a message stays
const slowPicture = 0.07 // s
/** With more triangles than this there are no shadows at first where the processor draws, and no smooth edges: each of
 *  them doubles the work. */
const mostSoftwareTriangles = 100_000
const narrow = () => window.matchMedia('(max-width: 760px)').matches

export class Viewer {
  private readonly playback = new Playback()
  private readonly cache: FrameCache
  private readonly table = new StepsTable()
  private readonly picture: Picture
  private readonly colors: FieldColors
  private readonly details: FrameDetails
  private readonly transport: Transport
  private readonly panel: Panel
  private readonly charts: Chart[]
  private readonly app = document.getElementById('app')!
  private readonly deformation = new Deformation()
  /** Corner of the surface that was pressed; -1: none. */
  private probed = -1
  private readonly arrowScale = new ArrowScale()
  private readonly view = element('div', { class: 'view' })
  private readonly heading = element('header', { class: 'heading' })
  private readonly notice = element('div', { class: 'notice', role: 'alert' })
  private readonly tip = element('div', { class: 'tip card' })
  private readonly help = helpCard(() => (this.help.hidden = true))

  private readonly bodies: Body[]
  /** What the number keys colour by. */
  private colorChoices: (Field | null)[] = []
  private steps: number[] = []
  private surfaces = new Map<string, Promise<Surface>>()
  private surface: Surface | null = null
  private shownIndex = -1
  private readonly hidden = new Set<number>()
  private following = false
  private lastTick = 0
  private failure = { text: '', until: 0 }
  private slowTicks = 0
  private firstDrawn = false
  private themeName: 'light' | 'dark'

  /** `client` is that of the run which the page carries, or of the server that it came from. */
  constructor(
    private readonly client: RunClient,
    private run: RunDescription,
    private readonly inlined: boolean,
  ) {
    this.bodies = run.bodies!
    this.cache = new FrameCache(
      (index, field) => this.client.frame(index, this.steps[index], field),
      (index) => this.frameArrived(index),
    )
    const canvas = element('canvas', { class: 'picture', 'aria-label': 'The run; drag to turn, wheel to zoom' })
    this.panel = new Panel({
      color: (field) => this.colorBy(field),
      showContacts: (on) => this.showContacts(on),
      showJoints: (on) => this.showJoints(on),
      showMesh: (on) => this.picture.setMeshShown(on),
      showShadows: (on) => this.setShadows(on),
      select: (body) => this.select(body),
      hide: (body, hide) => {
        if (hide) this.hidden.add(body)
        else this.hidden.delete(body)
        this.picture.setHidden(this.hidden)
      },
      inspection: {
        setDeformationScale: (scale) => this.setDeformationScale(scale),
        setCut: (cut) => this.picture.setCut(cut),
      },
    })
    this.transport = new Transport({
      toggle: () => this.toggle(),
      step: (frames) => this.step(frames),
      seek: (index) => this.seek(index),
      setSpeed: (speed) => this.setSpeed(speed),
      setLoop: (loop) => (this.playback.loop = loop),
      follow: () => this.follow(!this.following),
    })
    this.charts = chartKinds.map((kind) => new Chart(kind, (time) => this.seek(this.playback.nearest(time))))
    const chartRow = element('div', { class: 'charts' }, ...this.charts.map((chart) => chart.root))
    const tools = element(
      'nav',
      { class: 'tools' },
      iconButton('fit', 'Whole scene (F)', () => this.picture.fit()),
      iconButton('theme', 'Light or dark (T)', () => this.switchTheme()),
      iconButton('charts', 'Plots (P)', () => this.toggleCharts()),
      iconButton('panel', 'Panel (B)', () => this.togglePanel()),
      iconButton('help', 'Keys (?)', () => (this.help.hidden = !this.help.hidden)),
    )
    this.notice.hidden = true
    this.tip.hidden = true
    this.picture = new Picture(canvas, run.triangles! <= mostSoftwareTriangles || !drawsInSoftware())
    this.colors = new FieldColors(this.client, this.picture, this.panel, this.fail)
    this.details = new FrameDetails(this.client, this.picture, this.panel, this.arrowScale, this.fail)
    // Nothing but passing messages lies over the picture.
    this.view.append(canvas, this.tip, this.notice, this.help)
    const legends = element('div', { class: 'legends' }, this.colors.bar.root, this.arrowScale.root)
    this.app.append(
      element('div', { class: 'top' }, this.heading, tools),
      element('div', { class: 'workspace' }, element('main', { class: 'stage' }, this.view, legends), this.panel.root),
      element('footer', { class: 'dock' }, this.transport.root, chartRow),
    )
    this.app.classList.toggle('no-panel', narrow())
    this.app.classList.toggle('no-charts', narrow() || window.innerHeight < 560)

    const stored = window.matchMedia('(prefers-color-scheme: dark)')
    this.themeName = stored.matches ? 'dark' : 'light'
    stored.addEventListener('change', () => this.setTheme(stored.matches ? 'dark' : 'light'))
    this.setTheme(this.themeName)
    this.transport.setLoop(this.playback.loop)
    this.layOut()
    new ResizeObserver(() => this.layOut()).observe(this.view)
    this.watchPointer(canvas)
    this.bindKeys()
    if (this.picture.isSoftware) this.setShadows(false)
    this.picture.prepare()
  }

  async start() {
    const { run } = this
    this.addFrames(run)
    this.playback.seek(0)
    document.title = `${run.title || run.folder} – Bulwark`
    this.picture.setView(new Vector3(...run.up!), run.camera ?? null)
    this.picture.setRun(this.bodies, run.bounds!.first, run.bounds!.last)
    this.picture.showSceneView()
    this.picture.setJoints(run.joints!)
    this.panel.setJoints(run.joints!.length)
    this.panel.setBodies(this.bodies, colorsOf(this.bodies))
    this.colorChoices = this.panel.setFields(run.fields!)
    this.setSpeed(this.usualSpeed())
    this.showHeading()
    requestAnimationFrame((now) => this.tick(now))
    await this.readSteps()
    if (run.state === 'running') this.follow(true)
    if (!this.inlined && run.state === 'running') this.poll()
  }

  /** Short runs are shown slower, so that there is something to see. */
  private usualSpeed(): number {
    const wanted = this.playback.duration / 4
    return this.playback.duration >= 2.5
      ? 1
      : (speeds.filter((speed) => speed <= Math.max(wanted, speeds[0])).pop() ?? 1)
  }

  private addFrames(run: RunDescription) {
    this.steps.push(...run.steps)
    this.playback.times.push(...run.times)
    this.transport.setFrames(this.playback.count)
  }

  // --- what is on the screen ---

  private tick(now: number) {
    const seconds = Math.min(0.1, (now - this.lastTick) / 1000)
    this.lastTick = now
    const { playback } = this
    let stride = 1
    if (playback.playing) {
      const natural = playback.strideFor(0)
      const ready = playback.upcoming(natural, 12).every((index) => this.cache.has(index))
      stride = ready ? natural : playback.strideFor(this.cache.interval)
      playback.advance(
        seconds,
        stride,
        this.shownIndex,
        (index) => this.cache.has(index) || this.cache.errorOf(index) !== undefined,
      )
    }
    const index = playback.playing ? playback.dueNow(stride, this.shownIndex) : playback.index
    // The first picture has the machine for itself.
    const ahead = !this.firstDrawn ? 0 : playback.playing ? Math.min(32, Math.floor(this.cache.room / 2)) : 4
    this.cache.want([
      index,
      ...playback.upcoming(stride, ahead),
      ...(index > 0 && !playback.playing && ahead > 0 ? [index - 1] : []),
    ])
    if (index !== this.shownIndex && this.cache.has(index)) this.show(index)
    const error = this.cache.errorOf(index)
    this.showNotice(
      error ? `Frame of step ${this.steps[index]}: ${error}` : now < this.failure.until ? this.failure.text : '',
    )
    const time = playback.times[index] ?? 0
    this.transport.show(index, playback.count, time, playback.times[playback.count - 1] ?? 0, playback.playing)
    for (const chart of this.charts) chart.setTime(time)
    if (this.picture.draw()) {
      this.arrowScale.update(this.picture.pixelsPerMetre, this.picture.size)
      this.noteDrawn()
      this.keepFluent(seconds)
    } else {
      this.slowTicks = 0
    }
    requestAnimationFrame((next) => this.tick(next))
  }

  /** Gives up pixels, then shadows, when one picture after another takes long. */
  private keepFluent(seconds: number) {
    this.slowTicks = seconds > slowPicture ? this.slowTicks + 1 : 0
    if (this.slowTicks < 12) return
    this.slowTicks = 0
    this.picture.giveUpSome()
    this.panel.setChecked('shadows', this.picture.shadows)
  }

  private setShadows(on: boolean) {
    this.picture.setShadows(on)
    this.panel.setChecked('shadows', on)
  }

  private setMesh(on: boolean) {
    this.picture.setMeshShown(on)
    this.panel.setChecked('mesh', on)
  }

  /** For those who measure: which frame is on the screen, and when the first one was. */
  private noteDrawn() {
    const first = this.app.dataset.drawn === undefined && this.shownIndex >= 0
    if (this.shownIndex >= 0) this.app.dataset.drawn = String(this.shownIndex)
    if (!first) return
    requestAnimationFrame(() => {
      performance.mark('first picture')
      this.firstDrawn = true
    })
    if (this.picture.isSoftware && this.surface!.triangles.length <= 3 * mostSoftwareTriangles) this.setShadows(true)
  }

  private frameArrived(index: number) {
    const frame = this.cache.get(index)
    if (!frame || this.surfaces.has(frame.topology)) return
    const surface = this.client.surface(frame.topology)
    this.surfaces.set(frame.topology, surface)
    surface.then((ready) => {
      if (this.shownIndex < 0) this.useSurface(ready)
    }, this.fail)
  }

  private show(index: number) {
    const frame = this.cache.get(index)!
    if (frame.topology !== this.surface?.topology) {
      void this.surfaces.get(frame.topology)?.then((surface) => this.useSurface(surface), this.fail)
      return // shown by a later tick
    }
    this.shownIndex = index
    this.picture.showFrame(this.deformation.apply(frame, this.surface))
    this.colors.shown(frame)
    this.showProbe()
    this.details.show(index, this.steps[index])
  }

  private useSurface(surface: Surface) {
    if (surface.topology === this.surface?.topology) return
    this.surface = surface
    this.probed = -1
    this.picture.setSurface(surface)
    this.showHeading()
  }

  private showHeading() {
    const { run } = this
    const triangles = this.surface ? ` · ${count(this.surface.triangles.length / 3, 'triangle')}` : ''
    const left = run.frames_of_run ?? 0
    const frames = left > this.playback.count ? ` · ${this.playback.count} of ${count(left, 'frame')}` : ''
    const state = element('span', { class: `state ${run.state.replace(' ', '-')}`, title: run.message }, run.state)
    this.heading.replaceChildren(
      element('h1', {}, run.title || run.folder),
      element(
        'p',
        {},
        run.state === 'unknown' ? null : state,
        `${count(this.bodies.length, 'body').replace('bodys', 'bodies')}${triangles}${frames}`,
      ),
    )
  }

  private showNotice(text: string) {
    this.notice.hidden = text === ''
    if (this.notice.textContent !== text) this.notice.textContent = text
  }

  private readonly fail = (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    this.failure = { text, until: performance.now() + failureMilliseconds }
  }

  // --- what is shown beside bodies ---

  private colorBy(field: Field | null) {
    if (field === this.colors.field) return
    this.cache.reset(field?.name ?? null)
    this.shownIndex = -1
    this.colors.choose(field)
  }

  private showContacts(on: boolean) {
    this.panel.setChecked('contacts', on)
    this.details.wantContacts(on)
  }

  private showJoints(on: boolean) {
    this.panel.setChecked('joints', on)
    this.details.wantJoints(on)
    this.tip.hidden = true
  }

  private select(body: number) {
    this.picture.select(body)
    this.panel.select(body)
    this.details.wantBodies(body >= 0)
  }

  private setDeformationScale(scale: number) {
    this.deformation.scale = scale
    this.shownIndex = -1 // shown again by the next tick
    if (!this.deformation.needsFirst) return
    this.client.frame(0, this.steps[0], null).then((frame) => {
      this.deformation.setFirst(frame)
      this.shownIndex = -1
    }, this.fail)
  }

  /** What the pressed point has in the frame that is shown. */
  private showProbe() {
    const frame = this.cache.get(this.shownIndex)
    const { surface, probed } = this
    if (!frame || !surface || probed < 0) {
      this.panel.inspection.showProbe(null)
      return this.picture.setMark(null)
    }
    const at = (positions: Float32Array) => Array.from(positions.subarray(3 * probed, 3 * probed + 3)) as [number, number, number]
    const vertex = surface.cornerVertex[probed]
    this.panel.inspection.showProbe({
      body: this.bodies[surface.vertexBody[vertex]].name,
      node: surface.vertexNode[vertex],
      position: at(frame.positions),
      field: this.colors.field,
      value: frame.values ? frame.values[probed] : null,
    })
    this.picture.setMark(at(this.deformation.apply(frame, surface).positions))
  }

  private press(x: number, y: number) {
    const { body, corner } = this.picture.pick(x, y)
    this.select(body)
    this.probed = corner
    this.showProbe()
  }

  // --- time ---

  private toggle() {
    this.follow(false)
    this.playback.toggle()
  }

  private seek(index: number) {
    this.follow(false)
    this.playback.playing = false
    this.playback.seek(index)
  }

  private step(frames: number) {
    this.seek(this.playback.index + frames)
  }

  private setSpeed(speed: number) {
    this.playback.speed = speed
    this.transport.setSpeed(speed)
  }

  private nextSpeed(direction: number) {
    const now = speeds.indexOf(this.playback.speed)
    this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, now + direction))])
  }

  // --- a run that is going ---

  private follow(on: boolean) {
    const running = this.run.state === 'running' && !this.inlined
    this.following = on && running
    this.transport.setLive(running, this.following)
    if (!this.following) return
    this.playback.playing = false
    this.playback.seek(this.playback.count - 1)
  }

  private poll() {
    window.setTimeout(async () => {
      try {
        const run = await this.client.describe(this.playback.count)
        if (run.identity !== this.run.identity) return location.reload()
        this.run = { ...this.run, state: run.state, message: run.message }
        if (run.steps.length > 0) {
          this.addFrames(run)
          await this.readSteps()
        }
        this.showHeading()
        this.follow(this.following)
      } catch (error) {
        this.fail(error)
      }
      if (this.run.state === 'running') this.poll()
      else this.colors.forgetScales()
    }, pollMilliseconds)
  }

  private async readSteps() {
    this.table.append(await this.client.steps(this.table.nextByte))
    const times = this.playback.times
    for (const chart of this.charts) chart.setData(this.table, [times[0], times[times.length - 1]])
    if (this.table.length === 0) this.app.classList.add('no-charts')
  }

  // --- the page ---

  private layOut() {
    this.picture.resize()
    if (this.shownIndex >= 0) this.picture.draw() // at once: a canvas that changes its size is blank until then
  }

  private togglePanel() {
    this.app.classList.toggle('no-panel')
  }

  private toggleCharts() {
    this.app.classList.toggle('no-charts')
  }

  private switchTheme() {
    this.setTheme(this.themeName === 'dark' ? 'light' : 'dark')
  }

  private setTheme(name: 'light' | 'dark') {
    this.themeName = name
    document.documentElement.dataset.theme = name
    this.picture.setTheme(themes[name])
    for (const chart of this.charts) chart.redraw()
  }

  /** A press without a drag picks. */
  private watchPointer(canvas: HTMLCanvasElement) {
    let pressed = { x: 0, y: 0 }
    canvas.addEventListener('pointerdown', (event) => (pressed = { x: event.clientX, y: event.clientY }))
    canvas.addEventListener('pointerup', (event) => {
      const moved = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y)
      if (event.button === 0 && moved < 5) this.press(event.clientX, event.clientY)
    })
    canvas.addEventListener('dblclick', () => this.picture.fit())
    canvas.addEventListener('pointermove', (event) => this.nameJoint(event))
    canvas.addEventListener('pointerleave', () => (this.tip.hidden = true))
  }

  private nameJoint(event: PointerEvent) {
    if (!this.details.jointsWanted) return
    const joint = event.buttons === 0 ? this.picture.jointAt(event.clientX, event.clientY) : null
    this.tip.hidden = joint === null
    if (!joint) return
    this.tip.textContent = `${joint.name}: ${joint.kind} of ${joint.bodies.join(' and ')}`
    const stage = this.view.getBoundingClientRect()
    this.tip.style.left = `${event.clientX - stage.left + 14}px`
    this.tip.style.top = `${event.clientY - stage.top + 14}px`
  }

  private bindKeys() {
    const colorNumber = (number: number) => {
      if (number < this.colorChoices.length) this.colorBy(this.colorChoices[number])
    }
    bindKeys({
      ' ': () => this.toggle(),
      ArrowLeft: (shift) => this.step(shift ? -10 : -1),
      ArrowRight: (shift) => this.step(shift ? 10 : 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.playback.count - 1),
      '+': () => this.nextSpeed(1),
      '=': () => this.nextSpeed(1),
      '-': () => this.nextSpeed(-1),
      f: () => this.picture.fit(),
      t: () => this.switchTheme(),
      p: () => this.toggleCharts(),
      b: () => this.togglePanel(),
      v: () => this.picture.showSceneView(),
      c: () => this.showContacts(!this.details.contactsWanted),
      j: () => this.showJoints(!this.details.jointsWanted),
      m: () => this.setMesh(!this.panel.checked('mesh')),
      s: () => this.setShadows(!this.picture.shadows),
      l: () => this.follow(!this.following),
      '1': () => colorNumber(0),
      '2': () => colorNumber(1),
      '3': () => colorNumber(2),
      '4': () => colorNumber(3),
      '5': () => colorNumber(4),
      '?': () => (this.help.hidden = !this.help.hidden),
      Escape: () => {
        this.help.hidden = true
        this.select(-1)
        this.probed = -1
        this.showProbe()
      },
    })
  }
}
