import { create } from 'zustand'
import type { DataEndpoint, PurchaseAsk } from '../../../../shared/contract/purchases.ts'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Model } from '../../../../shared/model.ts'
import { purchaseStatus } from '../../../../shared/purchase-status.ts'
import type { Purchase } from '../../../../shared/purchase.ts'
import { watch } from '../../../data/watch.ts'
import { announce } from '../../../ui/announcer.tsx'
import { mayBeOlder } from '../../../ui/answer-order.ts'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'
import { loadWallet } from '../connection/wallet-store.ts'
import { standingWords } from './purchase-standing.ts'
import { nameOf } from './purchase-words.ts'

interface PurchaseState {
  /** The newest first. */
  readonly purchases: readonly Purchase[] | undefined
  readonly purchasesFailure: Failure | undefined
  /** Whether what is shown follows what happens; where it does not, it is as of then. */
  readonly following: boolean
  /** Undefined while the listing is asked for; none where it cannot be had. */
  readonly models: readonly Model[] | undefined
  /** Of data; undefined while the listing is asked for, none where it cannot be had. */
  readonly dataEndpoints: readonly DataEndpoint[] | undefined
  /** Delivered while this window looked on: shown without being asked. */
  readonly fresh: ReadonlySet<string>
}

const empty: PurchaseState = {
  purchases: undefined,
  purchasesFailure: undefined,
  following: false,
  models: undefined,
  dataEndpoints: undefined,
  fresh: new Set(),
}

export const usePurchases = create<PurchaseState>()(() => empty)

onServiceChange(() => {
  // Whoever takes or leaves an account still looks at what was delivered.
  usePurchases.setState(({ fresh }) => ({ ...empty, fresh }))
})

/** Models that can be bought once. Without the listing they are typed. */
export async function loadPurchaseModels(): Promise<void> {
  const still = sameService()
  try {
    const models = await api.models.list()
    if (still()) usePurchases.setState({ models })
  } catch {
    // The form takes an id as well.
    if (still()) usePurchases.setState(({ models }) => ({ models: models ?? [] }))
  }
}

/** What data can be bought once. Without the listing a path is typed. */
export async function loadDataEndpoints(): Promise<void> {
  const still = sameService()
  try {
    const dataEndpoints = await api.purchases.dataEndpoints()
    if (still()) usePurchases.setState({ dataEndpoints })
  } catch {
    // The form takes a path as well.
    if (still()) usePurchases.setState(({ dataEndpoints }) => ({ dataEndpoints: dataEndpoints ?? [] }))
  }
}

/** Follows the purchases until `signal` aborts. The first event of a stream holds every purchase. */
export function followPurchases(signal: AbortSignal): Promise<void> {
  return watch(
    {
      open: (left) => api.purchases.watch(undefined, { signal: left }),
      onEvent: put,
      onState: ({ following, failure }) => usePurchases.setState({ following, purchasesFailure: failure }),
    },
    signal,
  )
}

/** @param all whether it holds every purchase, so that a missing one is deleted */
function put(told: readonly Purchase[], all = false): void {
  const { purchases: before = [], fresh } = usePurchases.getState()
  const changed = new Map(told.map((purchase) => [purchase.id, purchase]))
  const kept = all ? [] : before.filter(({ id }) => !changed.has(id))
  const turned = told.filter((purchase) => {
    const known = before.find(({ id }) => id === purchase.id)
    return known && purchaseStatus(known) !== purchaseStatus(purchase)
  })
  usePurchases.setState({
    purchases: [...kept, ...changed.values()].toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)),
    fresh: new Set([
      ...fresh,
      ...turned.filter((purchase) => purchaseStatus(purchase) === 'delivered').map(({ id }) => id),
    ]),
  })
  for (const purchase of turned)
    announce(`${nameOf(purchase)}: ${standingWords[purchaseStatus(purchase)].name}`)
  // What was spent, and held, is another sum now; and a host may be known.
  if (turned.length > 0) void loadWallet()
}

/** What a call answered, of the service that was used when it was made. */
async function putAnswer(call: Promise<Purchase>): Promise<Purchase> {
  const still = sameService()
  const purchase = await call
  const { purchases, following } = usePurchases.getState()
  if (still() && !mayBeOlder(purchase, purchases, following)) put([purchase])
  return purchase
}

/** Asks for a price; nothing is paid. Throws what the call throws. */
export function quotePurchase(ask: PurchaseAsk): Promise<Purchase> {
  return putAnswer(api.purchases.quote({ ask }))
}

/** Throws what the call throws. */
export async function payPurchase(purchaseId: string): Promise<void> {
  await putAnswer(confirmable((signal) => api.purchases.pay({ purchaseId }, { signal })))
}

/** Hands over what shows that another wallet paid. Throws what the call throws. */
export async function provePurchase(purchaseId: string, preimage: string): Promise<void> {
  await putAnswer(api.purchases.prove({ purchaseId, preimage }))
}

/** Throws what the call throws. */
export async function declinePurchase(purchaseId: string): Promise<void> {
  await putAnswer(api.purchases.decline({ purchaseId }))
}

/** Throws what the call throws. */
export async function retryDelivery(purchaseId: string): Promise<void> {
  await putAnswer(api.purchases.retryDelivery({ purchaseId }))
}

/** Throws what the call throws. */
export async function giveUpPurchase(purchaseId: string): Promise<void> {
  await putAnswer(confirmable((signal) => api.purchases.giveUp({ purchaseId }, { signal })))
}

/** What shows that it was paid, to be saved. Throws what the call throws. */
export function proofOf(purchaseId: string): Promise<{ fileName: string; text: string }> {
  return confirmable((signal) => api.purchases.proof({ purchaseId }, { signal }))
}
