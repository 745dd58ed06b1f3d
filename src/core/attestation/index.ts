export { amdRootsFromPem } from './amd-roots.ts'
export { MAX_EVIDENCE_BYTES } from './document.ts'
export { vendorRootFromPem } from './vendor-root.ts'
export { verifyEvidence } from './verdict.ts'
