import type { Purchase } from '../../../../shared/purchase.ts'

export type Endpoint = Purchase['endpoint']

export const endpointNames: Readonly<Record<Endpoint, string>> = { 'images/generations': 'Image', 'images/edits': 'Changed image', videos: 'Video', data: 'Data' }

/** What was bought, in a line: "Image from sandbox/painter". */
export function nameOf({ endpoint, subject }: Pick<Purchase, 'endpoint' | 'subject'>): string {
  return `${endpointNames[endpoint]} from ${subject}`
}

export const askWords: Readonly<Record<Purchase['asks'][number], string>> = {
  'first-host': 'this host was never paid from here before',
  'above-automatic': 'it is more than you let be paid without asking',
  'no-lookup': 'your wallet cannot say later what became of a payment',
  paused: 'Sotto stopped paying by itself after failures in a row',
}

/** Why a yes outside the window is asked for, as a sentence; undefined where none is. */
export function askSentence(asks: Purchase['asks']): string | undefined {
  if (asks.length === 0) return undefined
  const words = asks.map((reason) => askWords[reason]).join(', and ')
  return `You are asked to confirm it outside this window: ${words}.`
}

/** More than 5 sats and than 2 % (rules of payment): worth saying. */
export function isHighFee({ amountMsat, feeMsat = '0' }: Pick<Purchase, 'amountMsat' | 'feeMsat'>): boolean {
  const fee = BigInt(feeMsat)
  return fee > 5000n && fee * 50n > BigInt(amountMsat)
}
