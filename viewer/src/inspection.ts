// The part of the panel that looks closer: the scale of displacements, a cut through the bodies, the chosen point.
import { deformationScales } from './deformation'
import { element } from './dom'
import { coordinate, digits, quantity } from './format'
import type { Field } from './run_data'

export interface Cut {
  axis: 'x' | 'y' | 'z'
  /** What lies on this side of the plane is left out. */
  side: 1 | -1
  /** Along the axis, as a part of the scene's box. */
  part: number
}

export interface InspectionActions {
  setDeformationScale(scale: number): void
  /** Returns where the cut is, m. */
  setCut(cut: Cut | null): number
}

export interface ProbedPoint {
  body: string
  node: number
  position: [number, number, number]
  field: Field | null
  value: number | null
}

const cutSteps = 1000

export class Inspection {
  readonly root: HTMLElement
  private readonly scaleText = element('span', { class: 'quiet' }, '× 1')
  private readonly cutText = element('span', { class: 'quiet' })
  private readonly cutAxis = element('select', { 'aria-label': 'Cut across' })
  private readonly cutPlace = element('input', {
    type: 'range',
    min: '0',
    max: String(cutSteps),
    value: String(cutSteps / 2),
    class: 'cut-place',
    'aria-label': 'Where the cut is',
  })
  private readonly probe = element('dl', { class: 'probe' })

  constructor(private readonly actions: InspectionActions) {
    const scale = element('input', {
      type: 'range',
      min: '0',
      max: String(deformationScales.length - 1),
      value: String(deformationScales.indexOf(1)),
      class: 'deformation-scale',
      'aria-label': 'Scale of displacements',
    })
    scale.addEventListener('input', () => {
      const factor = deformationScales[Number(scale.value)]
      this.scaleText.textContent = `× ${factor}`
      this.actions.setDeformationScale(factor)
    })
    const sides: [string, string][] = [
      ['', 'no cut'],
      ...['x', 'y', 'z'].flatMap((axis): [string, string][] => [
        [axis, `cut away above ${axis}`],
        [`-${axis}`, `cut away below ${axis}`],
      ]),
    ]
    for (const [value, label] of sides) this.cutAxis.append(element('option', { value }, label))
    this.cutAxis.addEventListener('change', () => this.cut())
    this.cutPlace.addEventListener('input', () => this.cut())
    this.cutPlace.hidden = true
    this.probe.hidden = true
    this.root = element(
      'section',
      { class: 'inspection' },
      element('label', { title: 'Displacements since the first frame' }, 'Deformation ', this.scaleText, scale),
      element('div', { class: 'cut' }, this.cutAxis, this.cutText),
      this.cutPlace,
      this.probe,
    )
  }

  private cut() {
    const { value } = this.cutAxis
    this.cutPlace.hidden = value === ''
    if (value === '') {
      this.actions.setCut(null)
      this.cutText.textContent = ''
      return
    }
    const axis = value.slice(-1) as Cut['axis']
    const side = value.startsWith('-') ? -1 : 1
    const place = this.actions.setCut({ axis, side, part: Number(this.cutPlace.value) / cutSteps })
    this.cutText.textContent = `${axis} = ${coordinate(place)} m`
  }

  showProbe(point: ProbedPoint | null) {
    this.probe.hidden = point === null
    if (!point) return
    const told = (label: string, value: string) => [element('dt', {}, label), element('dd', {}, value)]
    this.probe.replaceChildren(
      ...told('Point', `${point.node} of ${point.body}`),
      ...told('At, m', point.position.map(digits).join('  ')),
      ...(point.field && point.value !== null
        ? told(point.field.title, quantity(point.value, point.field.unit))
        : []),
    )
  }
}
