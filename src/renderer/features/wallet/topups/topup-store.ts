import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { hasEnded } from '../../../../shared/topup-status.ts'
import type { Topup, TopupMethod } from '../../../../shared/topup.ts'
import { watch } from '../../../data/watch.ts'
import { announce } from '../../../ui/announcer.tsx'
import { mayBeOlder } from '../../../ui/answer-order.ts'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'
import { refreshBalance } from '../balance-store.ts'
import { loadWallet } from '../connection/wallet-store.ts'
import { formatAmount } from './topup-words.ts'

interface TopupState {
  readonly methods: readonly TopupMethod[] | undefined
  readonly methodsFailure: Failure | undefined
  /** The newest first. */
  readonly topups: readonly Topup[] | undefined
  readonly topupsFailure: Failure | undefined
  /** Whether what is shown follows what happens; where it does not, it is as of then. */
  readonly following: boolean
  /** Those that were open in this window and are not put away yet, so that whoever paid sees what became of it. */
  readonly inView: ReadonlySet<string>
}

const empty: TopupState = {
  methods: undefined,
  methodsFailure: undefined,
  topups: undefined,
  topupsFailure: undefined,
  following: false,
  inView: new Set(),
}

export const useTopups = create<TopupState>()(() => empty)

onServiceChange(() => useTopups.setState(empty))

/** Of a service that was left meanwhile nothing is kept, nor once `signal` says that nobody looks. */
export async function loadMethods(signal?: AbortSignal): Promise<void> {
  const still = sameService()
  const wanted = () => still() && !signal?.aborted
  useTopups.setState({ methodsFailure: undefined })
  try {
    const methods = await api.topups.methods()
    if (wanted()) useTopups.setState({ methods })
  } catch (thrown) {
    if (wanted()) useTopups.setState({ methodsFailure: asFailure(thrown) })
  }
}

/** Follows the topups until `signal` aborts. */
export function followTopups(signal: AbortSignal): Promise<void> {
  return watch(
    {
      open: (left) => api.topups.watch(undefined, { signal: left }),
      onEvent: take,
      onState: ({ following, failure }) => useTopups.setState({ following, topupsFailure: failure }),
    },
    signal,
  )
}

/** `all`: it holds every one, so that what is missing is gone. */
function take(told: readonly Topup[], all = false): void {
  const { topups: before = [], inView } = useTopups.getState()
  const changed = new Map(told.map((topup) => [topup.id, topup]))
  const kept = all ? [] : before.filter(({ id }) => !changed.has(id))
  const open = told.filter((topup) => !hasEnded(topup)).map(({ id }) => id)
  useTopups.setState({
    topups: [...told, ...kept].toSorted((a, b) => b.createdAt - a.createdAt),
    inView: new Set([...inView, ...open]),
  })
  for (const topup of told) {
    const known = before.find(({ id }) => id === topup.id)
    if (known && (known.state !== topup.state || known.received?.paid !== topup.received?.paid)) tell(topup)
  }
}

/** What a call answered, of the service that was used when it was made. */
async function takeAnswer(call: Promise<Topup>): Promise<Topup> {
  const still = sameService()
  const topup = await call
  const { topups, following } = useTopups.getState()
  if (still() && !mayBeOlder(topup, topups, following)) take([topup])
  return topup
}

function tell({ state, amount, currency, received }: Topup): void {
  const sum = formatAmount(amount, currency)
  if (state === 'settled') {
    announce(t`The ${sum} top-up is paid`)
    void refreshBalance()
  } else if (state === 'processing') announce(t`Payment detected for the ${sum} top-up`)
  else if (received && state === 'new') announce(t`A part of the ${sum} top-up arrived`)
  else if (state === 'refunded') announce(t`The ${sum} top-up was refunded`)
  else if (state === 'expired' || state === 'invalid' || state === 'replaced')
    announce(t`The ${sum} top-up can no longer be paid`)
}

/** Throws what the call throws. */
export async function createTopup(input: Parameters<typeof api.topups.create>[0]): Promise<Topup> {
  const still = sameService()
  const topup = await takeAnswer(api.topups.create(input))
  // One in dollars tells what a sat is worth.
  void loadWallet()
  // One that is not what was asked for has ended at once, and is to be seen all the same.
  if (still()) useTopups.setState(({ inView }) => ({ inView: new Set([...inView, topup.id]) }))
  return topup
}

/** Asks the service about it now. Throws what the call throws. */
export async function checkTopup(topupId: string): Promise<void> {
  await takeAnswer(api.topups.check({ topupId }))
}

/** Throws what the call throws. */
export async function payTopup(topupId: string): Promise<void> {
  try {
    await takeAnswer(confirmable((signal) => api.topups.payFromWallet({ topupId }, { signal })))
  } finally {
    // What it spent, or holds, counts against its limits.
    void loadWallet()
  }
}

/** Ends the wait for the wallet's payment. Throws what the call throws. */
export async function closeTopupPayment(topupId: string): Promise<void> {
  await takeAnswer(confirmable((signal) => api.topups.closePayment({ topupId }, { signal })))
  void loadWallet()
}

/** Throws what the call throws. */
export async function forgetTopup(topupId: string): Promise<void> {
  await api.topups.forget({ topupId })
  useTopups.setState(({ topups }) => ({ topups: topups?.filter(({ id }) => id !== topupId) }))
}

/** Puts an invoice away into the history. */
export function putAway(topupId: string): void {
  useTopups.setState(({ inView }) => ({ inView: new Set([...inView].filter((id) => id !== topupId)) }))
}
