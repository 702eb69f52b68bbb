// Starts the viewer, with the run that the page carries or with that of the server it came from.
import './style.css'
import { element } from './dom'
import { Viewer } from './viewer'

function showFailure(error: unknown) {
  const text = error instanceof Error ? error.message : String(error)
  const card = element('div', { class: 'failure', role: 'alert' })
  card.append(element('h1', {}, 'This run cannot be shown'), element('p', {}, text))
  document.getElementById('app')!.append(card)
}

try {
  const viewer = new Viewer(document.getElementById('run')?.textContent ?? null)
  viewer.start().catch(showFailure)
} catch (error) {
  showFailure(error)
}
