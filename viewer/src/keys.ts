// The keyboard, and the card that tells of it.
import { element, iconButton } from './dom'

type Handlers = Record<string, (shift: boolean) => void>

export function bindKeys(handlers: Handlers) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    const isText = target instanceof HTMLInputElement && ['search', 'number', 'text'].includes(target.type)
    if (isText || target instanceof HTMLSelectElement) return
    // The space bar presses a button that has the focus; here it plays, wherever the focus is.
    const handler = handlers[event.key] ?? handlers[event.key.toLowerCase()]
    if (!handler) return
    event.preventDefault()
    handler(event.shiftKey)
  })
}

const keys: [string, string][] = [
  ['Space', 'play, pause'],
  ['← →', 'one frame (Shift: ten)'],
  ['Home End', 'first, last frame'],
  ['+ −', 'faster, slower'],
  ['1 to 5', 'colour'],
  ['C', 'contacts'],
  ['J', 'joints'],
  ['M', 'mesh'],
  ['S', 'shadows'],
  ['F', 'whole scene'],
  ['V', 'view of the scene file'],
  ['P', 'plots'],
  ['B', 'panel'],
  ['T', 'light, dark'],
  ['L', 'follow a running simulation'],
  ['Drag', 'turn (right button: shift)'],
  ['Wheel', 'nearer, farther'],
  ['Press', 'choose a body, tell of a point'],
]

export function helpCard(close: () => void): HTMLElement {
  const card = element(
    'div',
    { class: 'help card', role: 'dialog', 'aria-label': 'Keys' },
    element('header', {}, element('h2', {}, 'Keys and mouse'), iconButton('close', 'Close (Esc)', close)),
    element('dl', {}, ...keys.flatMap(([key, meaning]) => [element('dt', {}, key), element('dd', {}, meaning)])),
  )
  card.hidden = true
  return card
}
