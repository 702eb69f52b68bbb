// steps.csv as columns of numbers. It grows while a run is going.

export class StepsTable {
  readonly columns = new Map<string, number[]>()
  private names: string[] = []
  private bytesRead = 0

  get length(): number {
    return this.column('step').length
  }

  column(name: string): number[] {
    return this.columns.get(name) ?? []
  }

  get nextByte(): number {
    return this.bytesRead
  }

  /** Adds the lines that follow those added so far. */
  append(text: string) {
    this.bytesRead += new TextEncoder().encode(text).length
    for (const line of text.split('\n')) {
      const fields = line.trim().split(',')
      if (fields.length < 2) continue
      if (fields[0] === 'step') {
        this.names = fields
        for (const name of fields) this.columns.set(name, [])
        continue
      }
      if (fields.length !== this.names.length) continue
      const steps = this.column('step')
      const step = Number(fields[0])
      // A resumed run tells the steps after its checkpoint again.
      while (steps.length > 0 && steps[steps.length - 1] >= step) {
        for (const column of this.columns.values()) column.pop()
      }
      this.names.forEach((name, i) => this.columns.get(name)!.push(Number(fields[i])))
    }
  }

  /** The row of the last step at or before that time; -1 when there is none. */
  rowAt(time: number): number {
    const times = this.column('time')
    let low = -1
    let high = times.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (times[middle] <= time + 1e-12) low = middle
      else high = middle - 1
    }
    return low
  }
}
