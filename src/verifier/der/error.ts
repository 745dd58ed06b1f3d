export type DerFault =
  | 'too-large'
  | 'too-deep'
  | 'truncated'
  | 'trailing-bytes'
  | 'tag-unsupported'
  | 'tag-unexpected'
  | 'length-indefinite'
  | 'length-not-minimal'
  | 'boolean'
  | 'integer'
  | 'bit-string'
  | 'null'
  | 'object-identifier'
  | 'string'
  | 'time'

/** The bytes are not the one encoding that DER (X.690) allows for their value. */
export class DerError extends Error {
  override name = 'DerError'
  readonly fault: DerFault
  constructor(fault: DerFault) {
    super(`not DER: ${fault}`)
    this.fault = fault
  }
}
