import type { PayWay } from '../../src/shared/job.ts'

/** What the service charges for each request from the balance, in pico-USD. */
export const makerCost = '7000000000'

/** What a maker is told by its argv, as JSON. */
export interface MakerOrder {
  readonly folder: string
  readonly pay: PayWay
  /** An image, where it is not said. */
  readonly kind?: 'image' | 'video' | 'batch' | 'embedding'
  /** Makes nothing: resumes, lets what can go on go on, and reports. */
  readonly finish?: boolean
  /** Its owner has all that was paused go on. */
  readonly resume?: boolean
  /** Ends itself, as by kill -9, where its own job reaches this. */
  readonly killAt?: string
}

export interface MakerReport {
  /** Of a batch, each row is one. */
  readonly jobs: readonly {
    readonly id: string
    readonly prompt: string
    readonly state: string
    readonly whole: boolean
    readonly cost?: string
  }[]
  /** Prompts, as often as the service did them. */
  readonly done: readonly string[]
  /** Prompts, as often as the wallet paid for them. */
  readonly paid: readonly string[]
}

/** Everything that a batch of rows goes through, in order; `2` is of its second row. */
export const batchKillPoints = {
  balance: [
    'before put ready',
    'after put ready',
    'before put sending',
    'after put sending',
    'before row 0 sending',
    'after row 0 sending',
    'service did it',
    'before row 0 done',
    'after row 0 done',
    'after row 2 sending',
    'after row 3 done',
    'before put saving',
    'after put saving',
    'before put done',
    'after put done',
  ],
  single: [
    'before put ready',
    'after put ready',
    'after put sending',
    'priced',
    'before row 0 sending',
    'after row 0 sending',
    'wallet paid',
    'service did it',
    'before row 0 done',
    'after row 0 done',
    'after row 2 sending',
    'after row 3 done',
    'after put saving',
    'after put done',
  ],
} as const satisfies Record<PayWay, readonly string[]>

/** The same of texts that are embedded in three parts. */
export const embeddingKillPoints = [
  'after put ready',
  'after put sending',
  'service did it',
  'before file 100',
  'after file 100',
  'before file 101',
  'after file 101',
  'after file 102',
  'after put saving',
  'before file 1',
  'after file 1',
  'before put done',
  'after put done',
] as const

/** The same of a clip, from the balance. */
export const clipKillPoints = [
  'after put sending',
  'service did it',
  'before file 0',
  'after file 0',
  'before put working',
  'after put working',
  'before put saving',
  'after put saving',
  'before file 1',
  'after file 1',
  'after put done',
] as const

/** Everything that an image goes through, in order. */
export const makerKillPoints = {
  balance: [
    'before put ready',
    'after put ready',
    'before put sending',
    'after put sending',
    'service did it',
    'before file 0',
    'after file 0',
    'before put saving',
    'after put saving',
    'before file 1',
    'after file 1',
    'before put done',
    'after put done',
  ],
  single: [
    'before put ready',
    'after put ready',
    'priced',
    'wallet paid',
    'service did it',
    'before adopting',
    'after adopting',
    'after put saving',
    'before put done',
    'after put done',
  ],
} as const satisfies Record<PayWay, readonly string[]>
