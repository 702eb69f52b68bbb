// The panel beside the picture: what bodies are coloured by, what is shown, the bodies, and the state of the chosen one.
import { BodyList } from './body_list'
import { element, iconButton } from './dom'
import { coordinate, quantity } from './format'
import { Inspection, type InspectionActions } from './inspection'
import { cssColor, type Rgb } from './palette'
import { bodyStateSize, type Body, type Field } from './run_data'

export interface PanelActions {
  color(field: Field | null): void
  showContacts(on: boolean): void
  showJoints(on: boolean): void
  showMesh(on: boolean): void
  showShadows(on: boolean): void
  select(body: number): void
  hide(body: number, hidden: boolean): void
  inspection: InspectionActions
}

/** The fields that have buttons, and what stands on these. */
const buttonLabels: Record<string, string> = {
  speed: 'Speed',
  von_mises_stress: 'Stress',
  contact_force: 'Contact',
  contact_pressure: 'Pressure',
}

type Check = 'contacts' | 'joints' | 'mesh' | 'shadows'

export class Panel {
  readonly root: HTMLElement
  readonly inspection: Inspection
  private readonly colorButtons = new Map<string, HTMLButtonElement>()
  private readonly list: BodyList
  private readonly filter = element('input', {
    type: 'search',
    placeholder: 'Find a body',
    'aria-label': 'Find a body',
  })
  private readonly bodyCount = element('span', { class: 'quiet' })
  private readonly selected = element('section', { class: 'selected' })
  private readonly checks: Record<Check, HTMLInputElement>
  private readonly jointsRow: HTMLElement
  private readonly colorRow = element('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Colour by' })
  private readonly moreFields = element('select', { class: 'more-fields', 'aria-label': 'Colour by another field' })
  private fields: Field[] = []
  private bodies: Body[] = []
  private colors: Rgb[] = []
  private selectedBody = -1

  constructor(private readonly actions: PanelActions) {
    const check = (label: string, title: string, changed: (on: boolean) => void) => {
      const box = element('input', { type: 'checkbox' })
      box.addEventListener('change', () => changed(box.checked))
      return { box, row: element('label', { class: 'check', title }, box, element('span', {}, label)) }
    }
    const contacts = check('Contacts', 'Forces at contacts (C)', actions.showContacts)
    const joints = check('Joints', 'Points and axes of joints (J)', actions.showJoints)
    const mesh = check('Mesh', 'Edges of all triangles (M)', actions.showMesh)
    const shadows = check('Shadows', 'Shadows (S)', actions.showShadows)
    shadows.box.checked = true
    this.jointsRow = joints.row
    this.jointsRow.hidden = true
    this.checks = { contacts: contacts.box, joints: joints.box, mesh: mesh.box, shadows: shadows.box }
    this.inspection = new Inspection(actions.inspection)
    this.list = new BodyList({ select: actions.select, hide: actions.hide })
    this.moreFields.addEventListener('change', () =>
      this.actions.color(this.fields.find((field) => field.name === this.moreFields.value) ?? null),
    )
    this.filter.addEventListener('input', () => this.showCount(this.list.filter(this.filter.value)))
    this.selected.hidden = true
    this.root = element(
      'aside',
      { class: 'panel' },
      element('section', {}, element('h2', {}, 'Colour'), this.colorRow, this.moreFields),
      element('section', { class: 'checks' }, contacts.row, joints.row, mesh.row, shadows.row),
      this.inspection.root,
      this.selected,
      element(
        'section',
        { class: 'body-section' },
        element('h2', {}, 'Bodies ', this.bodyCount),
        this.filter,
        this.list.root,
      ),
    )
  }

  /** The usual fields have buttons, all others stand in a list by their groups. Returns what the number keys choose. */
  setFields(available: Field[]): (Field | null)[] {
    this.fields = available
    this.colorRow.replaceChildren()
    this.colorButtons.clear()
    const usual = available.filter((field) => field.name in buttonLabels)
    const choices: (Field | null)[] = [null, ...usual]
    choices.forEach((field, number) => {
      const title = `Colour by ${field ? field.title.toLowerCase() : 'body'} (${number + 1})`
      const button = element(
        'button',
        { type: 'button', role: 'radio', title },
        field ? buttonLabels[field.name] : 'Body',
      )
      button.addEventListener('click', () => this.actions.color(field))
      this.colorButtons.set(field?.name ?? '', button)
      this.colorRow.append(button)
    })
    this.listFields(available.filter((field) => !usual.includes(field)))
    this.setColor(null)
    return choices
  }

  private listFields(others: Field[]) {
    this.moreFields.hidden = others.length === 0
    this.moreFields.replaceChildren(element('option', { value: '' }, 'other fields'))
    for (const group of new Set(others.map((field) => field.group))) {
      const options = others
        .filter((field) => field.group === group)
        .map((field) => element('option', { value: field.name }, field.title))
      this.moreFields.append(element('optgroup', { label: group }, ...options))
    }
  }

  setColor(field: Field | null) {
    const chosen = field?.name ?? ''
    for (const [name, button] of this.colorButtons) {
      button.classList.toggle('on', name === chosen)
      button.setAttribute('aria-checked', String(name === chosen))
    }
    const listed = !this.colorButtons.has(chosen)
    this.moreFields.value = listed ? chosen : ''
    this.moreFields.classList.toggle('on', listed)
  }

  setChecked(which: Check, on: boolean) {
    this.checks[which].checked = on
  }

  checked(which: Check): boolean {
    return this.checks[which].checked
  }

  /** A run without joints has nothing to switch. */
  setJoints(count: number) {
    this.jointsRow.hidden = count === 0
  }

  setBodies(bodies: Body[], colors: Rgb[]) {
    this.bodies = bodies
    this.colors = colors
    this.filter.hidden = bodies.length < 12
    this.list.setBodies(bodies, colors)
    this.showCount(bodies.length)
  }

  private showCount(listed: number) {
    const all = this.bodies.length.toLocaleString('en')
    this.bodyCount.textContent = listed === this.bodies.length ? all : `${listed.toLocaleString('en')} of ${all}`
  }

  select(body: number) {
    this.selectedBody = body
    this.selected.hidden = body < 0
    this.selected.replaceChildren()
    this.list.select(body)
    if (body < 0) return
    const { name, kind } = this.bodies[body]
    this.selected.append(
      element(
        'header',
        {},
        element('i', { style: `background:${cssColor(this.colors[body])}` }),
        element('h2', { title: name }, name),
        element('span', { class: 'kind' }, kind),
        iconButton('close', 'Deselect (Esc)', () => this.actions.select(-1)),
      ),
      element('dl', {}),
    )
  }

  /** `states` as bodyStateSize numbers for every body; null while they are on their way. */
  showState(states: Float32Array | null) {
    const rows = this.selected.querySelector('dl')
    if (!rows || this.selectedBody < 0 || !states) return
    const s = states.subarray(bodyStateSize * this.selectedBody, bodyStateSize * (this.selectedBody + 1))
    const told = (label: string, value: string) => [element('dt', {}, label), element('dd', {}, value)]
    const vector = (begin: number) =>
      `${coordinate(s[begin])}  ${coordinate(s[begin + 1])}  ${coordinate(s[begin + 2])}`
    const length = (begin: number) => Math.hypot(s[begin], s[begin + 1], s[begin + 2])
    if (!(s.length > 0) || Number.isNaN(s[0])) {
      rows.replaceChildren(element('dt', {}, 'State'), element('dd', {}, 'not in this run’s bodies.csv'))
      return
    }
    rows.replaceChildren(
      ...told('Centre, m', vector(0)),
      ...told('Velocity, m/s', vector(7)),
      ...told('Speed', quantity(length(7), 'm/s')),
      ...told('Quaternion', Array.from(s.subarray(3, 7), (q) => q.toFixed(2).replace('-', '−')).join('  ')),
      ...told('Spin', quantity(length(10), 'rad/s')),
      ...(Number.isNaN(s[13]) ? [] : told('Contact force', quantity(length(13), 'N'))),
    )
  }
}
