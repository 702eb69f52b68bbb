// The colour bar: what the colours of a field mean, from one end of the scale to the other, and which values the frame has.
import { element } from './dom'
import { quantity } from './format'
import { rampGradient } from './palette'
import type { Field } from './run_data'

export class ColorBar {
  readonly root = element('section', { class: 'legend', 'aria-label': 'Colour scale' })
  private readonly range = element('div', { class: 'frame-range' })
  private field: Field | null = null

  /** `setEnd` is told where the scale shall end; null: where the run says. */
  constructor(private readonly setEnd: (end: number | null) => void) {
    this.root.hidden = true
  }

  show(field: Field | null, scaleEnd: number) {
    this.field = field
    this.root.hidden = field === null
    this.root.replaceChildren()
    if (!field) return
    const { title, unit, signed } = field
    const end = element(
      'button',
      { type: 'button', class: 'scale-end', title: 'Set where the scale ends' },
      `≥ ${quantity(scaleEnd, unit)}`,
    )
    end.addEventListener('click', () => this.editEnd(end, scaleEnd, unit))
    this.root.append(
      element('div', { class: 'legend-title' }, title),
      element('div', { class: 'ramp', style: `background:${rampGradient(field)}` }),
      element(
        'div',
        { class: 'ramp-ends' },
        element('span', {}, signed ? `≤ ${quantity(-scaleEnd, unit)}` : quantity(0, unit)),
        element('span', {}, quantity(signed ? 0 : scaleEnd / 2, unit)),
        end,
      ),
      this.range,
    )
  }

  /** The values of the frame that is shown. */
  setValues(values: Float32Array | null) {
    if (!this.field || !values || values.length === 0) {
      this.range.textContent = ''
      return
    }
    let low = Infinity
    let high = -Infinity
    for (const value of values) {
      if (value < low) low = value
      if (value > high) high = value
    }
    const { unit } = this.field
    this.range.textContent = `this frame: ${quantity(low, unit)} to ${quantity(high, unit)}`
  }

  private editEnd(end: HTMLElement, value: number, unit: string) {
    const input = element('input', {
      type: 'number',
      step: 'any',
      min: '0',
      value: String(Number(value.toPrecision(3))),
      title: `${unit}; empty: chosen from the run`,
    })
    const done = () => this.setEnd(Number(input.value) > 0 ? Number(input.value) : null)
    input.addEventListener('change', done)
    input.addEventListener('blur', done)
    end.replaceWith(input)
    input.select()
  }
}
