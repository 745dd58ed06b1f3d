/**
 * Codes, types, constants and the strict JSON parser: everything that code without a verifier may import. It uses neither zod nor a
 * module of Node, so it also runs in a browser.
 */
export { attestationCodes, type AttestationCode } from './codes.ts'
export { verdictNotices, type VerdictNoticeCode } from './codes/notices.ts'
export {
  MAX_REVOCATION_LIST_BYTES,
  stepOutcomes,
  TRUSTED_ROOT_STALE_AFTER_DAYS,
  trustedRootIsStale,
  type CollateralName,
  type CollateralRecord,
  type StepOutcome,
  type TrustSet,
  type Verdict,
  type VerdictStep,
} from './contract.ts'
export type { LocalizedText, Sentence, Value } from './message.ts'
export {
  imageRules,
  platforms,
  sevProducts,
  tcbStatuses,
  type AttestationPolicy,
  type CodePolicy,
  type ImageRule,
  type NitroPolicy,
  type NonceBoundPolicy,
  type Platform,
  type ServiceEnclavePolicy,
  type SevPlatformRule,
  type SevPolicy,
  type SevProduct,
  type Tcb,
  type TcbStatus,
  type TdxPolicy,
  type WorkflowPolicy,
} from './policy.ts'
export {
  routingRefusals,
  routingStates,
  routingWarnings,
  type Routing,
  type RoutingState,
} from './routing.ts'
export {
  hasExactNumbers,
  isJsonObject,
  parseStrictJson,
  StrictJsonError,
  type JsonObject,
  type JsonValue,
  type StrictJsonFault,
} from './strict-json.ts'
