// Numbers as people read them: three digits and a prefix.

const prefixes: [number, string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
]

/** 12345 Pa is "12.3 kPa"; a number without a unit has no prefix either. */
export function quantity(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–'
  if (unit === '') return withMinus(digits(value))
  const size = Math.abs(value)
  if (size < 1e-12) return `0 ${unit}`
  const [scale, prefix] = prefixes.find(([s]) => size >= 0.9995 * s) ?? prefixes[prefixes.length - 1]
  return `${withMinus(digits(value / scale))} ${prefix}${unit}`
}

function withMinus(text: string): string {
  return text.replaceAll('-', '−')
}

/** Three digits that count, without an exponent where that is readable. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 1e-3 || size >= 1e6) return value.toExponential(1).replace('e', ' e')
  return size >= 100
    ? value.toFixed(0)
    : size >= 10
      ? value.toFixed(1)
      : size >= 0.1
        ? value.toFixed(2)
        : value.toFixed(4)
}

/** A coordinate; its digits stay in place while it changes. */
export function coordinate(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  return (size < 10 ? value.toFixed(3) : size < 1000 ? value.toFixed(1) : value.toExponential(2)).replace('-', '−')
}

/** A round number, as axes have them. */
export function tick(value: number, unit: string): string {
  const size = Math.abs(value)
  const [scale, prefix] = unit && size > 1e-12 ? (prefixes.find(([s]) => size >= 0.9995 * s) ?? [1, '']) : [1, '']
  return `${Number((value / scale).toPrecision(4)).toLocaleString('en')}${unit ? ` ${prefix}${unit}` : ''}`.replace(
    '-',
    '−',
  )
}

export function count(value: number, one: string): string {
  return `${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`
}

/** Marks of an axis from low to high: about `wanted` of them, at round numbers. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / Math.max(1, wanted)
  if (!(rough > 0) || !Number.isFinite(rough)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10)
  const marks: number[] = []
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) marks.push(i * step)
  return marks
}
