// The run as a page without a server carries it. Blocks of frames are unpacked when needed; their format is
// described in src/bulwark/output/viewing/frame_block.hpp.
import type { FieldName, RunDescription, RunSource, StoredFrame, Surface } from './run_data'
import { readSurface } from './surface_bytes'

interface Block {
  first: number
  count: number
  topology: string
  data: string
  /** By field. */
  fields: string[]
}

interface InlinedRun {
  run: RunDescription
  field_ends: number[]
  surfaces: Record<string, string>
  steps: string
  blocks: Block[]
}

interface UnpackedFrame {
  positions: Float32Array
  bodies: Float32Array
  contacts: Float32Array
  joints: Float32Array
}

/** Unpacked blocks kept: while playing, the one shown and the one to come. */
const mostBlocks = 3

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i)
  return bytes
}

async function inflated(base64: string): Promise<ArrayBuffer> {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Response(stream).arrayBuffer()
}

class ByteReader {
  private offset = 0
  private readonly view: DataView

  constructor(private readonly bytes: ArrayBuffer) {
    this.view = new DataView(bytes)
  }

  count(): number {
    this.offset += 4
    return this.view.getUint32(this.offset - 4, true)
  }

  /** Copied: floats need not lie at multiples of four here. */
  floats(count: number): Float32Array {
    const part = this.bytes.slice(this.offset, this.offset + 4 * count)
    this.offset += 4 * count
    return new Float32Array(part)
  }

  take(count: number): Uint8Array {
    this.offset += count
    return new Uint8Array(this.bytes, this.offset - count, count)
  }
}

function unpackBlock(bytes: ArrayBuffer, frameCount: number, surface: Surface): UnpackedFrame[] {
  const reader = new ByteReader(bytes)
  const vertexBody = surface.vertexBody
  const vertices = vertexBody.length
  const stepLength = reader.floats(surface.bodyCount)
  const steps = new Int16Array(3 * vertices)
  const frames: UnpackedFrame[] = []
  for (let f = 0; f < frameCount; ++f) {
    const middle = reader.floats(3 * surface.bodyCount)
    const positions = new Float32Array(3 * vertices)
    for (let axis = 0; axis < 3; ++axis) {
      const low = reader.take(vertices)
      const high = reader.take(vertices)
      let before = 0
      for (let v = 0, i = axis; v < vertices; ++v, i += 3) {
        const zigzag = low[v] | (high[v] << 8)
        const difference = (zigzag >>> 1) ^ -(zigzag & 1)
        steps[i] = (f === 0 ? before : steps[i]) + difference
        before = steps[i]
        const body = vertexBody[v]
        positions[i] = middle[3 * body + axis] + steps[i] * stepLength[body]
      }
    }
    const bodies = reader.floats(reader.count())
    const contacts = reader.floats(reader.count())
    const joints = reader.floats(reader.count())
    frames.push({ positions, bodies, contacts, joints })
  }
  return frames
}

/** What is known of a block, or made now; the oldest makes room. */
function kept<T>(known: Map<Block, Promise<T>>, block: Block, make: () => Promise<T>): Promise<T> {
  const result = known.get(block) ?? make()
  known.delete(block)
  known.set(block, result) // now the youngest
  if (known.size > mostBlocks) known.delete(known.keys().next().value!)
  return result
}

/** One field of all frames of a block, in steps of the square root. */
function unpackField(bytes: ArrayBuffer, frameCount: number): Uint8Array[] {
  const reader = new ByteReader(bytes)
  const vertices = bytes.byteLength / frameCount
  const frames: Uint8Array[] = []
  for (let f = 0; f < frameCount; ++f) {
    const differences = reader.take(vertices)
    const last = f > 0 ? frames[f - 1] : null
    const now = new Uint8Array(vertices)
    for (let v = 0; v < vertices; ++v) now[v] = differences[v] + (last ? last[v] : v > 0 ? now[v - 1] : 0)
    frames.push(now)
  }
  return frames
}

/** What the steps stand for: 255 is `end`; of a signed field 128 is zero. */
function valuesOf(steps: Uint8Array, end: number, signed: boolean): Float32Array {
  if (!signed) return Float32Array.from(steps, (root) => (root / 255) ** 2 * end)
  return Float32Array.from(steps, (step) => Math.sign(step - 128) * ((step - 128) / 127) ** 2 * end)
}

export class InlinedSource implements RunSource {
  private readonly inlined: InlinedRun
  private readonly surfaces = new Map<string, Promise<Surface>>()
  private readonly blocks = new Map<Block, Promise<UnpackedFrame[]>>()
  private fieldNumber = -1
  private readonly fieldBlocks = new Map<Block, Promise<Uint8Array[]>>()

  constructor(json: string) {
    this.inlined = JSON.parse(json)
  }

  async describe(from: number): Promise<RunDescription> {
    const run = this.inlined.run
    return { ...run, from, steps: run.steps.slice(from), times: run.times.slice(from) }
  }

  surface(topology: string): Promise<ArrayBuffer> {
    return inflated(this.inlined.surfaces[topology])
  }

  async frame(index: number, _step: number, field: FieldName | null): Promise<StoredFrame> {
    const { block, frame } = await this.unpacked(index)
    const stored: StoredFrame = { topology: block.topology, positions: frame.positions, values: null }
    const number = field ? this.numberOf(field) : -1
    if (number >= 0) {
      const steps = (await this.unpackedField(block, number))[index - block.first]
      stored.values = valuesOf(steps, this.inlined.field_ends[number], this.inlined.run.fields![number].signed)
    }
    return stored
  }

  async scaleEnd(field: FieldName): Promise<number> {
    return this.inlined.field_ends[this.numberOf(field)]
  }

  async bodies(index: number): Promise<Float32Array> {
    return (await this.unpacked(index)).frame.bodies
  }

  async contacts(index: number): Promise<Float32Array> {
    return (await this.unpacked(index)).frame.contacts
  }

  async joints(index: number): Promise<Float32Array> {
    return (await this.unpacked(index)).frame.joints
  }

  async steps(from: number): Promise<string> {
    return from > 0 ? '' : new TextDecoder().decode(await inflated(this.inlined.steps))
  }

  private numberOf(field: FieldName): number {
    return this.inlined.run.fields!.findIndex(({ name }) => name === field)
  }

  /** Of the field that was asked for last; another one takes its place. */
  private unpackedField(block: Block, number: number): Promise<Uint8Array[]> {
    if (number !== this.fieldNumber) this.fieldBlocks.clear()
    this.fieldNumber = number
    return kept(this.fieldBlocks, block, async () => unpackField(await inflated(block.fields[number]), block.count))
  }

  private async unpacked(index: number): Promise<{ block: Block; frame: UnpackedFrame }> {
    const block = this.inlined.blocks.find((b) => index >= b.first && index < b.first + b.count)
    if (!block) throw new Error(`this page has no frame ${index}`)
    const frames = await kept(this.blocks, block, () => this.unpack(block))
    return { block, frame: frames[index - block.first] }
  }

  private async unpack(block: Block): Promise<UnpackedFrame[]> {
    let surface = this.surfaces.get(block.topology)
    surface ??= this.surface(block.topology).then((bytes) => readSurface(block.topology, bytes))
    this.surfaces.set(block.topology, surface)
    return unpackBlock(await inflated(block.data), block.count, await surface)
  }
}
