// What the lengths of contact arrows mean: two arrows as long as those of round forces are in the middle of the picture.
import { arrowLength } from './contacts_view'
import { element } from './dom'
import { tick } from './format'

const longest = 130 // px
const shortest = 8

/** The largest of 1, 2, 5, 10, ... that is at most `value`. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9)
  return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1)
}

export class ArrowScale {
  private readonly arrows = element('div', { class: 'arrows' })
  readonly root = element(
    'section',
    { class: 'arrow-scale', 'aria-label': 'Scale of the contact arrows' },
    element('div', { class: 'legend-title' }, 'Contact force'),
    this.arrows,
  )
  private strongest = 0
  private shown = ''

  constructor() {
    this.root.hidden = true
  }

  /** `strongest` newtons belong to the longest arrow; 0: there are no arrows. */
  setStrongest(strongest: number) {
    this.strongest = strongest
  }

  /** `pixels` are those of a metre in the middle of the picture, `size` is the scene's. */
  update(pixels: number, size: number) {
    const { strongest } = this
    this.root.hidden = !(strongest > 0)
    if (this.root.hidden) return
    const length = (newtons: number) => pixels * arrowLength(newtons, size, strongest)
    let force = roundBelow(strongest)
    while (length(force) > longest && force > 1e-6 * strongest) force = roundBelow(0.99 * force)
    const forces = [force, roundBelow(force / 10 + 1e-12 * force)].filter((f, i) => i === 0 || length(f) >= shortest)
    const text = forces.map((f) => `${f} ${length(f).toFixed(0)}`).join()
    if (text === this.shown) return
    this.shown = text
    this.arrows.replaceChildren(
      ...forces.map((f) =>
        element(
          'span',
          { class: 'arrow', title: `An arrow of this length in the middle of the picture: ${tick(f, 'N')}` },
          element('i', { style: `width:${Math.max(shortest, length(f)).toFixed(1)}px` }),
          tick(f, 'N'),
        ),
      ),
    )
  }
}
