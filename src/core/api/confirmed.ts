import { SottoError } from '../../shared/errors.ts'
import type { Said } from '../../shared/say.ts'
import type { ApiContext } from './context.ts'

/** Waits for the owner's yes, given outside the window. Throws confirm/refused, and confirm/… of what else became of the question. */
export async function confirmed(core: ApiContext, says: Said, givenUp: AbortSignal | undefined): Promise<void> {
  if (!(await core.confirm.ask({ says }, givenUp))) throw new SottoError('confirm/refused')
}
