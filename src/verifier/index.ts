export * from './types.ts'
export { amdRootsFromPem } from './amd-roots.ts'
export { decodeBase64 } from './base64.ts'
export { assessDirect, type DirectInput } from './direct-verdict.ts'
export { MAX_EVIDENCE_BYTES } from './document.ts'
export { knownAnswersHold, knownAnswersOf } from './known-answers/index.ts'
export { verifyReleaseFile, type ReleaseFileResult } from './sigstore/index.ts'
export { readAmdList } from './sev-snp/index.ts'
export { readRoots } from './read-roots.ts'
export { trustRoots, type TrustRoot } from './trust-roots.ts'
export { vendorRootFromPem } from './vendor-root.ts'
export { ATTESTATION_V3, MAX_V3_BYTES } from './v3/index.ts'
export { msg } from './message.ts'
export { legible } from './text.ts'
export { assessEvidence, verifyEvidence, type Assessment, type FreshAnswer } from './verdict.ts'
export {
  assessServiceEnclave,
  verifyRoutingReceipt,
  MAX_ANSWER_BYTES,
  MAX_RECORD_BYTES,
  RoutingReceiptReader,
  routingReceiptsOfHeaders,
  verifyImageProvenance,
  readAcceptance,
  writeAcceptance,
  type ImageAcceptance,
  type ImageProvenanceInput,
  type ImageProvenanceResult,
  type ImageRecord,
  type RoutingReceiptFound,
  type RoutingReceiptInput,
  type ServiceEnclaveAssessment,
  type ServiceEnclaveInput,
} from './service-enclave/index.ts'
