import { isDue } from '../../shared/duration.ts'
import { decimalUsd, parseUsd } from '../../shared/money.ts'
import { msg } from '../../shared/localized-text.ts'
import type { Notice } from '../../shared/status.ts'
import type { Accounts } from './accounts/index.ts'
import type { Store } from '../storage/index.ts'

const SETTING = 'low-balance'
const USUAL = '1'
/**
 * The balance is read at most once in this time, and a moment after the request, so that the service has
 * charged it.
 */
const EVERY_MS = 5 * 60_000
const AFTER_MS = 2_000

/** Shows a notice when the active account's balance falls below a limit. */
export interface LowBalance extends Disposable {
  /**
   * The limit: dollars in decimal text. With "0" the balance isn't read after requests, and there is no
   * notice.
   */
  below(): string
  setBelow(dollars: string): void
  /** Schedules a read of the balance if one is due. The call itself costs nothing. */
  noteRequest(): void
  /** Reads the balance now. Never throws. */
  look(): Promise<void>
  notice(): Notice | null
  /** The active account's balance as it was last read here, in pico-USD, and the time in Unix ms; null before. */
  seen(): { readonly picoUsd: bigint; readonly at: number } | null
}

/** The limit is in the profile's settings, and the seen balance only in memory. @param now Unix ms */
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
  let seen: { readonly accountId: string; readonly picoUsd: bigint; readonly at: number } | null = null
  /** The time at which it fell below the limit. A dismissal of the notice applies to it. */
  let lowSince: number | null = null

  const below = (): string => settings.get(SETTING) ?? USUAL
  function update(): void {
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
      seen = accountId === accounts.activeId() ? { accountId, picoUsd, at: now() } : null
      update()
    } catch {
      // Without a balance there is no notice. The next request reads it again.
    }
  }

  return {
    below,
    setBelow(dollars) {
      settings.set(SETTING, decimalUsd(parseUsd(dollars) ?? 0n))
      update()
    },
    noteRequest() {
      if (timer || !isDue(now(), lookedAt, EVERY_MS) || (parseUsd(below()) ?? 0n) <= 0n) return
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
    seen: () => (seen?.accountId === accounts.activeId() ? seen : null),
    [Symbol.dispose]() {
      ended.abort()
      clearTimeout(timer)
    },
  }
}
