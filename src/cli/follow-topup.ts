import { sleep } from '../shared/sleep.ts'
import { hasEnded, topupStatus, type TopupStatus } from '../shared/topup-status.ts'
import type { Topup } from '../shared/topup.ts'
import { CommandFailure, failureOf, type ContractClient } from './client.ts'

/** A service may confirm a payment that was sent in time shortly after the end. */
const GRACE_MS = 60_000
/** For a top-up that names no end. */
const LONGEST_MS = 24 * 60 * 60_000

const ON_ITS_WAY: ReadonlySet<TopupStatus> = new Set([
  'processing',
  'paying',
  'held',
  'payment-unknown',
  'sent',
])

export interface FollowOptions {
  readonly onChange: (topup: Topup) => void
  readonly signal: AbortSignal
  readonly graceMs?: number
}

/**
 * Follows a top-up until it has ended, and reports each state of it. One minute after its end, it also stops if
 * the service, which is then asked once more, has no payment. A payment that the service detected, or that the connected wallet may
 * have sent, is followed however long it takes.
 *
 * @returns the last state
 * @throws {CommandFailure} host/already-running – the Sotto that runs it quit
 * @throws the reason of `signal` if it is aborted
 */
export async function followTopup(
  client: ContractClient,
  topup: Topup,
  { onChange, signal, graceMs = GRACE_MS }: FollowOptions,
): Promise<Topup> {
  const ended = new AbortController()
  const stop = AbortSignal.any([signal, ended.signal])
  try {
    return await Promise.race([throughWatch(), atItsEnd()])
  } catch (thrown) {
    signal.throwIfAborted()
    if (failureOf(thrown)) throw thrown
    throw quit()
  } finally {
    ended.abort()
  }

  async function throughWatch(): Promise<Topup> {
    for await (const topups of await client.topups.watch(undefined, { signal: stop })) {
      const changed = topups.find(({ id }) => id === topup.id)
      if (!changed) continue
      onChange(changed)
      if (hasEnded(changed)) return changed
    }
    // An aborted watch ends like a finished one.
    stop.throwIfAborted()
    throw quit()
  }

  async function atItsEnd(): Promise<Topup> {
    await sleep(Math.max(0, (topup.expiresAt ?? topup.createdAt + LONGEST_MS) + graceMs - Date.now()), stop)
    const last = await client.topups.check({ topupId: topup.id }, { signal: stop })
    if (mayArrive(last)) return new Promise(() => undefined)
    onChange(last)
    return last
  }
}

/** Whether money may be on its way. */
function mayArrive(topup: Topup): boolean {
  return ON_ITS_WAY.has(topupStatus(topup, Infinity))
}

function quit(): CommandFailure {
  return new CommandFailure({
    code: 'host/already-running',
    says: 'Sotto quit while the command waited for the payment.',
    remedy: 'The top-up is saved. To see it, start Sotto and open the Wallet.',
  })
}
