export { readImageRecord } from './image-record.ts'
export { MAX_ANSWER_BYTES, MAX_RECORD_BYTES } from './limits.ts'
export { verifyImageProvenance, type ImageProvenanceInput, type ImageProvenanceResult } from './provenance.ts'
export { RoutingReceiptReader, routingReceiptsOfHeaders } from './receipt-reader.ts'
export { verifyRoutingReceipt, type RoutingReceiptInput } from './routing-receipt.ts'
export type {
  ImageAcceptance,
  ImageRecord,
  RoutingReceiptFound,
  ServiceEnclaveAssessment,
  ServiceEnclaveInput,
} from './types.ts'
export { readAcceptance, writeAcceptance } from './saved-acceptance.ts'
export { assessServiceEnclave } from './verdict.ts'
