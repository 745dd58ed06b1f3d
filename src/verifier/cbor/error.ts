import { msg } from '../message.ts'
import { EvidenceError } from '../text.ts'
export type CborFault =
  | 'too-large'
  | 'too-deep'
  | 'truncated'
  | 'trailing-bytes'
  | 'length-indefinite'
  | 'head-reserved'
  | 'head-not-minimal'
  | 'integer-too-large'
  | 'key-unsupported'
  | 'key-duplicate'
  | 'tag-unexpected'
  | 'type-unsupported'
  | 'text'

/** The bytes are not the one item that is read here, in its preferred serialization (RFC 8949 section 4.1). */
export class CborError extends EvidenceError {
  override name = 'CborError'
  readonly fault: CborFault
  constructor(fault: CborFault) {
    super(msg('CBOR in an unexpected form: {fault}', { fault }))
    this.fault = fault
  }
}
