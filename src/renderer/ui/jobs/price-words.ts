import { t } from '@lingui/core/macro'
import { CENT } from '../../../shared/format-money.ts'
import type { Job, JobEstimate } from '../../../shared/job.ts'
import { formatCost, formatRecordedUsd, formatSats } from '../format/money.ts'

const whyUnknown: Readonly<Record<JobEstimate['unknown'][number], string>> = {
  get price() {
    return t`The price list has no price for this, so the cost is unknown in advance.`
  },
  get choice() {
    return t`The cost depends on the options you left to the service.`
  },
  get length() {
    return t`Sotto can’t read the recording’s length, so the cost is unknown in advance.`
  },
}

/** The possible cost and what is unknown about it, in whole sentences. */
export function priceSentences({ cost, unknown }: JobEstimate): readonly string[] {
  const why = unknown.map((reason) => whyUnknown[reason])
  if (cost === null) return why.length > 0 ? why : [whyUnknown.price]
  return [rangeSentence(cost), ...why]
}

function rangeSentence({ least, most }: { readonly least: string; readonly most: string }): string {
  const cost = formatCost({ least, most })
  return least === most ? t`Costs ${cost}.` : t`Estimated cost: ${cost}.`
}

/** The text of a button that sends something, with its price if that is known. */
export function withPrice(send: string, estimate: JobEstimate | undefined): string {
  if (!estimate?.cost) return send
  const cost = formatCost(estimate.cost)
  const exact = estimate.cost.least === estimate.cost.most && estimate.unknown.length === 0
  // "<$0.01" is an estimate already.
  return exact || BigInt(estimate.cost.most) < CENT ? t`${send} · ${cost}` : t`${send} · ~${cost}`
}

/** The actual cost or the possible cost; undefined if both are unknown. */
export function costSentence({
  cost,
  paidMsat,
  estimate,
  state,
}: Pick<Job, 'cost' | 'paidMsat' | 'estimate' | 'state'>): string | undefined {
  if (paidMsat !== undefined) return t`Cost ${formatSats(paidMsat)}`
  if (cost !== undefined) return t`Cost ${formatRecordedUsd(cost)}`
  if (state === 'stopped' || !estimate) return undefined
  const range = formatCost(estimate)
  return t`Estimated cost: ${range}`
}
