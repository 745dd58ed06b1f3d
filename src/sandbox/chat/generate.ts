import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Charge } from '../ledger/ledger.ts'
import type { SandboxModel } from '../models.ts'
import type { Pace } from '../sandbox.ts'
import type { Plan } from './plan.ts'

export interface Generation {
  readonly plan: Plan
  readonly model: SandboxModel
  readonly charge: Charge
  readonly pace: Pace
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/** A burst of text, or of the arguments of one call, or a moment in which nothing was generated yet. */
export type Burst =
  | { readonly kind: 'tokens'; readonly text: string; readonly call: number }
  | { readonly kind: 'waiting' }

/**
 * Writes the answer burst by burst, each charged as it is generated. It stops at once, and charges no more, when the
 * caller goes away or stops reading.
 * @throws AbortError
 */
export async function* generate({ plan, model, charge, pace, signal }: Generation): AsyncGenerator<Burst> {
  const { tokens } = plan
  yield { kind: 'waiting' }
  if (pace === 'human') {
    await setTimeout(varied(tokens.length, 60, 160), undefined, { signal })
    yield { kind: 'waiting' }
    await setTimeout(varied(tokens.length + 1, 60, 160), undefined, { signal })
  }
  for (let at = 0, turn = 0; at < tokens.length; turn += 1) {
    const call = Math.max(0, plan.calls?.findIndex(({ end }) => at < end) ?? 0)
    const burst = tokens.slice(
      at,
      Math.min(at + varied(turn, 2, 7), plan.calls?.[call]?.end ?? tokens.length),
    )
    if (pace === 'human') await setTimeout(varied(turn * 7 + tokens.length, 10, 40), undefined, { signal })
    else await setImmediate(undefined, { signal })
    charge.spend(BigInt(burst.length) * model.picoPerOutputToken, { output: burst.length })
    yield { kind: 'tokens', text: burst.join(''), call }
    at += burst.length
    if (turn === 24) yield { kind: 'waiting' }
  }
}

/** A number in [from, to) that varies from turn to turn and not from run to run. */
function varied(turn: number, from: number, to: number): number {
  return from + ((Math.imul(turn + 1, 2_654_435_761) >>> 8) % (to - from))
}
