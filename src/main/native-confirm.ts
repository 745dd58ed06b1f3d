import { t } from '@lingui/core/macro'
import { dialog, type BrowserWindow } from 'electron'
import type { Confirm } from '../shared/confirm.ts'
import { spoken } from './language.ts'

const PATIENCE_MS = 5 * 60_000
const CANCEL = 0
const ALLOW = 1

/**
 * Asks in a dialog of the operating system, in the window's language, which no page can draw over or press. One at a time: what is asked while
 * another waits is refused, so that a page cannot pile them up until one is pressed by mistake.
 */
export function createNativeConfirm(parent: () => BrowserWindow | null): Confirm {
  let asking = false
  return {
    async ask({ says }, givenUp) {
      if (asking) return false
      asking = true
      try {
        const options = {
          type: 'question' as const,
          title: 'Sotto',
          message: spoken(says.slice(0, 1)),
          detail: spoken(says.slice(1)),
          buttons: [t`Cancel`, t`Allow`],
          defaultId: CANCEL,
          cancelId: CANCEL,
          noLink: true,
          signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(givenUp ? [givenUp] : [])]),
        }
        const window = parent()
        const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options))
        return response === ALLOW
      } catch {
        return false
      } finally {
        asking = false
      }
    },
    pending: () => null,
    answer: () => false,
  }
}
