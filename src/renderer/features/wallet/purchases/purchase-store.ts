import { create } from 'zustand'
import type { DataEndpoint, PurchaseAsk } from '../../../../shared/contract/purchases.ts'
import { purchaseStatus } from '../../../../shared/purchase-status.ts'
import type { Purchase } from '../../../../shared/purchase.ts'
import { emptyList, putAnswer, type LiveList } from '../../../data/live-list.ts'
import { useAnswer, type Question } from '../../../data/use-answer.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { refreshWallet } from '../connection/wallet-store.ts'
import { statusText } from './purchase-status.ts'
import { nameOf } from './purchase-words.ts'

/** The purchases, newest first. */
export const purchaseList: LiveList<Purchase> = {
  state: { key: ['purchases'], initial: emptyList },
  open: (signal) => api.purchases.watch(undefined, { signal }),
  compare: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
  onChange: (scope, changed, before) => {
    const turned = changed.filter((purchase) => {
      const known = before.find(({ id }) => id === purchase.id)
      return known && purchaseStatus(known) !== purchaseStatus(purchase)
    })
    if (turned.length === 0) return
    const delivered = turned.filter((purchase) => purchaseStatus(purchase) === 'delivered')
    useFreshResults.setState((ids) => new Set([...ids, ...delivered.map(({ id }) => id)]), true)
    for (const purchase of turned)
      announce(`${nameOf(purchase)}: ${statusText[purchaseStatus(purchase)].name}`)
    // The spent and held amounts changed, and the host may be new.
    void refreshWallet(scope)
  },
}

/**
 * Purchases that were delivered while this window showed them. Their results are shown without a click. This isn't scoped,
 * because a person who changes the account still looks at the result.
 */
export const useFreshResults = create<ReadonlySet<string>>()(() => new Set<string>())

const endpointsQuestion: Question<readonly DataEndpoint[]> = {
  key: ['purchase-endpoints'],
  ask: (context) => api.purchases.dataEndpoints(undefined, context),
}

/** The data endpoints, or none if the list can't be loaded: then a person types the path. Undefined while it loads. */
export function useDataEndpoints(): readonly DataEndpoint[] | undefined {
  const { data, failure } = useAnswer(endpointsQuestion)
  return data ?? (failure && [])
}

// Each change below throws what its call throws.

/** Requests a price. Nothing is paid. */
export function quotePurchase(ask: PurchaseAsk): Promise<Purchase> {
  return putAnswer(purchaseList, api.purchases.quote({ ask }))
}

export async function payPurchase(purchaseId: string): Promise<void> {
  await putAnswer(
    purchaseList,
    confirmable((signal) => api.purchases.pay({ purchaseId }, { signal })),
  )
}

/** Submits the preimage of a payment by another wallet. */
export async function provePurchase(purchaseId: string, preimage: string): Promise<void> {
  await putAnswer(purchaseList, api.purchases.prove({ purchaseId, preimage }))
}

export async function declinePurchase(purchaseId: string): Promise<void> {
  await putAnswer(purchaseList, api.purchases.decline({ purchaseId }))
}

export async function retryDelivery(purchaseId: string): Promise<void> {
  await putAnswer(purchaseList, api.purchases.retryDelivery({ purchaseId }))
}

export async function abandonPurchase(purchaseId: string): Promise<void> {
  await putAnswer(
    purchaseList,
    confirmable((signal) => api.purchases.abandon({ purchaseId }, { signal })),
  )
}

/** @returns the proof of payment as a file */
export function proofOf(purchaseId: string): Promise<{ fileName: string; text: string }> {
  return confirmable((signal) => api.purchases.proof({ purchaseId }, { signal }))
}
