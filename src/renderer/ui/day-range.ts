import { t } from '@lingui/core/macro'

const DAY = 86_400_000

/** Ranges with a name. Days are UTC, like the days of the service. */
export const presets = [
  {
    id: 'today',
    get name() {
      return t`Today`
    },
  },
  {
    id: 'week',
    get name() {
      return t`Last 7 days`
    },
  },
  {
    id: 'month',
    get name() {
      return t`Last 30 days`
    },
  },
  {
    id: 'quarter',
    get name() {
      return t`Last 90 days`
    },
  },
  {
    id: 'all',
    get name() {
      return t`All time`
    },
  },
] as const
export type Preset = (typeof presets)[number]['id']

/** Both in the form 2026-12-24, and both included. */
export interface Days {
  readonly from?: string
  readonly until?: string
}

const lengths: Readonly<Record<Exclude<Preset, 'all'>, number>> = {
  today: 1,
  week: 7,
  month: 30,
  quarter: 90,
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The days of a preset. The range has no end, so that new queries are included. */
export function daysOf(preset: Preset, now: number): Days {
  return preset === 'all' ? {} : { from: dayOf(now - (lengths[preset] - 1) * DAY) }
}

/** The preset with these days; undefined for custom days. */
export function presetOf({ from, until }: Days, now: number): Preset | undefined {
  if (until !== undefined) return undefined
  return presets.find(({ id }) => daysOf(id, now).from === from)?.id
}
