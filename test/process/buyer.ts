/** The order that a buyer gets in its argv, as JSON. */
export interface BuyerOrder {
  readonly folder: string
  /** Buys nothing: resumes, lets time pass until nothing is in progress, and reports. */
  readonly finish?: boolean
  /**
   * Its purchases are images, videos and top-ups, and its wallet answers late, twice or wrongly, depending on
   * the purchase's own id.
   */
  readonly varied?: boolean
  /** Ends itself as `kill -9` does when its own purchase reaches this point. */
  readonly killAt?: string
}

export type AffordableKind = 'image' | 'video' | 'topup'

export interface BuyerReport {
  readonly payments: readonly {
    readonly id: string
    readonly state: string
    readonly paymentHash: string
    readonly whole: boolean
    readonly kind: AffordableKind
  }[]
  readonly day: string
  readonly held: string
}

/** Every point of a purchase, in order. The purchases are images, so that a file is fetched too. */
export const killPoints = [
  'before put quoted',
  'after put quoted',
  'before put paying',
  'after put paying',
  'wallet asked',
  'wallet paid',
  'before put paid',
  'after put paid',
  'credential sent',
  'service delivered',
  'before file 0',
  'after file 0',
  'before file 1',
  'after file 1',
  'before put delivered',
  'after put delivered',
] as const

export type BuyerMessage = 'started' | 'taken' | 'stepped' | 'bought' | BuyerReport
