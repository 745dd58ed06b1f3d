import { t } from '@lingui/core/macro'
import {
  costShape,
  formatDecimalSats as decimalSatsIn,
  formatRecordedUsd as recordedUsdIn,
  formatSats as satsIn,
  formatUsd as usdIn,
  type CostBounds,
  type UsdFormat,
} from '../../../shared/format-money.ts'
import { formatLocale, isolate } from '../language/language.ts'

/** An amount in the window's language (`src/shared/format-money.ts` has the styles). `pico`: pico-USD in decimal text. */
export function formatUsd(pico: string, format?: UsdFormat): string {
  return usdIn(pico, formatLocale(), format)
}

/** Money that was charged, or a sum of it: exact, "$0.08155602" or "0.0812¢". */
export function formatRecordedUsd(pico: string): string {
  return recordedUsdIn(pico, formatLocale())
}

/** To the last digit: for details and tooltips. */
export function formatExactUsd(pico: string): string {
  return formatUsd(pico, { style: 'exact' })
}

/** For a price per unit: "$3.00", "$0.125", "0.08¢". */
export function formatPrice(pico: string): string {
  return formatUsd(pico, { style: 'price' })
}

/** An estimate before spending: "$0.02 (up to $0.05)", "$0.02 – $0.05", "up to $0.05", or one amount. */
export function formatCost(bounds: CostBounds): string {
  const estimate = costShape(bounds, formatLocale())
  switch (estimate.shape) {
    case 'one':
      return estimate.cost
    case 'range':
      return estimate.range
    case 'bound': {
      const { most } = estimate
      return t`up to ${most}`
    }
    case 'expected': {
      const { cost, most } = estimate
      return t`${cost} (up to ${most})`
    }
  }
}

/** "1,234 sats". Exact, because it is the amount to pay. */
export function formatSats(msat: string): string {
  return isolate(satsIn(msat, formatLocale()))
}

/** Formats satoshis in decimal text, which may be finer than one msat. */
export function formatDecimalSats(sats: string): string {
  return isolate(decimalSatsIn(sats, formatLocale()))
}
