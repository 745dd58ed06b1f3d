import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { SpendingLimitsText } from '../../../../shared/lightning.ts'
import type { AutomaticTopupView, Wallet, WalletFunds } from '../../../../shared/wallet.ts'
import { AnswerOrder } from '../../../ui/answer-order.ts'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'

/** A wallet, or the service, that goes on knowing a connection which is not used here any more. */
export type StillKnown = 'wallet' | 'automatic-topup'

interface WalletState {
  readonly wallet: Wallet | undefined
  readonly walletFailure: Failure | undefined
  /** What the wallet itself said, and whether it is being asked. */
  readonly funds: WalletFunds | undefined
  readonly fundsBusy: boolean
  readonly fundsFailure: Failure | undefined
  readonly automaticTopup: AutomaticTopupView | undefined
  readonly automaticTopupFailure: Failure | undefined
  /** Disconnected in this window, and still to be removed in the wallet. */
  readonly toRemove: readonly StillKnown[]
}

const empty: WalletState = {
  wallet: undefined,
  walletFailure: undefined,
  funds: undefined,
  fundsBusy: false,
  fundsFailure: undefined,
  automaticTopup: undefined,
  automaticTopupFailure: undefined,
  toRemove: [],
}

export const useWallet = create<WalletState>()(() => empty)

onServiceChange(() => useWallet.setState(empty))

/** Several may ask for the wallet at once. */
const order = new AnswerOrder()

export async function loadWallet(): Promise<void> {
  const still = sameService()
  const turn = order.ask()
  try {
    const wallet = await api.wallet.get()
    if (still()) putWallet(wallet, turn)
  } catch (thrown) {
    if (still() && !order.isLate(turn)) useWallet.setState({ walletFailure: asFailure(thrown) })
  }
}

/** Asks the wallet what it holds; where none is connected there is nothing to ask. */
export async function loadFunds(): Promise<void> {
  const still = sameService()
  const { wallet } = useWallet.getState()
  if (!wallet?.connection) return
  const { publicKey } = wallet.connection
  const current = () => still() && useWallet.getState().wallet?.connection?.publicKey === publicKey
  useWallet.setState({ fundsBusy: true, fundsFailure: undefined })
  try {
    const funds = await api.wallet.funds()
    if (current()) useWallet.setState({ funds, fundsBusy: false })
  } catch (thrown) {
    if (current()) useWallet.setState({ fundsFailure: asFailure(thrown), fundsBusy: false })
  }
}

export async function loadAutomaticTopup(): Promise<void> {
  const still = sameService()
  try {
    const automaticTopup = await api.wallet.automaticTopup()
    if (still()) useWallet.setState({ automaticTopup, automaticTopupFailure: undefined })
  } catch (thrown) {
    if (still()) useWallet.setState({ automaticTopupFailure: asFailure(thrown) })
  }
}

/** Hands a connection to the core, which alone keeps it. Throws what the call throws. */
export async function connectWallet(connection: string): Promise<void> {
  if (await changeWallet((signal) => api.wallet.connect({ connection }, { signal }))) removed('wallet')
}

/** Throws what the call throws. */
export async function connectSandboxWallet(): Promise<void> {
  if (await changeWallet((signal) => api.wallet.connectSandbox(undefined, { signal }))) removed('wallet')
}

/** Throws what the call throws. */
export async function disconnectWallet(): Promise<void> {
  const kind = useWallet.getState().wallet?.connection?.kind
  const here = await changeWallet((signal) => api.wallet.disconnect(undefined, { signal }))
  if (here && kind === 'nwc') toRemove('wallet')
}

/** Throws what the call throws. */
export async function setLimits(limits: SpendingLimitsText): Promise<void> {
  await changeWallet((signal) => api.wallet.setLimits(limits, { signal }))
}

/** Throws what the call throws. */
export async function forgetHost(host: string): Promise<void> {
  await changeWallet((signal) => api.wallet.forgetHost({ host }, { signal }))
}

/** Throws what the call throws. */
export async function resumePaying(): Promise<void> {
  await changeWallet((signal) => api.wallet.resume(undefined, { signal }))
}

/** Hands a connection to the service. Throws what the call throws. */
export async function connectAutomaticTopup(input: {
  connection: string
  threshold: string
  amount: string
}): Promise<void> {
  if (await changeAutomaticTopup((signal) => api.wallet.connectAutomaticTopup(input, { signal })))
    removed('automatic-topup')
}

/** Throws what the call throws. */
export async function disconnectAutomaticTopup(): Promise<void> {
  if (await changeAutomaticTopup((signal) => api.wallet.disconnectAutomaticTopup(undefined, { signal })))
    toRemove('automatic-topup')
}

/** Whether the answer is shown: where the service was left meanwhile it is not. */
async function changeWallet(change: (signal: AbortSignal) => Promise<Wallet>): Promise<boolean> {
  const still = sameService()
  const wallet = await confirmable(change)
  if (still()) putWallet(wallet)
  return still()
}

/** As `changeWallet`. */
async function changeAutomaticTopup(
  change: (signal: AbortSignal) => Promise<AutomaticTopupView>,
): Promise<boolean> {
  const still = sameService()
  const automaticTopup = await confirmable(change)
  if (still()) useWallet.setState({ automaticTopup, automaticTopupFailure: undefined })
  return still()
}

/** The owner says that it is removed in the wallet, or another took its place. */
export function removed(what: StillKnown): void {
  useWallet.setState(({ toRemove: known }) => ({ toRemove: known.filter((each) => each !== what) }))
}

function toRemove(what: StillKnown): void {
  useWallet.setState(({ toRemove: known }) => ({ toRemove: [...new Set([...known, what])] }))
}

/** What another wallet said of its funds is not kept. */
function putWallet(wallet: Wallet, turn?: number): void {
  if (!order.show(turn)) return
  const before = useWallet.getState().wallet?.connection?.publicKey
  const same = before === wallet.connection?.publicKey
  useWallet.setState({
    wallet,
    walletFailure: undefined,
    ...(!same && { funds: undefined, fundsBusy: false, fundsFailure: undefined }),
  })
}
