import { t } from '@lingui/core/macro'
import { dialog, type BrowserWindow, type MessageBoxOptions, type MessageBoxReturnValue } from 'electron'
import { ConfirmBrake } from '../shared/confirm-brake.ts'
import type { Confirm, Question } from '../shared/confirm.ts'
import { SottoError } from '../shared/errors.ts'
import { spoken } from './language.ts'

const TIMEOUT_MS = 5 * 60_000
const CANCEL = 0
const ALLOW = 1

/**
 * Asks in a dialog of the operating system, in the window's language, which no page can cover or press. It
 * shows one dialog at a time and refuses other questions during that time, so that a page can't pile them
 * up until one is pressed by mistake. The same limit as in the terminal applies to the number of questions,
 * and delays the next one after each refusal.
 * @param now ms of a monotonic clock
 */
export function createNativeConfirm(
  parent: () => BrowserWindow | null,
  now: () => number = () => performance.now(),
): Confirm {
  const brake = new ConfirmBrake(now)
  let asking = false

  async function ask(message: string, detail: string, canceled: AbortSignal | undefined): Promise<boolean> {
    const options = {
      type: 'question' as const,
      title: 'Sotto',
      message,
      detail,
      buttons: [t`Cancel`, t`Allow`],
      defaultId: CANCEL,
      cancelId: CANCEL,
      noLink: true,
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(canceled ? [canceled] : [])]),
    }
    try {
      const { response } = await showMessage(parent(), options)
      return response === ALLOW
    } catch {
      return false
    }
  }

  return {
    async ask({ says, from }, canceled) {
      if (asking || canceled?.aborted) return false
      brake.requireNoWait(from)
      const uncount = brake.countQuestion(from)
      asking = true
      const allowed = await ask(spoken(says.slice(0, 1)), spoken(says.slice(1)), canceled)
      asking = false
      if (allowed) {
        uncount()
        brake.noteRight(from)
      } else brake.noteWrong(from)
      return allowed
    },
    pending: () => null,
    answer: () => ({ accepted: false }),
  }
}

/** Shows a message of the operating system, above the window if there is one. */
export function showMessage(
  parent: BrowserWindow | null,
  options: MessageBoxOptions,
): Promise<MessageBoxReturnValue> {
  return parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options)
}

/** Asks about a link. A page can open links without end, so one that the brake holds back is refused without another dialog. */
export async function allowsLink(
  confirm: Confirm,
  question: Question['says'],
  from: 'link' | 'sotto-link',
): Promise<boolean> {
  try {
    return await confirm.ask({ says: question, from })
  } catch (thrown) {
    if (thrown instanceof SottoError) return false
    throw thrown
  }
}
