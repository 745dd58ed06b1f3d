import { t } from '@lingui/core/macro'
import type { SpendingLimitsText } from '../../../../shared/lightning.ts'
import { decimalSats } from '../../../../shared/format-money.ts'
import { readSats } from '../../../ui/format/sats.ts'

export const limitNames = ['perPayment', 'perDay', 'perHostAndDay', 'automaticUpTo'] as const
export type LimitName = (typeof limitNames)[number]

/** The texts of the limit fields in sats, valid or not. */
export type LimitsDraft = Readonly<Record<LimitName, string>>

export const limitWords: Readonly<
  Record<LimitName, { readonly label: string; readonly means: string; readonly none: string }>
> = {
  perPayment: {
    get label() {
      return t`Maximum per payment`
    },
    get means() {
      return t`Includes the fee.`
    },
    get none() {
      return t`At 0, nothing is paid.`
    },
  },
  perDay: {
    get label() {
      return t`Maximum in any 24 hours`
    },
    get means() {
      return t`Includes fees and held payments.`
    },
    get none() {
      return t`At 0, nothing is paid.`
    },
  },
  perHostAndDay: {
    get label() {
      return t`Maximum per host in 24 hours`
    },
    get means() {
      return t`Includes fees and held payments.`
    },
    get none() {
      return t`At 0, no host is paid.`
    },
  },
  automaticUpTo: {
    get label() {
      return t`Pay without asking, up to`
    },
    get means() {
      return t`Only for hosts you’ve paid before. Above this amount, you’re asked each time.`
    },
    get none() {
      return t`At 0, you’re asked before every payment.`
    },
  },
}

export function limitsDraftOf(limits: SpendingLimitsText): LimitsDraft {
  return {
    perPayment: decimalSats(limits.perPayment),
    perDay: decimalSats(limits.perDay),
    perHostAndDay: decimalSats(limits.perHostAndDay),
    automaticUpTo: decimalSats(limits.automaticUpTo),
  }
}

type ReadLimits =
  | { readonly limits: SpendingLimitsText; readonly faults?: undefined }
  | { readonly limits?: undefined; readonly faults: Partial<Record<LimitName, string>> }

export function readLimits(draft: LimitsDraft): ReadLimits {
  const read = {
    perPayment: readSats(draft.perPayment),
    perDay: readSats(draft.perDay),
    perHostAndDay: readSats(draft.perHostAndDay),
    automaticUpTo: readSats(draft.automaticUpTo),
  }
  const { perPayment, perDay, perHostAndDay, automaticUpTo } = read
  if (
    perPayment === undefined ||
    perDay === undefined ||
    perHostAndDay === undefined ||
    automaticUpTo === undefined
  )
    return {
      faults: Object.fromEntries(
        limitNames
          .filter((name) => read[name] === undefined)
          .map((name) => [name, t`Enter whole sats, such as 5000.`]),
      ),
    }
  return { limits: { perPayment, perDay, perHostAndDay, automaticUpTo } }
}
