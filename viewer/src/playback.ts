// The clock of the picture: which frame is due. Time runs in simulated seconds; frames are never blended, since a
// mixture of two states is a state that no one has computed.

const displayRate = 60 // pictures per second that are worth asking for

export class Playback {
  /** Simulated time of each frame, ascending. */
  times: number[] = []
  playing = false
  speed = 1
  loop = true
  private clock = 0

  get count(): number {
    return this.times.length
  }

  get time(): number {
    return this.clock
  }

  get duration(): number {
    return this.count > 1 ? this.times[this.count - 1] - this.times[0] : 0
  }

  /** The last frame at or before the clock. */
  get index(): number {
    return this.indexAt(this.clock)
  }

  indexAt(time: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.times[middle] <= time + 1e-12) low = middle
      else high = middle - 1
    }
    return low
  }

  nearest(time: number): number {
    const before = this.indexAt(time)
    const after = Math.min(before + 1, this.count - 1)
    return time - this.times[before] <= this.times[after] - time ? before : after
  }

  seek(index: number) {
    this.clock = this.times[Math.max(0, Math.min(this.count - 1, index))] ?? 0
  }

  toggle() {
    this.playing = !this.playing && this.count > 1
    if (this.playing && !this.loop && this.index === this.count - 1) this.seek(0)
  }

  /** Moves the clock by `seconds` of real time, but not past a frame that is not there yet. */
  advance(seconds: number, stride: number, shown: number, isReady: (index: number) => boolean) {
    const next = this.after(this.clock, seconds)
    const due = this.due(next, stride, shown)
    if (isReady(due)) this.clock = next
    else if (due > this.index) this.clock = Math.max(this.clock, this.times[due] - 1e-9) // waits before it
    if (!this.loop && this.clock >= this.times[this.count - 1]) this.playing = false
  }

  /** The frame to show while `shown` is on the screen: a change of the stride never goes back in time. */
  dueNow(stride: number, shown: number): number {
    return this.due(this.clock, stride, shown)
  }

  private due(time: number, stride: number, shown: number): number {
    const index = this.indexAt(time)
    const onStride = this.onStride(index, stride)
    return shown > onStride && shown <= index ? shown : onStride
  }

  /** Frames to have ready, the one shown first. */
  upcoming(stride: number, most: number): number[] {
    const indices: number[] = []
    let index = this.onStride(this.index, stride)
    while (indices.length < Math.min(most, this.count)) {
      indices.push(index)
      if (index === this.count - 1) {
        if (!this.loop) break
        index = 0
      } else {
        index = this.onStride(Math.min(index + stride, this.count - 1), stride)
      }
      if (index === indices[0]) break // once around
    }
    return indices
  }

  /** Only every so-maniest frame is shown where there are more than can be seen or can come in time; the last is
   *  always. */
  onStride(index: number, stride: number): number {
    return index === this.count - 1 ? index : index - (index % stride)
  }

  /** A stride with which frames that take `interval` milliseconds keep up. */
  strideFor(interval: number): number {
    if (this.duration <= 0) return 1
    const framesPerSecond = (this.speed * (this.count - 1)) / this.duration
    const seen = Math.floor(framesPerSecond / displayRate)
    const inTime = Math.ceil(framesPerSecond * (interval / 1000) * 0.9)
    return Math.max(1, Math.min(Math.max(seen, inTime), Math.ceil(this.count / 4)))
  }

  private after(time: number, seconds: number): number {
    const next = time + seconds * this.speed
    const end = this.times[this.count - 1] ?? 0
    // The last frame is shown for a moment before the loop begins anew.
    const rest = this.loop ? Math.min(0.4 * this.speed, 0.25 * this.duration) : 0
    if (next <= end + rest) return next
    return this.loop ? this.times[0] : end
  }
}
