import { t } from '@lingui/core/macro'
import { parseUsd } from '../../../../shared/money.ts'

const DOLLARS = /^\d{1,6}(\.\d{1,2})?$/
/** Specification, `Automatic topup settings`. In pico-USD. */
const LEAST_THRESHOLD = 5n * 10n ** 12n

type TermFaults = Partial<Record<'threshold' | 'amount', string>>

type ReadTerms =
  | { readonly threshold: string; readonly amount: string; readonly faults?: undefined }
  | { readonly faults: TermFaults }

/** The terms of an automatic top-up in dollars, or their faults. */
export function readTerms(threshold: string, amount: string): ReadTerms {
  const faults: TermFaults = {}
  const below = dollars(threshold)
  const by = dollars(amount)
  if (below === undefined) faults.threshold = t`Enter an amount in dollars, such as 10.00.`
  else if (below.pico < LEAST_THRESHOLD) faults.threshold = t`Enter $5.00 or more.`
  if (by === undefined) faults.amount = t`Enter an amount in dollars, such as 10.00.`
  else if (by.pico === 0n) faults.amount = t`Enter more than 0.`
  if (
    below === undefined ||
    by === undefined ||
    faults.threshold !== undefined ||
    faults.amount !== undefined
  )
    return { faults }
  return { threshold: below.text, amount: by.text }
}

/** The total of this number of top-ups in pico-USD; undefined if either text isn't a number. */
export function budgetFor(amount: string, topups: string): string | undefined {
  const by = dollars(amount)
  if (by === undefined || by.pico === 0n || !/^[1-9]\d{0,2}$/.test(topups.trim())) return undefined
  return (by.pico * BigInt(topups.trim())).toString()
}

function dollars(typed: string): { readonly text: string; readonly pico: bigint } | undefined {
  const text = typed
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/^0+(?=\d)/, '')
  const pico = DOLLARS.test(text) ? parseUsd(text) : null
  return pico === null ? undefined : { text, pico }
}
