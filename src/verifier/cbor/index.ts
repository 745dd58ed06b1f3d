export { CborError, type CborFault } from './error.ts'
export { decodeCbor, type CborMap, type CborValue } from './reader.ts'
