/** Verified now; refused; nothing to judge; good only at the time that was asked for. */
export const exitCodes = { verified: 0, refused: 1, unusable: 2, onlyAtThatTime: 3 } as const

export interface VerifyOptions {
  readonly json: boolean
  /** Judge as of this time: only for a saved file. */
  readonly at?: string
  /** Write the proof of live evidence to this file, which must not exist yet. */
  readonly save?: string
  /** The preset whose policy a saved file is judged by. */
  readonly service: string
}
