import { t } from '@lingui/core/macro'
import { lockFromAnywhere } from '../../ui/lock.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { keysOf } from '../../ui/shortcuts.ts'

export const settingsCommands: readonly Command[] = [
  {
    id: 'lock',
    get title() {
      return t`Lock Sotto`
    },
    also: 'lock now vault passphrase log out',
    get keys() {
      return keysOf('lock')
    },
    run: lockFromAnywhere,
  },
]
