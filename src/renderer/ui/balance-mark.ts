import { useEffect } from 'react'
import { create } from 'zustand'
import { api } from './api.ts'
import { useReceipts } from './receipt-store.ts'
import { useRoute } from './route.ts'
import { sameService, useDirect, useService, useStatus } from './status-store.ts'

interface ShownBalance {
  readonly picoUsd: string
  /** Unix ms of the service's answer. */
  readonly at: number
  /** As of `useService`: the balance of another service or account isn't shown. */
  readonly service: string | undefined
}

const useShown = create<{ readonly balance: ShownBalance | null }>()(() => ({ balance: null }))

/** A balance that is newer isn't requested again when the view changes. */
const FRESH_MS = 60_000

/** Shows a balance that the service just reported for the account in use. */
export function showBalance(picoUsd: string, service: string | undefined): void {
  useShown.setState({ balance: { picoUsd, at: Date.now(), service } })
}

/** How often the balance was cleared. An answer to an earlier request is of another account. */
let clears = 0

/** Another balance is expected, such as that of another account of the same service. */
export function clearBalance(): void {
  clears += 1
  useShown.setState({ balance: null })
}

/**
 * The balance of the account in use, in pico-USD. It's requested when the window opens, when the account changes, and after a minute
 * when the view changes or a request was paid. Undefined without an account and until the service answers.
 */
export function useBalanceMark(): string | undefined {
  const service = useService()
  const direct = useDirect()
  const connected = useStatus(({ status }) => status?.account.connected === true) && !direct
  const { view } = useRoute()
  const receipts = useReceipts((state) => Object.keys(state.receipts).length)
  const balance = useShown((state) => (state.balance?.service === service ? state.balance : null))
  const at = balance?.at
  useEffect(() => {
    if (!connected || (at !== undefined && Date.now() - at < FRESH_MS)) return
    const isSame = sameService()
    const before = clears
    void api.accounts.balance(undefined).then(
      ({ picoUsd }) => {
        if (isSame() && clears === before) showBalance(picoUsd, service)
      },
      // The wallet shows why the service didn't answer.
      () => undefined,
    )
  }, [connected, service, view, receipts, at])
  return connected ? balance?.picoUsd : undefined
}
