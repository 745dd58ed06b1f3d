import { t } from '@lingui/core/macro'
import type { Purchase } from '../../../../shared/purchase.ts'
import { formatClauses } from '../../../ui/format/list.ts'

export type Endpoint = Purchase['endpoint']

export const endpointNames: Readonly<Record<Endpoint, string>> = {
  get 'images/generations'() {
    return t`Image`
  },
  get 'images/edits'() {
    return t`Edited image`
  },
  get videos() {
    return t`Video`
  },
  get data() {
    return t`Data`
  },
}

/** The name of a purchase in a line: "Image from sandbox/painter". */
export function nameOf({ endpoint, subject }: Pick<Purchase, 'endpoint' | 'subject'>): string {
  return fromWords(endpointNames[endpoint], subject)
}

/** The kind of purchase and its model. */
export function fromWords(what: string, subject: string): string {
  return t`${what} from ${subject}`
}

const askWords: Readonly<Record<Purchase['asks'][number], string>> = {
  get 'first-host'() {
    return t`Sotto hasn’t paid this host before`
  },
  get 'above-automatic'() {
    return t`the amount is above your limit for paying without asking`
  },
  get 'no-lookup'() {
    return t`your wallet can’t report the outcome of a payment`
  },
  get paused() {
    return t`automatic payments are paused after repeated failures`
  },
}

/** Why Sotto asks for confirmation outside the window, as a sentence; undefined if it doesn't. */
export function askSentence(asks: Purchase['asks']): string | undefined {
  if (asks.length === 0) return undefined
  const reasons = formatClauses(asks.map((reason) => askWords[reason]))
  return t`You’ll confirm in a system dialog or your terminal because ${reasons}.`
}

/** A fee of more than 5 sats and more than 2 % (rules of payment), which the window reports. */
export function isHighFee({ amountMsat, feeMsat = '0' }: Pick<Purchase, 'amountMsat' | 'feeMsat'>): boolean {
  const fee = BigInt(feeMsat)
  return fee > 5000n && fee * 50n > BigInt(amountMsat)
}
