import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { daysOf, presets } from './days.ts'
import { openHistory } from './history-store.ts'

export const historyCommands: readonly Command[] = presets.map(({ id, name }) => ({
  id: `history/${id}`,
  title: `Spending: ${name.toLowerCase()}`,
  also: 'history queries cost usage tokens log',
  run: () => {
    openHistory(daysOf(id, Date.now()))
    go({ room: 'history' })
  },
}))
