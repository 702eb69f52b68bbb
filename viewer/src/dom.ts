// Elements and icons, made in one line each.

type Child = Node | string | null

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children.filter((child): child is Node | string => child !== null))
  return made
}

/** Drawn on 24 by 24, in lines. */
const icons = {
  play: '<path d="M7 4.5v15l12.5-7.5z" fill="currentColor" stroke-linejoin="round"/>',
  pause: '<path d="M8 5v14M16 5v14" stroke-width="3.4"/>',
  next: '<path d="M6 6v12l8.5-6z" fill="currentColor" stroke-linejoin="round"/><path d="M18 5.5v13" stroke-width="2.6"/>',
  previous:
    '<path d="M18 6v12l-8.5-6z" fill="currentColor" stroke-linejoin="round"/><path d="M6 5.5v13" stroke-width="2.6"/>',
  fit: '<path d="M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4"/>',
  theme: '<circle cx="12" cy="12" r="8.2"/><path d="M12 3.8a8.2 8.2 0 0 1 0 16.4z" fill="currentColor" stroke="none"/>',
  help: '<circle cx="12" cy="12" r="8.5"/><path d="M9.6 9.4a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.6v.2" stroke-linecap="round"/>',
  panel: '<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M14.5 5v14"/>',
  charts: '<path d="M4 19h16M5.5 15l4-5 3.5 3 5.5-7" stroke-linejoin="round"/>',
  eye: '<path d="M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12z"/><circle cx="12" cy="12" r="2.8"/>',
  hidden:
    '<path d="M4 4l16 16M9.6 6.1A9 9 0 0 1 12 5.8c6 0 9.2 6.2 9.2 6.2a15 15 0 0 1-2.6 3.4M6.3 8A15 15 0 0 0 2.8 12S6 18.2 12 18.2a9 9 0 0 0 3.6-.8"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  loop: '<path d="M5 11a6 6 0 0 1 6-5h7M15.5 3L18.5 6l-3 3M19 13a6 6 0 0 1-6 5H6M8.500 21L5.500 18l3-3"/>',
}

export type IconName = keyof typeof icons

export function icon(name: IconName): SVGSVGElement {
  const holder = document.createElement('template')
  holder.innerHTML = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">${icons[name]}</svg>`
  return holder.content.firstElementChild as SVGSVGElement
}

export function iconButton(name: IconName, label: string, pressed: () => void): HTMLButtonElement {
  const button = element('button', { class: 'icon', type: 'button', title: label, 'aria-label': label }, icon(name))
  button.addEventListener('click', pressed)
  return button
}

export function setIcon(button: HTMLButtonElement, name: IconName, label: string) {
  if (button.dataset.icon === name) return
  button.dataset.icon = name
  button.replaceChildren(icon(name))
  button.title = label
  button.setAttribute('aria-label', label)
}
