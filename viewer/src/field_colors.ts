// What bodies are coloured by: the field, where its scale ends, and the bar that tells of it.
import { ColorBar } from './color_bar'
import type { Panel } from './panel'
import type { Picture } from './picture'
import type { RunClient } from './run_client'
import type { Field, FieldName, Frame } from './run_data'

export class FieldColors {
  readonly bar = new ColorBar((end) => this.setScaleEnd(end))
  field: Field | null = null
  private shownField: Field | null = null
  private shownValues: Float32Array | null = null
  private readonly scaleEnds = new Map<FieldName, number>()
  private chosenEnd: number | null = null

  constructor(
    private readonly client: RunClient,
    private readonly picture: Picture,
    private readonly panel: Panel,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** From now on; frames have to be fetched with it. */
  choose(field: Field | null) {
    this.field = field
    this.chosenEnd = null
    this.apply()
    if (!field || this.scaleEnds.has(field.name)) return
    this.client.scaleEnd(field.name).then((end) => {
      this.scaleEnds.set(field.name, end)
      if (this.field === field) this.apply()
    }, this.fail)
  }

  /** A frame that came with the field has been shown. */
  shown(frame: Frame) {
    const recolored = this.shownField !== this.field
    this.shownField = this.field
    this.shownValues = frame.values
    if (recolored || (this.field && !this.scaleEnds.has(this.field.name))) this.apply()
    else this.bar.setValues(this.shownValues)
  }

  /** A run that was going has ended: its scales are others now. */
  forgetScales() {
    this.scaleEnds.clear()
  }

  private setScaleEnd(end: number | null) {
    this.chosenEnd = end
    this.apply()
  }

  private apply() {
    const { field } = this
    const isShown = field === this.shownField
    // Until the run's own is known, the frame's greatest value serves.
    const greatest = isShown ? this.shownValues?.reduce((a, b) => Math.max(a, Math.abs(b)), 0) : undefined
    const end = field ? (this.chosenEnd ?? this.scaleEnds.get(field.name) ?? greatest ?? 1) : 1
    this.panel.setColor(field)
    this.bar.show(field, end)
    this.bar.setValues(isShown ? this.shownValues : null)
    // The picture waits for the first frame that comes with the field.
    if (field === null || isShown) this.picture.setField(field, end)
  }
}
