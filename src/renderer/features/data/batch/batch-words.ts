import { plural, t } from '@lingui/core/macro'
import type { RowState } from '../../../../shared/job-rows.ts'
import type { Job, JobState } from '../../../../shared/job.ts'
import { formatRecordedUsd, formatSats } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { stateWords } from '../../../ui/jobs/job-words.ts'

const batchStates: Readonly<Partial<Record<JobState, { readonly name: string; readonly means?: string }>>> = {
  ready: {
    get name() {
      return t`Not started`
    },
    get means() {
      return t`No rows have been sent. After you start, the connected wallet pays per row, within the limits you set.`
    },
  },
  sending: {
    get name() {
      return t`Running`
    },
    get means() {
      return t`Rows are being sent. The batch continues if you leave this page.`
    },
  },
  working: {
    get name() {
      return t`Running`
    },
    get means() {
      return t`Rows are being sent. The batch continues if you leave this page.`
    },
  },
  paused: {
    get name() {
      return t`Paused`
    },
    get means() {
      return t`No more rows are sent until you resume. Completed rows are saved and won’t be sent again.`
    },
  },
  done: {
    get name() {
      return t`Done`
    },
  },
  stopped: {
    get name() {
      return t`Stopped`
    },
    get means() {
      return t`No more rows will be sent. Completed rows are saved.`
    },
  },
}

/** The state of a batch; a batch starts with rows, not with a request. */
export function batchState({ state }: Pick<Job, 'state'>): {
  readonly name: string
  readonly means?: string
} {
  return batchStates[state] ?? stateWords[state]
}

/** The title that the user gave the batch, or else its lookup. */
export function batchTitle({ title, ask }: Pick<Job, 'title' | 'ask'>): string {
  return title ?? (ask.kind === 'batch' ? ask.path : '')
}

/** The title of a new batch: its lookup and the name of its file, because the core stores only the rows. */
export function firstTitle(fileName: string, lookup: string): string {
  const name = fileName.slice(-100)
  return t`${name}: ${lookup}`.slice(0, 200)
}

export interface Counts {
  readonly of: number
  readonly done: number
  readonly failed: number
  readonly unknown: number
  readonly left: number
}

export function rowCounts({ rows, parts }: Pick<Job, 'rows' | 'parts'>): Counts {
  const { done, failed, unknown } = rows ?? { done: 0, failed: 0, unknown: 0 }
  const of = parts?.of ?? done + failed + unknown
  return { of, done, failed, unknown, left: Math.max(0, of - done - failed - unknown) }
}

/** Summarizes the outcomes of the rows in a sentence. */
export function countsOf(job: Job): string {
  const { of, done, failed, unknown } = rowCounts(job)
  const over = formatCount(done)
  const parts = [
    plural(of, { one: `${over} of one row done`, other: `${over} of # rows done` }),
    failed > 0 && t`${formatCount(failed)} failed`,
    unknown > 0 && t`${formatCount(unknown)} unknown`,
  ]
  return parts.filter(Boolean).join(', ')
}

export function costOf({ cost, paidMsat }: Pick<Job, 'cost' | 'paidMsat'>): string | undefined {
  if (paidMsat !== undefined) return formatSats(paidMsat)
  return cost === undefined ? undefined : formatRecordedUsd(cost)
}

/** The mean cost per row, rounded up; undefined if the cost is unknown or no row is done. */
export function meanCost({ cost, rows }: Pick<Job, 'cost' | 'rows'>): string | undefined {
  const done = rows?.done ?? 0
  if (cost === undefined || done === 0) return undefined
  return ((BigInt(cost) + BigInt(done) - 1n) / BigInt(done)).toString()
}

export const rowWords: Readonly<Record<RowState, string>> = {
  get ready() {
    return t({ message: 'Not sent', context: 'table row' })
  },
  get sending() {
    return t({ message: 'Sending', context: 'table row' })
  },
  get done() {
    return t({ message: 'Done', context: 'table row' })
  },
  get failed() {
    return t({ message: 'Failed', context: 'table row' })
  },
  get unknown() {
    return t({ message: 'Unknown', context: 'table row' })
  },
}
