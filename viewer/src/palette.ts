// Colours: of bodies, of the ramps that show a field, of the two themes.
import type { Field } from './run_data'

export type Rgb = [number, number, number]

/** Of bodies that move, in turn; the hues are those of pictures of `bulwark render`. sRGB, 0 to 1. */
const bodyColors: Rgb[] = [
  [0.36, 0.6, 0.84],
  [0.94, 0.62, 0.36],
  [0.51, 0.74, 0.45],
  [0.85, 0.45, 0.47],
  [0.65, 0.55, 0.8],
  [0.93, 0.79, 0.4],
  [0.42, 0.73, 0.72],
  [0.88, 0.58, 0.73],
  [0.66, 0.55, 0.46],
  [0.55, 0.65, 0.8],
  [0.72, 0.77, 0.38],
  [0.75, 0.62, 0.86],
]

/** When these are used up, their dark, light and dull versions follow: times and plus. */
const versions: [number, number][] = [
  [1, 0],
  [0.62, 0],
  [0.55, 0.44],
  [0.36, 0.1],
]

export const obstacleColor: Rgb = [0.78, 0.78, 0.77]

export function bodyColor(movingNumber: number): Rgb {
  const [factor, light] = versions[Math.floor(movingNumber / bodyColors.length) % versions.length]
  return bodyColors[movingNumber % bodyColors.length].map((part) => factor * part + light) as Rgb
}

export function cssColor([r, g, b]: Rgb): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`
}

/** Stops of each field's ramp, from zero to the end of the scale: lightness climbs steadily, so that more always
 *  looks like more, in grey and to the colour-blind too. */
const stops: Record<string, string[]> = {
  speed: ['#4a5d94', '#3f83b3', '#3aa99f', '#93c872', '#f7e27a'],
  von_mises_stress: ['#5a5f8c', '#8a5c9e', '#c65a86', '#ee8a5f', '#fcd97f'],
  contact_force: ['#67718a', '#7680ad', '#a07cc0', '#e07fa0', '#ffc9a0'],
  contact_pressure: ['#5c6b7d', '#5f86a0', '#6fa58f', '#b9bf6a', '#ffd98a'],
  contact_traction: ['#6b6f85', '#7d83a8', '#8fa0b8', '#b9c69a', '#f5e08c'],
  energy_density: ['#4f6a6e', '#4f8a80', '#7aa866', '#c4b956', '#ffdf80'],
}

/** Of fields with a sign: from minus the end of the scale to the end, light at zero. */
const signedStops = ['#1f4b8e', '#6ea3d4', '#ecebe6', '#e59a78', '#9e1f2d']

function stopsOf(field: Field): string[] {
  return field.signed ? signedStops : (stops[field.name] ?? stops.von_mises_stress)
}

function parse(hex: string): Rgb {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as Rgb
}

const toLinear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const toSrgb = (c: number) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)

/** The field's colours as bytes r, g, b, a, mixed in linear light. */
export function rampBytes(field: Field, count: number): Uint8Array {
  const colors = stopsOf(field).map(parse)
  const bytes = new Uint8Array(4 * count)
  for (let i = 0; i < count; ++i) {
    const place = (i / (count - 1)) * (colors.length - 1)
    const stop = Math.min(Math.floor(place), colors.length - 2)
    for (let k = 0; k < 3; ++k) {
      const mixed = toLinear(colors[stop][k]) * (1 - place + stop) + toLinear(colors[stop + 1][k]) * (place - stop)
      bytes[4 * i + k] = Math.round(255 * toSrgb(mixed))
    }
    bytes[4 * i + 3] = 255
  }
  return bytes
}

export function rampGradient(field: Field): string {
  const bytes = rampBytes(field, 17)
  const colors = Array.from({ length: 17 }, (_, i) => `rgb(${bytes[4 * i]} ${bytes[4 * i + 1]} ${bytes[4 * i + 2]})`)
  return `linear-gradient(90deg, ${colors.join(', ')})`
}

export interface Theme {
  name: 'light' | 'dark'
  skyTop: string
  skyBottom: string
  ground: string
  groundLine: string
  mesh: string
  meshOpacity: number
  contact: string
  joint: string
  motor: string
  accent: string
}

export const themes: Record<'light' | 'dark', Theme> = {
  light: {
    name: 'light',
    skyTop: '#c9d4e2',
    skyBottom: '#f3f5f8',
    ground: '#e9ecf0',
    groundLine: '#b9c2ce',
    mesh: '#101828',
    meshOpacity: 0.22,
    contact: '#d6295b',
    joint: '#1f2d4d',
    motor: '#b3261e',
    accent: '#2f6fde',
  },
  dark: {
    name: 'dark',
    skyTop: '#14181f',
    skyBottom: '#2b313b',
    ground: '#353a42',
    groundLine: '#565f6c',
    mesh: '#05070a',
    meshOpacity: 0.4,
    contact: '#ff5c8a',
    joint: '#f4f7ff',
    motor: '#ff8f6b',
    accent: '#6ea8ff',
  },
}
