// Starts the viewer, with the run that the page carries or with that of the server it came from.
import './style.css'
import { element } from './dom'
import { RunClient } from './run_client'
import { Viewer } from './viewer'

function showFailure(error: unknown) {
  const text = error instanceof Error ? error.message : String(error)
  const card = element('div', { class: 'failure', role: 'alert' })
  card.append(element('h1', {}, 'This run cannot be shown'), element('p', {}, text))
  document.getElementById('app')!.append(card)
}

async function start() {
  const inlined = document.getElementById('run')?.textContent ?? null
  const client = new RunClient(inlined)
  const run = await client.describe(0)
  await new Viewer(client, run, inlined !== null).start()
}

start().catch(showFailure)
