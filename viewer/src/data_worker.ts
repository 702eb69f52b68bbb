// The thread that fetches, unpacks and prepares frames, so that the picture never waits for them.
import { cornerFrame } from './corner_frame'
import { InlinedSource } from './inlined_source'
import type { FieldName, Frame, RunSource, Surface } from './run_data'
import { ServerSource } from './server_source'
import { readSurface } from './surface_bytes'

export type Request =
  | { what: 'open'; origin: string; inlined: string | null }
  | { what: 'describe'; from: number }
  | { what: 'surface'; topology: string }
  | { what: 'frame'; index: number; step: number; field: FieldName | null }
  | { what: 'scaleEnd'; field: FieldName }
  | { what: 'bodies'; index: number; step: number }
  | { what: 'contacts'; index: number; step: number }
  | { what: 'joints'; index: number; step: number }
  | { what: 'steps'; from: number }

export type Question = { id: number; request: Request }
export type Answer = { id: number; result?: unknown; error?: string }

const page = self as unknown as {
  onmessage: (event: MessageEvent<Question>) => void
  postMessage(answer: Answer, transfer: Transferable[]): void
}

let source: RunSource
const surfaces = new Map<string, Promise<Surface>>()

function surfaceOf(topology: string): Promise<Surface> {
  let surface = surfaces.get(topology)
  if (!surface) {
    surface = source.surface(topology).then((bytes) => readSurface(topology, bytes))
    surfaces.set(topology, surface)
    surface.catch(() => surfaces.delete(topology))
  }
  return surface
}

async function answer(request: Request): Promise<unknown> {
  switch (request.what) {
    case 'open':
      source = request.inlined ? new InlinedSource(request.inlined) : new ServerSource(request.origin)
      return null
    case 'describe':
      return source.describe(request.from)
    case 'surface':
      return surfaceOf(request.topology)
    case 'frame': {
      const stored = await source.frame(request.index, request.step, request.field)
      return cornerFrame(stored, await surfaceOf(stored.topology))
    }
    case 'scaleEnd':
      return source.scaleEnd(request.field)
    case 'bodies':
      return source.bodies(request.index, request.step)
    case 'contacts':
      return source.contacts(request.index, request.step)
    case 'joints':
      return source.joints(request.index, request.step)
    case 'steps':
      return source.steps(request.from)
  }
}

/** A frame is given to the page rather than copied. */
function transferOf(request: Request, result: unknown): Transferable[] {
  if (request.what !== 'frame') return []
  const frame = result as Frame
  return [frame.positions.buffer, frame.normals.buffer, ...(frame.values ? [frame.values.buffer] : [])]
}

page.onmessage = async (event) => {
  const { id, request } = event.data
  try {
    const result = await answer(request)
    page.postMessage({ id, result }, transferOf(request, result))
  } catch (error) {
    page.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, [])
  }
}
