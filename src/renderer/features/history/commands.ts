import { t } from '@lingui/core/macro'
import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { daysOf, presets, type Preset } from '../../ui/day-range.ts'

const titles: Readonly<Record<Preset, string>> = {
  get today() {
    return t`Spending: today`
  },
  get week() {
    return t`Spending: last 7 days`
  },
  get month() {
    return t`Spending: last 30 days`
  },
  get quarter() {
    return t`Spending: last 90 days`
  },
  get all() {
    return t`Spending: all time`
  },
}

export const historyCommands: readonly Command[] = presets.map(({ id }) => ({
  id: `history/${id}`,
  get title() {
    return titles[id]
  },
  also: 'history queries cost usage tokens log',
  // Imported when it runs: the first load of the window does without the query cache.
  run: () =>
    void import('./history-store.ts')
      .then(
        ({ showHistory }) => showHistory(daysOf(id, Date.now())),
        () => undefined,
      )
      .then(() => go({ view: 'wallet', part: 'activity' })),
}))
