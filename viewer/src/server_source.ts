// The run as `bulwark view` serves it. The requests are listed in apps/bulwark/viewer_routes.hpp.
import type { FieldName, RunDescription, RunSource, StoredFrame } from './run_data'

const magic = 0x31465742 // "BWF1"
const headSize = 32

export class ServerSource implements RunSource {
  constructor(private readonly origin: string) {}

  private async get(path: string): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${this.origin}/api/${path}`)
    } catch {
      throw new Error('the server does not answer: is `bulwark view` still running?')
    }
    if (!response.ok) throw new Error(await response.text())
    return response
  }

  async describe(from: number): Promise<RunDescription> {
    return (await this.get(`run?from=${from}`)).json()
  }

  async surface(topology: string): Promise<ArrayBuffer> {
    return (await this.get(`surface/${topology}`)).arrayBuffer()
  }

  async frame(_index: number, step: number, field: FieldName | null): Promise<StoredFrame> {
    const bytes = await (await this.get(`frame/${step}${field ? '/' + field : ''}`)).arrayBuffer()
    const head = new Uint32Array(bytes, 0, headSize / 4)
    if (head[0] !== magic) throw new Error('a frame is not in the format that this page knows')
    const [, vertices, values, , low, high] = head
    const hexadecimal = (number: number) => number.toString(16).padStart(8, '0')
    return {
      topology: hexadecimal(high) + hexadecimal(low),
      positions: new Float32Array(bytes, headSize, 3 * vertices),
      values: values > 0 ? new Float32Array(bytes, headSize + 12 * vertices, values) : null,
    }
  }

  async scaleEnd(field: FieldName): Promise<number> {
    return (await (await this.get(`scale/${field}`)).json()).end
  }

  async bodies(_index: number, step: number): Promise<Float32Array> {
    return new Float32Array(await (await this.get(`bodies/${step}`)).arrayBuffer())
  }

  async contacts(_index: number, step: number): Promise<Float32Array> {
    return new Float32Array(await (await this.get(`contacts/${step}`)).arrayBuffer())
  }

  async joints(_index: number, step: number): Promise<Float32Array> {
    return new Float32Array(await (await this.get(`joints/${step}`)).arrayBuffer())
  }

  async steps(from: number): Promise<string> {
    return (await this.get(`steps?from=${from}`)).text()
  }
}
