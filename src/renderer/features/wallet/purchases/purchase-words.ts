import { t } from '@lingui/core/macro'
import type { Purchase } from '../../../../shared/purchase.ts'
import { formatClauses } from '../../../ui/format/list.ts'

export type Endpoint = Purchase['endpoint']

export const endpointNames: Readonly<Record<Endpoint, string>> = { get 'images/generations'() { return t`Image` }, get 'images/edits'() { return t`Changed image` }, get videos() { return t`Video` }, get data() { return t`Data` } }

/** What was bought, in a line: "Image from sandbox/painter". */
export function nameOf({ endpoint, subject }: Pick<Purchase, 'endpoint' | 'subject'>): string {
  return fromWords(endpointNames[endpoint], subject)
}

/** What was bought and of which model. */
export function fromWords(what: string, subject: string): string {
  return t`${what} from ${subject}`
}

const askWords: Readonly<Record<Purchase['asks'][number], string>> = {
  get 'first-host'() { return t`this host was never paid from here before` },
  get 'above-automatic'() { return t`it is more than you let be paid without asking` },
  get 'no-lookup'() { return t`your wallet cannot say later what became of a payment` },
  get paused() { return t`Sotto stopped paying by itself after failures in a row` },
}

/** Why a yes outside the window is asked for, as a sentence; undefined where none is. */
export function askSentence(asks: Purchase['asks']): string | undefined {
  if (asks.length === 0) return undefined
  const words = formatClauses(asks.map((reason) => askWords[reason]))
  return t`You are asked to confirm it outside this window: ${words}.`
}

/** More than 5 sats and than 2 % (rules of payment): worth saying. */
export function isHighFee({ amountMsat, feeMsat = '0' }: Pick<Purchase, 'amountMsat' | 'feeMsat'>): boolean {
  const fee = BigInt(feeMsat)
  return fee > 5000n && fee * 50n > BigInt(amountMsat)
}
