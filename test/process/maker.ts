import type { PayWay } from '../../src/shared/job.ts'

/** What the service charges for each request from the balance, in pico-USD. */
export const makerCost = '7000000000'

/** The order that a maker gets in its argv, as JSON. */
export interface MakerOrder {
  readonly folder: string
  readonly pay: PayWay
  /** The default is an image. */
  readonly kind?: 'image' | 'video' | 'batch' | 'embedding'
  /** Creates nothing: resumes, lets jobs continue that can, and reports. */
  readonly finish?: boolean
  /** The owner resumes all paused jobs. */
  readonly resume?: boolean
  /** Ends itself as `kill -9` does when its own job reaches this point. */
  readonly killAt?: string
}

export interface MakerReport {
  /** For a batch, each row is an entry. */
  readonly jobs: readonly {
    readonly id: string
    readonly prompt: string
    readonly state: string
    readonly whole: boolean
    readonly cost?: string
  }[]
  /** The prompt of each request that the service did; it repeats if the service did the request again. */
  readonly done: readonly string[]
  /** The prompt of each payment of the wallet; it repeats if the wallet paid again. */
  readonly paid: readonly string[]
}

/** Every point of a batch of rows, in order; `2` belongs to its second row. */
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

/** Every point of an embedding of texts in three parts. */
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

/** Every point of a clip that is paid from the balance. */
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

/** Every point of an image, in order. */
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
