import type { PayWay } from '../../src/shared/job.ts'

/** What a maker is told by its argv, as JSON. */
export interface MakerOrder {
  readonly folder: string
  readonly pay: PayWay
  /** Makes nothing: resumes, lets what can go on go on, and reports. */
  readonly finish?: boolean
  /** Ends itself, as by kill -9, where its own job reaches this. */
  readonly killAt?: string
}

export interface MakerReport {
  readonly jobs: readonly { readonly id: string; readonly prompt: string; readonly state: string; readonly whole: boolean }[]
  /** Prompts, as often as the service did them. */
  readonly done: readonly string[]
  /** Prompts, as often as the wallet paid for them. */
  readonly paid: readonly string[]
}

/** Everything that an image goes through, in order. */
export const makerKillPoints = {
  balance: ['before put ready', 'after put ready', 'before put sending', 'after put sending', 'service did it', 'before file 0', 'after file 0', 'before put saving', 'after put saving', 'before file 1', 'after file 1', 'before put done', 'after put done'],
  single: ['before put ready', 'after put ready', 'priced', 'wallet paid', 'service did it', 'before adopting', 'after adopting', 'after put saving', 'before put done', 'after put done'],
} as const satisfies Record<PayWay, readonly string[]>
