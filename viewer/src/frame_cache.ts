// Frames near the one shown, within a bounded amount of memory. The caller says which frames it wants, the most
// urgent first; they are fetched a few at a time, and the ones unused for longest make room.
import type { FieldName, Frame } from './run_data'

const budget = 128e6 // bytes
const mostInFlight = 3
const retryAfter = 4000 // ms

/** Without measurements yet: of preparing a frame, ms. */
const firstGuess = 20

type Fetch = (index: number, field: FieldName | null) => Promise<Frame>

function sizeOf(frame: Frame): number {
  return frame.positions.byteLength + frame.normals.byteLength + (frame.values?.byteLength ?? 0)
}

export class FrameCache {
  private frames = new Map<number, Frame>() // the youngest use last
  private inFlight = new Set<number>()
  private failed = new Map<number, { message: string; until: number }>()
  private wanted: number[] = []
  private field: FieldName | null = null
  private bytes = 0
  private epoch = 0
  private lastArrival = 0
  /** Mean time between arrivals while several are asked for: how fast frames can come, ms. */
  interval = firstGuess

  constructor(
    private readonly fetch: Fetch,
    private readonly arrived: (index: number) => void,
  ) {}

  /** Forgets everything; frames come with another field from now on. */
  reset(field: FieldName | null) {
    this.field = field
    this.frames.clear()
    this.inFlight.clear()
    this.failed.clear()
    this.bytes = 0
    this.epoch += 1
  }

  get(index: number): Frame | undefined {
    const frame = this.frames.get(index)
    if (frame) {
      this.frames.delete(index)
      this.frames.set(index, frame)
    }
    return frame
  }

  has(index: number): boolean {
    return this.frames.has(index)
  }

  /** Why a frame did not come. It is asked for again after a while. */
  errorOf(index: number): string | undefined {
    const failure = this.failed.get(index)
    if (failure && failure.until < performance.now()) {
      this.failed.delete(index)
      return undefined
    }
    return failure?.message
  }

  /** How many frames like those seen so far fit. */
  get room(): number {
    return this.frames.size > 0 ? Math.max(2, Math.floor(budget / (this.bytes / this.frames.size))) : 8
  }

  want(indices: number[]) {
    this.wanted = indices
    // Those wanted soon must not make room for each other.
    for (const index of indices) this.get(index)
    this.fetchMore()
  }

  private fetchMore() {
    for (const index of this.wanted) {
      if (this.inFlight.size >= mostInFlight) return
      if (this.frames.has(index) || this.inFlight.has(index) || this.errorOf(index)) continue
      void this.fetchOne(index)
    }
  }

  private async fetchOne(index: number) {
    const epoch = this.epoch
    if (this.inFlight.size === 0) this.lastArrival = performance.now()
    this.inFlight.add(index)
    try {
      const frame = await this.fetch(index, this.field)
      if (epoch !== this.epoch) return
      this.add(index, frame)
    } catch (error) {
      if (epoch !== this.epoch) return
      const message = error instanceof Error ? error.message : String(error)
      this.failed.set(index, { message, until: performance.now() + retryAfter })
    }
    this.inFlight.delete(index)
    const now = performance.now()
    this.interval += 0.15 * (now - this.lastArrival - this.interval)
    this.lastArrival = now
    this.arrived(index)
    this.fetchMore()
  }

  private add(index: number, frame: Frame) {
    this.frames.set(index, frame)
    this.bytes += sizeOf(frame)
    for (const [oldest, old] of this.frames) {
      if (this.bytes <= budget || this.frames.size <= 2) break
      this.frames.delete(oldest)
      this.bytes -= sizeOf(old)
    }
  }
}
