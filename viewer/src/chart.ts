// A plot of some columns of steps.csv over time, with a mark at the time that the picture shows. Its legend tells the
// values there; a press or drag sets the time.
import { element } from './dom'
import { digits, quantity, tick, ticks } from './format'
import type { StepsTable } from './steps_table'

export interface Series {
  label: string
  color: string
  values(table: StepsTable): number[]
}

export interface ChartKind {
  title: string
  unit: string
  series: Series[]
  /** Series are parts of a whole, drawn on top of each other. */
  stacked: boolean
}

const inset = { left: 52, right: 8, top: 8, bottom: 20 }

/** What each column of pixels shows of a series: lowest, highest and last value there. */
interface Column {
  low: number
  high: number
  last: number
}

export class Chart {
  readonly root: HTMLElement
  private readonly canvas = element('canvas')
  private readonly readouts: HTMLElement[] = []
  private hiddenSeries = new Set<number>()
  private table: StepsTable | null = null
  private curves: number[][] = []
  private timeRange: [number, number] = [0, 1]
  private time = 0
  private background: ImageData | null = null

  constructor(
    private readonly kind: ChartKind,
    private readonly seek: (time: number) => void,
  ) {
    const legend = element('div', { class: 'chart-legend' })
    kind.series.forEach((series, i) => {
      const readout = element('span', { class: 'readout' })
      const swatch = element('i', { style: `background:${series.color}` })
      const item = element(
        'button',
        { type: 'button', title: `Show or hide: ${series.label}` },
        swatch,
        series.label,
        readout,
      )
      item.addEventListener('click', () => {
        if (!this.hiddenSeries.delete(i)) this.hiddenSeries.add(i)
        item.classList.toggle('off', this.hiddenSeries.has(i))
        this.redraw()
      })
      this.readouts.push(readout)
      legend.append(item)
    })
    this.root = element(
      'section',
      { class: 'chart', 'aria-label': kind.title },
      element('h3', {}, kind.title),
      element('div', { class: 'plot' }, this.canvas),
      legend,
    )
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId)
      this.seekTo(event)
    })
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) this.seekTo(event)
    })
    new ResizeObserver(() => this.redraw()).observe(this.canvas)
  }

  setData(table: StepsTable, timeRange: [number, number]) {
    this.table = table
    this.timeRange = timeRange
    this.curves = this.kind.series.map((series) => series.values(table))
    this.redraw()
  }

  setTime(time: number) {
    if (time === this.time && this.background) return
    this.time = time
    this.drawMark()
  }

  redraw() {
    const ratio = Math.min(window.devicePixelRatio, 2)
    const { clientWidth: width, clientHeight: height } = this.canvas
    if (width === 0 || height === 0) return
    this.canvas.width = Math.round(width * ratio)
    this.canvas.height = Math.round(height * ratio)
    const context = this.canvas.getContext('2d', { willReadFrequently: true })!
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.drawCurves(context, width, height)
    this.background = context.getImageData(0, 0, this.canvas.width, this.canvas.height)
    this.drawMark()
  }

  private seekTo(event: PointerEvent) {
    const inside = this.canvas.clientWidth - inset.left - inset.right
    const part = Math.max(0, Math.min(1, (event.offsetX - inset.left) / inside))
    this.seek(this.timeRange[0] + part * (this.timeRange[1] - this.timeRange[0]))
  }

  private x(time: number): number {
    const [begin, end] = this.timeRange
    const inside = this.canvas.clientWidth - inset.left - inset.right
    return inset.left + (end > begin ? ((time - begin) / (end - begin)) * inside : 0)
  }

  private style(name: string): string {
    return getComputedStyle(this.root).getPropertyValue(name).trim()
  }

  /** Curves as drawn: sums of those below when they are parts of a whole. */
  private drawnCurves(): { number: number; values: number[] }[] {
    const shown = this.curves
      .map((values, number) => ({ number, values }))
      .filter(({ number }) => !this.hiddenSeries.has(number))
    if (!this.kind.stacked) return shown
    let below: number[] | null = null
    return shown.map(({ number, values }) => {
      const sum: number[] = values.map((v, i) => v + (below ? below[i] : 0))
      below = sum
      return { number, values: sum }
    })
  }

  private drawCurves(context: CanvasRenderingContext2D, width: number, height: number) {
    context.clearRect(0, 0, width, height)
    if (!this.table || this.table.length === 0) return
    const times = this.table.column('time')
    const drawn = this.drawnCurves()
    let low = 0
    let high = 0
    for (const { values } of drawn) {
      for (const v of values) {
        if (v > high) high = v
        if (v < low) low = v
      }
    }
    if (high === low) high = low + 1
    high += 0.06 * (high - low)
    const y = (value: number) =>
      height - inset.bottom - ((value - low) / (high - low)) * (height - inset.top - inset.bottom)
    this.drawAxes(context, width, height, low, high, y)

    context.save()
    context.beginPath()
    context.rect(inset.left, 0, width - inset.left - inset.right, height - inset.bottom)
    context.clip()
    context.lineJoin = 'round'
    // The topmost sum first, so that each part stays visible below it.
    for (const { number, values } of this.kind.stacked ? drawn.reverse() : drawn) {
      const columns = this.columns(times, values, width)
      context.beginPath()
      let begun = false
      columns.forEach((column, x) => {
        if (!column) return
        if (!begun) context.moveTo(x, y(column.last))
        begun = true
        if (column.low < column.high && !this.kind.stacked) {
          context.lineTo(x, y(column.low))
          context.lineTo(x, y(column.high))
        }
        context.lineTo(x, y(this.kind.stacked ? column.high : column.last))
      })
      const { color } = this.kind.series[number]
      if (this.kind.stacked) {
        context.lineTo(this.x(times[times.length - 1]), y(0))
        context.lineTo(this.x(times[0]), y(0))
        context.fillStyle = color
        context.fill()
      } else {
        context.strokeStyle = color
        context.lineWidth = 1.6
        context.stroke()
      }
    }
    context.restore()
  }

  /** A run may have far more steps than the plot has pixels. */
  private columns(times: number[], values: number[], width: number): (Column | undefined)[] {
    const columns: (Column | undefined)[] = new Array(Math.ceil(width))
    for (let i = 0; i < values.length; ++i) {
      const value = values[i]
      if (!Number.isFinite(value)) continue
      const x = Math.max(0, Math.min(columns.length - 1, Math.round(this.x(times[i]))))
      const column = columns[x]
      if (!column) columns[x] = { low: value, high: value, last: value }
      else {
        if (value < column.low) column.low = value
        if (value > column.high) column.high = value
        column.last = value
      }
    }
    return columns
  }

  private drawAxes(
    context: CanvasRenderingContext2D,
    width: number,
    height: number,
    low: number,
    high: number,
    y: (value: number) => number,
  ) {
    context.font = `11px ${this.style('--font')}`
    context.fillStyle = this.style('--quiet')
    context.strokeStyle = this.style('--line')
    context.lineWidth = 1
    context.textBaseline = 'middle'
    context.textAlign = 'right'
    const inside = height - inset.top - inset.bottom
    for (const mark of ticks(low, high, Math.max(2, Math.floor(inside / 32)))) {
      const at = Math.round(y(mark)) + 0.5
      context.beginPath()
      context.moveTo(inset.left, at)
      context.lineTo(width - inset.right, at)
      context.stroke()
      context.fillText(tick(mark, this.kind.unit), inset.left - 6, at)
    }
    context.textBaseline = 'alphabetic'
    context.textAlign = 'center'
    const [begin, end] = this.timeRange
    for (const mark of ticks(begin, end, Math.max(2, Math.floor((width - inset.left) / 90)))) {
      const at = this.x(mark)
      if (at > width - 24) continue
      context.fillText(`${Number(mark.toPrecision(6))} s`, at, height - 5)
    }
  }

  private drawMark() {
    const context = this.canvas.getContext('2d')
    if (!context || !this.background) return
    context.putImageData(this.background, 0, 0)
    if (!this.table || this.table.length === 0) return
    const x = Math.round(this.x(this.time)) + 0.5
    context.strokeStyle = this.style('--text')
    context.lineWidth = 1.2
    context.beginPath()
    context.moveTo(x, inset.top - 4)
    context.lineTo(x, this.canvas.clientHeight - inset.bottom)
    context.stroke()
    const row = this.table.rowAt(this.time)
    this.kind.series.forEach((_, i) => {
      const value = this.curves[i][row]
      const { unit } = this.kind
      this.readouts[i].textContent = value === undefined ? '' : unit ? quantity(value, unit) : digits(value)
    })
  }
}
