// The page's side of the data thread: questions as promises.
import DataWorker from './data_worker?worker&inline'
import type { Answer, Question, Request } from './data_worker'
import type { FieldName, Frame, RunDescription, Surface } from './run_data'

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

export class RunClient {
  private readonly worker = new DataWorker()
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  /** `inlined` is the run that the page carries; null: it is asked for from the server that sent the page. */
  constructor(inlined: string | null) {
    this.worker.onmessage = (event: MessageEvent<Answer>) => {
      const { id, result, error } = event.data
      const asked = this.waiting.get(id)
      this.waiting.delete(id)
      if (error !== undefined) asked?.reject(new Error(error))
      else asked?.resolve(result)
    }
    void this.ask({ what: 'open', origin: location.origin, inlined })
  }

  private ask<T>(request: Request): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const id = ++this.lastId
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject })
      this.worker.postMessage({ id, request } satisfies Question)
    })
  }

  describe(from: number): Promise<RunDescription> {
    return this.ask({ what: 'describe', from })
  }
  surface(topology: string): Promise<Surface> {
    return this.ask({ what: 'surface', topology })
  }
  frame(index: number, step: number, field: FieldName | null): Promise<Frame> {
    return this.ask({ what: 'frame', index, step, field })
  }
  scaleEnd(field: FieldName): Promise<number> {
    return this.ask({ what: 'scaleEnd', field })
  }
  bodies(index: number, step: number): Promise<Float32Array> {
    return this.ask({ what: 'bodies', index, step })
  }
  contacts(index: number, step: number): Promise<Float32Array> {
    return this.ask({ what: 'contacts', index, step })
  }
  joints(index: number, step: number): Promise<Float32Array> {
    return this.ask({ what: 'joints', index, step })
  }
  steps(from: number): Promise<string> {
    return this.ask({ what: 'steps', from })
  }
}
