// What the page knows of a run, as the program sends it or as a page without a server carries it.

export type FieldName = string

/** A quantity that bodies can be coloured by, as the program describes it. */
export interface Field {
  name: FieldName
  title: string
  group: string
  unit: string
  /** Its scale reaches from minus its end to its end, else from 0. */
  signed: boolean
}

export interface Body {
  name: string
  kind: string
  obstacle: boolean
}

/** Low and high corner of a box: x, y, z, x, y, z. */
export type Box = [number, number, number, number, number, number]

export interface Joint {
  name: string
  kind: string
  /** Names; "world" for the world. */
  bodies: [string, string]
}

export interface SceneCamera {
  position: [number, number, number]
  target: [number, number, number]
  field_of_view_degrees: number
}

export interface RunDescription {
  title: string
  folder: string
  version: string
  state: string
  message: string
  /** Changes when another run begins in the folder. */
  identity: string
  /** Number of the first frame that `steps` and `times` tell of. */
  from: number
  steps: number[]
  times: number[]
  /** In a page that carries its run: how many frames there were before some were left out. */
  frames_of_run?: number
  // Told when `from` is 0:
  bodies?: Body[]
  fields?: Field[]
  bounds?: { first: Box; last: Box }
  joints?: Joint[]
  /** Of the first frame. */
  triangles?: number
  /** The unit vector against gravity. */
  up?: [number, number, number]
  /** Where the scene file looks from, if it says so. */
  camera?: SceneCamera
}

export interface Plane {
  vertex: number
  body: number
  normal: [number, number, number]
}

/** The surface that frames move. Triangles, segments and dots are numbered by corner: a vertex has several where
 *  triangles meet at a sharp edge, each with a normal of its own. */
export interface Surface {
  topology: string
  bodyCount: number
  vertexBody: Uint32Array
  /** Numbers among the points of their bodies; -1: between points. */
  vertexNode: Int32Array
  cornerVertex: Uint32Array
  triangles: Uint32Array
  /** How many triangles, the first ones, belong to bodies that move. */
  movingTriangles: number
  segments: Uint32Array
  dots: Uint32Array
  planes: Plane[]
}

/** One frame ready to draw, by corner. */
export interface Frame {
  topology: string
  positions: Float32Array
  /** Four 16-bit numbers each, of which three are used: the graphics card wants them aligned. */
  normals: Int16Array
  values: Float32Array | null
  planePoints: Float32Array
}

/** One frame as it is stored, by vertex. */
export interface StoredFrame {
  topology: string
  positions: Float32Array
  values: Float32Array | null
}

export const bodyStateSize = 19
export const contactSize = 12
export const jointSize = 13

/** Where a run comes from. Frames are asked for by their number and their step. */
export interface RunSource {
  describe(from: number): Promise<RunDescription>
  surface(topology: string): Promise<ArrayBuffer>
  frame(index: number, step: number, field: FieldName | null): Promise<StoredFrame>
  scaleEnd(field: FieldName): Promise<number>
  bodies(index: number, step: number): Promise<Float32Array>
  contacts(index: number, step: number): Promise<Float32Array>
  joints(index: number, step: number): Promise<Float32Array>
  /** steps.csv from that byte on. */
  steps(from: number): Promise<string>
}
