import { t } from '@lingui/core/macro'
import { hasEnded } from '../../../../shared/topup-status.ts'
import type { Topup, TopupMethod } from '../../../../shared/topup.ts'
import { emptyList, putAnswer, removeItem, type LiveList } from '../../../data/live-list.ts'
import { currentScope, type Scope } from '../../../data/service-scope.tsx'
import {
  loadAnswer,
  refreshAnswers,
  setScopedState,
  type Question,
  type ScopedState,
} from '../../../data/use-answer.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { connectSandboxWallet, refreshWallet, walletQuestion } from '../connection/wallet-store.ts'
import { formatAmount } from './topup-words.ts'

export const methodsQuestion: Question<readonly TopupMethod[]> = {
  key: ['topup-methods'],
  ask: (context) => api.topups.methods(undefined, context),
}

/** The top-ups, newest first. */
export const topupList: LiveList<Topup> = {
  state: { key: ['topups'], initial: emptyList },
  open: (signal) => api.topups.watch(undefined, { signal }),
  compare: (a, b) => b.createdAt - a.createdAt,
  onChange: (scope, changed, before) => {
    const open = changed.filter((topup) => !hasEnded(topup)).map(({ id }) => id)
    setScopedState(scope, topupsInView, (inView) => new Set([...inView, ...open]))
    for (const topup of changed) {
      const known = before.find(({ id }) => id === topup.id)
      if (known && (known.state !== topup.state || known.received?.paid !== topup.received?.paid))
        announceState(scope, topup)
    }
  },
}

/** Top-ups that were open in this window. They remain in view after they end, until the person puts them away. */
export const topupsInView: ScopedState<ReadonlySet<string>> = { key: ['topups-in-view'], initial: new Set() }

function announceState(scope: Scope, { state, amount, currency, received }: Topup): void {
  const sum = formatAmount(amount, currency)
  if (state === 'settled') {
    announce(t`The ${sum} top-up is paid`)
    void refreshAnswers(scope, ['balance'])
  } else if (state === 'processing') announce(t`Payment detected for the ${sum} top-up`)
  else if (received && state === 'new') announce(t`A part of the ${sum} top-up arrived`)
  else if (state === 'refunded') announce(t`The ${sum} top-up was refunded`)
  else if (state === 'expired' || state === 'invalid' || state === 'replaced')
    announce(t`The ${sum} top-up can no longer be paid`)
}

// Each change below throws what its call throws.

export async function createTopup(input: Parameters<typeof api.topups.create>[0]): Promise<Topup> {
  const scope = currentScope()
  const topup = await putAnswer(topupList, api.topups.create(input))
  // A top-up in dollars sets the exchange rate.
  void refreshWallet(scope)
  // If the invoice isn't what was requested, the top-up has already ended. It's shown nevertheless.
  setScopedState(scope, topupsInView, (inView) => new Set([...inView, topup.id]))
  return topup
}

/** Asks the service for the state of the top-up. */
export async function checkTopup(topupId: string): Promise<void> {
  await putAnswer(topupList, api.topups.check({ topupId }))
}

export async function payTopup(topupId: string): Promise<void> {
  const scope = currentScope()
  try {
    await putAnswer(
      topupList,
      confirmable((signal) => api.topups.payFromWallet({ topupId }, { signal })),
    )
  } finally {
    // Spent and held amounts count toward the wallet's limits.
    void refreshWallet(scope)
  }
}

/** Pays with the demo wallet, which is connected first if it isn't. */
export async function payInDemo(topupId: string): Promise<void> {
  const scope = currentScope()
  const wallet = await loadAnswer(scope, walletQuestion)
  if (!wallet.connection) await connectSandboxWallet()
  // If another service came into use, the top-up isn't its own.
  if (currentScope() === scope) await payTopup(topupId)
}

/** Ends the wait for the wallet's payment. */
export async function closeTopupPayment(topupId: string): Promise<void> {
  const scope = currentScope()
  await putAnswer(
    topupList,
    confirmable((signal) => api.topups.closePayment({ topupId }, { signal })),
  )
  void refreshWallet(scope)
}

export async function forgetTopup(topupId: string): Promise<void> {
  const scope = currentScope()
  await api.topups.forget({ topupId })
  removeItem(scope, topupList, topupId)
}

/** Moves an invoice to the past top-ups. */
export function putAway(topupId: string): void {
  setScopedState(
    currentScope(),
    topupsInView,
    (inView) => new Set([...inView].filter((id) => id !== topupId)),
  )
}
