export { ATTESTATION_V3, MAX_V3_BYTES } from './document.ts'
export {
  directV3Steps,
  documentName,
  v3Steps,
  type FreshEvidence,
  type RelayedInput,
  type V3Input,
} from './steps.ts'
