import { SottoError } from '../../shared/errors.ts'
import type { ApiContext } from './context.ts'

/** Controls, breaks and marks that turn text around. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Waits for the owner's yes, given outside the window. Throws confirm/refused, and confirm/… of what else became of the question. */
export async function confirmed(core: ApiContext, says: string, givenUp: AbortSignal | undefined): Promise<void> {
  // A question repeats what the window or the service chose, to a terminal or a dialog: that must not write the rest of it.
  if (!(await core.confirm.ask({ says: says.replaceAll(UNSHOWN, '\ufffd') }, givenUp))) throw new SottoError('confirm/refused')
}
