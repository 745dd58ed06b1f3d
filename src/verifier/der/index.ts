export { encodeDer } from './encode.ts'
export { DerError, type DerFault } from './error.ts'
export { DerReader, enterSole, soleElement, tags, type DerElement } from './reader.ts'
export {
  checkInteger,
  checkNull,
  decodeBoolean,
  decodeIa5,
  decodeNamedBits,
  decodeObjectIdentifier,
  decodeOctetBits,
  decodeSmallInteger,
  decodeString,
  decodeTime,
} from './values.ts'
