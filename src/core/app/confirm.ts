import { SottoError } from '../../shared/errors.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'
import type { ApiContext } from '../rpc/context.ts'
import type { Caller } from '../gateway/callers/index.ts'

/** A call, as a handler receives it. */
export interface Call {
  readonly context: { readonly caller: Caller }
  readonly signal?: AbortSignal | undefined
}

/**
 * @returns the ID by which questions and wrong codes are counted: each browser tab separately, the desktop's
 * window, or the owner's commands
 */
export function askerOf({ caller }: Call['context']): string {
  return caller.id
}

/**
 * Waits for the owner's confirmation outside the window. Resolve everything that the question names before
 * asking, and act on those values only: the caller can change the rest while the question waits.
 * @throws {SottoError} confirm/refused – the answer is no, or there is none; confirm/too-many,
 * confirm/too-soon, confirm/no-terminal – no question was shown; request/locked – Sotto was locked before the
 * answer
 */
export async function confirmed(
  core: ApiContext,
  question: LocalizedText,
  { context, signal }: Call,
): Promise<void> {
  const { ending } = core
  const accepted = await core.confirm.ask(
    { says: question, from: askerOf(context) },
    signal ? AbortSignal.any([signal, ending]) : ending,
  )
  // The request belongs to a core that is closed or closing.
  if (ending.reason instanceof SottoError) throw ending.reason
  if (!accepted || ending.aborted) throw new SottoError('confirm/refused')
}
