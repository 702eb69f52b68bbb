// Which columns of steps.csv are plotted, and how.
import type { ChartKind, Series } from './chart'
import type { StepsTable } from './steps_table'

const column = (label: string, name: string, color: string): Series => ({
  label,
  color,
  values: (table) => table.column(name),
})

const phases = [
  column('linear solve', 'seconds_linear_solve', '#5b8def'),
  column('assembly', 'seconds_assembly', '#38b2ac'),
  column('CCD', 'seconds_ccd', '#e8a33d'),
  column('contact', 'seconds_contact', '#e5677d'),
  column('broad phase', 'seconds_broad_phase', '#9f7aea'),
  column('line search', 'seconds_line_search', '#8fb359'),
]

/** What the phases leave of a step. */
function otherSeconds(table: StepsTable): number[] {
  const parts = phases.map((phase) => phase.values(table))
  return table
    .column('seconds')
    .map((total, i) => Math.max(0, total - parts.reduce((sum, part) => sum + (part[i] ?? 0), 0)))
}

export const chartKinds: ChartKind[] = [
  {
    title: 'Energy',
    unit: 'J',
    stacked: false,
    series: [
      column('total', 'total', '#8a93a3'),
      column('gravity', 'gravity', '#38b2ac'),
      column('kinetic', 'kinetic', '#5b8def'),
      column('elastic', 'elastic', '#e8a33d'),
      column('contact', 'contact', '#e5677d'),
    ],
  },
  {
    title: 'Time per step',
    unit: 's',
    stacked: true,
    series: [...phases, { label: 'other', color: '#a3abb8', values: otherSeconds }],
  },
  {
    title: 'Contacts',
    unit: '',
    stacked: false,
    series: [column('contacts', 'contacts', '#e5677d'), column('Newton iterations', 'newton_iterations', '#5b8def')],
  },
]
