import { decimalUsd, parseUsd } from '../../shared/money.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Notice } from '../../shared/status.ts'
import type { Accounts } from './accounts/index.ts'
import type { Store } from '../storage/index.ts'

const SETTING = 'low-balance'
const USUAL = '1'
/** The balance is looked at once in this time at most, and a moment after the request, so that the service has charged it. */
const EVERY_MS = 5 * 60_000
const AFTER_MS = 2_000

/** Tells when the active account's balance falls below a bound. */
export interface LowBalance extends Disposable {
  /** Dollars in decimal text; "0": it is never looked at after requests, and never told. */
  below(): string
  setBelow(dollars: string): void
  /** Costs nothing: whether to look is decided here, and it happens later. */
  noteRequest(): void
  /** Looks now. Never throws. */
  look(): Promise<void>
  notice(): Notice | null
}

/** The bound is kept with the profile's settings; what was seen of the balance is in memory alone. @param now Unix ms */
export function createLowBalance({
  settings,
  accounts,
  now,
}: {
  settings: Store['settings']
  accounts: Pick<Accounts, 'activeId' | 'balance'>
  now: () => number
}): LowBalance {
  const ended = new AbortController()
  let lookedAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let seen: { readonly accountId: string; readonly picoUsd: bigint } | null = null
  /** When it fell below the bound, which is what an acknowledgement is of. */
  let lowSince: number | null = null

  const below = (): string => settings.get(SETTING) ?? USUAL
  function judge(): void {
    const bound = parseUsd(below())
    if (
      !seen ||
      bound === null ||
      bound <= 0n ||
      seen.accountId !== accounts.activeId() ||
      seen.picoUsd >= bound
    )
      lowSince = null
    else lowSince ??= now()
  }
  async function look(): Promise<void> {
    const accountId = accounts.activeId()
    if (accountId === null || ended.signal.aborted) return
    lookedAt = now()
    try {
      const picoUsd = await accounts.balance({ signal: ended.signal })
      if (seen?.accountId !== accountId) lowSince = null
      seen = accountId === accounts.activeId() ? { accountId, picoUsd } : null
      judge()
    } catch {
      // What is not known is not told; the next request looks again in a while.
    }
  }

  return {
    below,
    setBelow(dollars) {
      settings.set(SETTING, decimalUsd(parseUsd(dollars) ?? 0n))
      judge()
    },
    noteRequest() {
      const ago = now() - lookedAt
      // Where the clock was set back, nobody knows how long ago that was.
      if (timer || (ago >= 0 && ago < EVERY_MS) || (parseUsd(below()) ?? 0n) <= 0n) return
      timer = setTimeout(() => {
        timer = undefined
        void look()
      }, AFTER_MS)
      timer.unref()
    },
    look,
    notice() {
      if (lowSince === null || seen?.accountId !== accounts.activeId()) return null
      const bound = parseUsd(below()) ?? 0n
      return {
        id: `low-balance-${String(lowSince)}`,
        says: msg('Your balance is below {bound}. Requests may soon be refused. Add funds in Wallet.', {
          bound: { usd: bound.toString() },
        }),
        lasting: false,
      }
    },
    [Symbol.dispose]() {
      ended.abort()
      clearTimeout(timer)
    },
  }
}
