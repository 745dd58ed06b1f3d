import type { SpendingLimitsText } from '../../../../shared/lightning.ts'
import type { AutomaticTopupView, Wallet, WalletConnection, WalletFunds } from '../../../../shared/wallet.ts'
import { currentScope, type Scope } from '../../../data/service-scope.tsx'
import {
  readAnswer,
  refreshAnswers,
  setScopedState,
  writeAnswer,
  type Question,
  type ScopedState,
} from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'

/** Who may still accept a connection that Sotto disconnected: the person's wallet, or the service. */
export type StillKnown = 'wallet' | 'automatic-topup'

/** The connections that the person should also remove in the wallet. */
export const connectionsToRemove: ScopedState<readonly StillKnown[]> = {
  key: ['connections-to-remove'],
  initial: [],
}

export const walletQuestion: Question<Wallet> = {
  key: ['wallet'],
  ask: (context) => api.wallet.get(undefined, context),
}

/** The balance and the budget that this connection's wallet reports. */
export function fundsQuestion({ publicKey, connectedAt }: WalletConnection): Question<WalletFunds> {
  return {
    key: ['wallet-funds', publicKey, connectedAt],
    ask: (context) => api.wallet.funds(undefined, context),
  }
}

export const automaticTopupQuestion: Question<AutomaticTopupView> = {
  key: ['automatic-topup'],
  ask: (context) => api.wallet.automaticTopup(undefined, context),
}

/** Loads the wallet again after a payment, because its limits, hosts and rate may have changed. */
export function refreshWallet(scope: Scope): Promise<void> {
  return refreshAnswers(scope, walletQuestion.key)
}

// Each change below throws what its call throws.

/** The core saves the connection in the vault. The window doesn't save it. */
export async function connectWallet(connection: string): Promise<void> {
  const scope = await changeWallet((signal) => api.wallet.connect({ connection }, { signal }))
  confirmRemoved(scope, 'wallet')
}

export async function connectSandboxWallet(): Promise<void> {
  const scope = await changeWallet((signal) => api.wallet.connectSandbox(undefined, { signal }))
  confirmRemoved(scope, 'wallet')
}

export async function disconnectWallet(): Promise<void> {
  const kind = readAnswer(currentScope(), walletQuestion)?.connection?.kind
  const scope = await changeWallet((signal) => api.wallet.disconnect(undefined, { signal }))
  if (kind === 'nwc') remindToRemove(scope, 'wallet')
}

export async function setLimits(limits: SpendingLimitsText): Promise<void> {
  await changeWallet((signal) => api.wallet.setLimits(limits, { signal }))
}

export async function forgetHost(host: string): Promise<void> {
  await changeWallet((signal) => api.wallet.forgetHost({ host }, { signal }))
}

export async function resumePaying(): Promise<void> {
  await changeWallet((signal) => api.wallet.resume(undefined, { signal }))
}

/** Gives the service a connection to a wallet. */
export async function connectAutomaticTopup(input: {
  connection: string
  threshold: string
  amount: string
}): Promise<void> {
  const scope = await changeAutomaticTopup((signal) => api.wallet.connectAutomaticTopup(input, { signal }))
  confirmRemoved(scope, 'automatic-topup')
}

export async function disconnectAutomaticTopup(): Promise<void> {
  const scope = await changeAutomaticTopup((signal) =>
    api.wallet.disconnectAutomaticTopup(undefined, { signal }),
  )
  remindToRemove(scope, 'automatic-topup')
}

/** @returns the scope that the change belongs to */
async function changeWallet(change: (signal: AbortSignal) => Promise<Wallet>): Promise<Scope> {
  const scope = currentScope()
  const wallet = await confirmable(change)
  writeAnswer(scope, walletQuestion, () => wallet)
  return scope
}

/** @returns the scope that the change belongs to */
async function changeAutomaticTopup(
  change: (signal: AbortSignal) => Promise<AutomaticTopupView>,
): Promise<Scope> {
  const scope = currentScope()
  const automaticTopup = await confirmable(change)
  writeAnswer(scope, automaticTopupQuestion, () => automaticTopup)
  return scope
}

/** The person removed the connection in the wallet, or another one replaces it. */
export function confirmRemoved(scope: Scope, which: StillKnown): void {
  setScopedState(scope, connectionsToRemove, (known) => known.filter((each) => each !== which))
}

function remindToRemove(scope: Scope, which: StillKnown): void {
  setScopedState(scope, connectionsToRemove, (known) => [...new Set([...known, which])])
}
