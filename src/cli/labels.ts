import type { ChatEvent } from '../shared/contract/chat.ts'
import type { JobEstimate, JobFile, JobState } from '../shared/job.ts'
import type { LeftOutKind, SkipReason } from '../shared/library/import-report.ts'
import type { BudgetPeriod, KeyGrant } from '../shared/key-limits.ts'
import type { LocalKeyView } from '../shared/local-key.ts'
import type { Privacy } from '../shared/privacy.ts'
import type { PurchaseStatus } from '../shared/purchase-status.ts'
import type { TopupStatus } from '../shared/topup-status.ts'
import type { TopupMethodName } from '../shared/topup.ts'

type Stage = Extract<ChatEvent, { type: 'stage' }>['stage']

/**
 * The English names of states, which the window takes from its catalogs. The command line speaks English only
 * and can't import the window, so test/renderer/cli-labels.test.ts compares the two.
 */

export const jobStateNames: Readonly<Record<JobState, string>> = {
  ready: 'Waiting for payment',
  paying: 'Payment in progress',
  sending: 'Sent to service',
  working: 'In progress',
  saving: 'Saving',
  paused: 'Paused',
  done: 'Done',
  failed: 'Failed',
  stopped: 'Stopped',
  unknown: 'Unknown',
  lost: 'Link expired',
}

/** Names that differ for a batch, which sends rows instead of one request. */
export const batchStateNames: Readonly<Record<JobState, string>> = {
  ...jobStateNames,
  ready: 'Not started',
  sending: 'Running',
  working: 'Running',
}

export const purchaseStatusNames: Readonly<Record<PurchaseStatus, string>> = {
  quoted: 'Price quoted',
  'run-out': 'Price expired',
  declined: 'Canceled',
  paying: 'Payment in progress',
  held: 'Held',
  unknown: 'Outcome unknown',
  failed: 'Payment failed',
  expired: 'Expired',
  paid: 'Paid',
  making: 'In progress',
  'not-made': 'Paid, generation failed',
  delivered: 'Delivered',
  undelivered: 'Paid, not delivered',
  'given-up': 'Paid, not delivered (stopped)',
  closed: 'Closed, outcome unknown',
}

export const topupMethodLabels: Readonly<Record<TopupMethodName, string>> = {
  'btc-lightning': 'Bitcoin (Lightning)',
  btc: 'Bitcoin',
  ltc: 'Litecoin',
  lbtc: 'Bitcoin (Liquid)',
  xmr: 'Monero',
}

export const topupStatusNames: Readonly<Record<TopupStatus, string>> = {
  waiting: 'Waiting for payment',
  'part-paid': 'Partly paid',
  paying: 'Payment in progress',
  held: 'Held',
  'payment-unknown': 'Outcome unknown',
  'payment-closed': 'Payment closed',
  sent: 'Sent by wallet',
  processing: 'Payment detected',
  settled: 'Paid',
  overpaid: 'Overpaid',
  'run-out': 'Time’s up',
  expired: 'Expired',
  'part-paid-ended': 'Partly paid',
  'paid-late': 'Paid late',
  refunded: 'Refunded',
  replaced: 'Replaced',
  invalid: 'Invalid',
  'not-as-asked': 'Doesn’t match request',
  unknown: 'Unknown',
}

export const privacyNames: Readonly<Record<Privacy, string>> = {
  sealed: 'Private',
  relayed: 'Provider only',
  forwarded: 'Visible',
  refused: 'Blocked',
}

/** The steps before a reply begins. */
export const stageNames: Readonly<Record<Stage, string>> = {
  proving: 'Verifying the enclave…',
  sealing: 'Sealing…',
  sending: 'Sending…',
  waiting: 'Waiting for the first word…',
}

export const skipReasonNames: Readonly<Record<SkipReason, string>> = {
  unrecognised: 'unrecognized format',
  malformed: 'invalid format',
  'too-large': 'too large to import',
  empty: 'no text',
  kept: 'already exists',
}

/** Names of the parts that an imported chat lacks, in singular and plural. */
export const leftOutNames: Readonly<Record<LeftOutKind, readonly [one: string, other: string]>> = {
  images: ['image', 'images'],
  files: ['attachment', 'attachments'],
  recordings: ['recording', 'recordings'],
  tools: ['tool step', 'tool steps'],
  reasoning: ['reasoning section', 'reasoning sections'],
  citations: ['citation without a link', 'citations without a link'],
  excerpts: ['source excerpt', 'source excerpts'],
  hidden: ['hidden message', 'hidden messages'],
  cut: ['end of a text that was too long', 'ends of texts that were too long'],
  'other-files': ['file without chats', 'files without chats'],
  other: ['unknown item', 'unknown items'],
}

export const keyStateNames: Readonly<Record<LocalKeyView['state'], string>> = {
  live: 'active',
  expired: 'expired',
  revoked: 'revoked',
}

export const periodNames: Readonly<Record<BudgetPeriod, string>> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
  total: 'total',
}

/** The rights that each permission gives the holder of a local key. */
export const grantNames: Readonly<Record<KeyGrant, string>> = {
  balance: 'can read the balance',
  history: 'can read the history',
  metrics: 'can read the metrics',
  'pay-per-request': 'can pay per request',
}

export const fileRoleNames: Readonly<Record<JobFile['role'], string>> = {
  answer: 'Response',
  made: 'Result',
  part: 'Part',
  given: 'Input',
}

/** Why the cost of a job is unknown, or not known exactly. */
export const unknownCostReasons: Readonly<Record<JobEstimate['unknown'][number], string>> = {
  price: 'The price list has no price for this, so the cost is unknown in advance.',
  choice: 'The cost depends on the options you left to the service.',
  length: 'Sotto can’t read the recording’s length, so the cost is unknown in advance.',
}
