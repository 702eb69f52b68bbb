// The list of bodies. It has a row for each, thousands too: only those in sight are elements of the page.
import { element, iconButton, setIcon } from './dom'
import { cssColor, type Rgb } from './palette'
import type { Body } from './run_data'

export interface BodyListActions {
  select(body: number): void
  hide(body: number, hidden: boolean): void
}

const rowHeight = 27 // px, as in style.css
const rowsBeyond = 6 // above and below what is in sight

export class BodyList {
  private readonly rows = element('ul', {})
  readonly root = element('div', { class: 'bodies', tabindex: '-1' }, this.rows)
  private bodies: Body[] = []
  private colors: Rgb[] = []
  /** The bodies that have a row, by number. */
  private listed: number[] = []
  private readonly hidden = new Set<number>()
  private selected = -1
  /** Of the rows that are elements: the first, and the one after the last. */
  private made = [0, 0]

  constructor(private readonly actions: BodyListActions) {
    this.root.addEventListener('scroll', () => this.fill(false))
    new ResizeObserver(() => this.fill(false)).observe(this.root)
  }

  setBodies(bodies: Body[], colors: Rgb[]) {
    this.bodies = bodies
    this.colors = colors
    this.filter('')
  }

  /** Lists the bodies whose names have that part; returns how many they are. */
  filter(part: string): number {
    const wanted = part.toLowerCase()
    this.listed = []
    this.bodies.forEach((body, i) => {
      if (body.name.toLowerCase().includes(wanted)) this.listed.push(i)
    })
    this.rows.style.height = `${rowHeight * this.listed.length}px`
    this.root.scrollTop = 0
    this.fill(true)
    return this.listed.length
  }

  select(body: number) {
    this.selected = body
    for (const row of this.rows.children) row.classList.toggle('on', (row as HTMLElement).dataset.row === String(body))
    const place = this.listed.indexOf(body)
    if (place < 0) return
    const top = rowHeight * place
    const { scrollTop, clientHeight } = this.root
    if (top < scrollTop) this.root.scrollTop = top
    else if (top + rowHeight > scrollTop + clientHeight) this.root.scrollTop = top + rowHeight - clientHeight
  }

  private fill(anew: boolean) {
    const first = Math.max(0, Math.floor(this.root.scrollTop / rowHeight) - rowsBeyond)
    const inSight = Math.ceil(this.root.clientHeight / rowHeight)
    const end = Math.min(this.listed.length, first + inSight + 2 * rowsBeyond)
    if (!anew && first === this.made[0] && end === this.made[1]) return
    this.made = [first, end]
    this.rows.replaceChildren(
      ...this.listed.slice(first, end).map((body, i) => this.row(body, rowHeight * (first + i))),
    )
  }

  private row(body: number, top: number): HTMLElement {
    const name = element(
      'button',
      { type: 'button', class: 'name', 'data-body': String(body), title: this.bodies[body].name },
      element('i', { style: `background:${cssColor(this.colors[body])}` }),
      element('span', {}, this.bodies[body].name),
    )
    name.addEventListener('click', () => this.actions.select(this.selected === body ? -1 : body))
    const hidden = this.hidden.has(body)
    const eye = iconButton(hidden ? 'hidden' : 'eye', hidden ? 'Show' : 'Hide', () => {
      const hide = !this.hidden.has(body)
      if (hide) this.hidden.add(body)
      else this.hidden.delete(body)
      setIcon(eye, hide ? 'hidden' : 'eye', hide ? 'Show' : 'Hide')
      row.classList.toggle('hidden-body', hide)
      this.actions.hide(body, hide)
    })
    const row = element('li', { 'data-row': String(body), style: `top:${top}px` }, name, eye)
    row.classList.toggle('on', body === this.selected)
    row.classList.toggle('hidden-body', hidden)
    return row
  }
}
