// The bar under the picture: play, step, scrub, speed.
import { element, iconButton, setIcon } from './dom'

export const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4]

export interface TransportActions {
  toggle(): void
  step(frames: number): void
  seek(index: number): void
  setSpeed(speed: number): void
  setLoop(loop: boolean): void
  follow(): void
}

export class Transport {
  readonly root: HTMLElement
  private readonly playButton: HTMLButtonElement
  private readonly slider = element('input', {
    type: 'range',
    min: '0',
    max: '0',
    step: '1',
    value: '0',
    'aria-label': 'Frame',
  })
  private readonly clock = element('output', { class: 'clock' })
  private readonly frameNumber = element('output', { class: 'frame-number' })
  private readonly speedChoice = element('select', {
    title: 'Speed: simulated seconds per second (+ and −)',
    'aria-label': 'Speed',
  })
  private readonly loopButton: HTMLButtonElement
  private readonly liveButton = element(
    'button',
    { type: 'button', class: 'live', title: 'The run is going: show the newest frame as it comes (L)' },
    element('i'),
    'Live',
  )

  private shown = ''

  constructor(actions: TransportActions) {
    this.playButton = iconButton('play', 'Play (space)', actions.toggle)
    this.playButton.classList.add('play')
    this.loopButton = iconButton('loop', 'Begin again at the end', () => {
      const on = !this.loopButton.classList.contains('on')
      this.setLoop(on)
      actions.setLoop(on)
    })
    for (const speed of speeds) this.speedChoice.append(element('option', { value: String(speed) }, `${speed}×`))
    this.slider.addEventListener('input', () => actions.seek(Number(this.slider.value)))
    this.speedChoice.addEventListener('change', () => {
      actions.setSpeed(Number(this.speedChoice.value))
      this.speedChoice.blur()
    })
    this.liveButton.addEventListener('click', actions.follow)
    this.liveButton.hidden = true
    this.root = element(
      'div',
      { class: 'transport' },
      iconButton('previous', 'Frame before (←)', () => actions.step(-1)),
      this.playButton,
      iconButton('next', 'Next frame (→)', () => actions.step(1)),
      this.clock,
      this.slider,
      this.frameNumber,
      this.liveButton,
      this.loopButton,
      this.speedChoice,
    )
  }

  setFrames(count: number) {
    this.slider.max = String(Math.max(0, count - 1))
    this.slider.disabled = count < 2
  }

  show(index: number, count: number, time: number, end: number, playing: boolean) {
    const shown = `${index} ${count} ${playing}`
    if (shown === this.shown) return
    this.shown = shown
    setIcon(this.playButton, playing ? 'pause' : 'play', playing ? 'Pause (space)' : 'Play (space)')
    if (this.slider.value !== String(index)) this.slider.value = String(index)
    this.slider.style.setProperty('--part', String(count > 1 ? index / (count - 1) : 0))
    const decimals = end < 1 ? 3 : end < 100 ? 2 : 1
    this.clock.textContent = `${time.toFixed(decimals)} s`
    this.frameNumber.textContent = `${(index + 1).toLocaleString('en')} / ${count.toLocaleString('en')}`
  }

  setSpeed(speed: number) {
    this.speedChoice.value = String(speed)
  }

  setLoop(on: boolean) {
    this.loopButton.classList.toggle('on', on)
    this.loopButton.setAttribute('aria-pressed', String(on))
  }

  setLive(running: boolean, following: boolean) {
    this.liveButton.hidden = !running
    this.liveButton.classList.toggle('on', following)
  }
}
