export { decodeTdAttributes, type TdAttributes } from './attributes.ts'
export { CollateralError, readIntelCollateral, type IntelCollateral } from './collateral.ts'
export { pckSteps } from './pck-checks.ts'
export { signatureSteps } from './quote-checks.ts'
export {
  MAX_QUOTE_BYTES,
  parseQuote,
  QuoteError,
  type QuoteFault,
  type TdReport,
  type TdxQuote,
} from './quote.ts'
export { readSgxExtensions, type SgxExtensions } from './sgx-extensions.ts'
export { readStatement, splitSignedJson } from './signed-json.ts'
export { qeIdentityOf, tcbInfoOf, type QeIdentity, type TcbInfo } from './statements.ts'
export { quoteSteps, tdxSteps, type TdxEvidence, type TdxInput } from './steps.ts'
export { trustDomainSteps } from './td-checks.ts'
