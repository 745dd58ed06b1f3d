export type EhbpErrorCode =
  | 'ehbp/key-invalid'
  | 'ehbp/nonce-malformed'
  | 'ehbp/frame-too-large'
  | 'ehbp/open-failed'
  | 'ehbp/truncated'
  | 'ehbp/sequence-exhausted'
  | 'ehbp/crypto-unavailable'

/** A coded failure of sealing or opening. Its message names no key, nonce or content. */
export class EhbpError extends Error {
  override name = 'EhbpError'
  readonly code: EhbpErrorCode

  constructor(code: EhbpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
