import type { Topup, TopupMethod, TopupMethodName } from '../../../../shared/topup.ts'
import { readAmount } from './topup-draft.ts'
import { mayBePaid } from './topup-status.ts'
import type { Currency } from './topup-words.ts'

/** In US dollars. The limits of a method decide which of them it offers. */
const PRESETS = ['5', '10', '25', '50'] as const
const FIRST = '25'
export type Preset = (typeof PRESETS)[number]

/** A method and an amount. Without an amount, nothing is requested yet. */
export interface TopupChoice {
  readonly method: TopupMethodName
  readonly preset: Preset | 'other'
  readonly amount?: string
  readonly currency?: Currency
}

/** An invoice with less time left isn't shown again, because a payment could come too late. */
const MIN_TIME_LEFT_MS = 2 * 60_000

/** Lightning first, because it arrives in seconds; the others in the service's order. */
export function sortMethods(methods: readonly TopupMethod[]): readonly TopupMethod[] {
  return methods.toSorted(
    (a, b) => Number(b.method === 'btc-lightning') - Number(a.method === 'btc-lightning'),
  )
}

/** The presets within the limits of the method. */
export function presetsOf({ currencies }: TopupMethod): readonly Preset[] {
  const limits = currencies.find(({ currency }) => currency === 'USD')
  return limits ? PRESETS.filter((preset) => readAmount(preset, limits).amount !== undefined) : []
}

/**
 * Chooses a method and a preset that the method offers.
 *
 * @param wanted the preset to keep, if the method offers it
 */
export function chooseMethod(method: TopupMethod, wanted: Preset | 'other' = FIRST): TopupChoice {
  const offered = presetsOf(method)
  const preset = wanted === 'other' ? undefined : (offered.find((each) => each === wanted) ?? offered[0])
  if (preset === undefined) return { method: method.method, preset: 'other' }
  return { method: method.method, preset, amount: preset, currency: 'USD' }
}

/** The choice that a top-up was created with. */
export function choiceOf({ method, amount, currency }: Topup): TopupChoice {
  const preset = currency === 'USD' ? PRESETS.find((each) => each === amount) : undefined
  return { method, preset: preset ?? 'other', amount, currency }
}

/**
 * Finds a payable invoice of the account with the chosen method and amount, so that a second press doesn't
 * create a second invoice.
 *
 * @param now Unix ms
 */
export function findOpenInvoice(
  topups: readonly Topup[],
  { method, amount, currency }: TopupChoice,
  accountId: string | undefined,
  now: number,
): Topup | undefined {
  return topups.find(
    (topup) =>
      topup.accountId === accountId &&
      topup.method === method &&
      topup.amount === amount &&
      topup.currency === currency &&
      topup.received === undefined &&
      mayBePaid(topup, now + MIN_TIME_LEFT_MS),
  )
}
