export { CoseError, MAX_SIGNED_BYTES, readCoseSign1, type CoseSign1 } from './cose-sign1.ts'
export { NitroDocumentError, readNitroDocument, type NitroDocument } from './document.ts'
export {
  debugSteps,
  nitroKeySteps,
  nitroSteps,
  nonceBoundSteps,
  type NitroEvidence,
  type NitroInput,
} from './steps.ts'
