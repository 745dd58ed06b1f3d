import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import { Authenticated, fail, passed, Steps, type Finding } from '../steps.ts'
import type { CertifiedKey } from '../x509/index.ts'
import { readQeReport, vouchesForKey } from './qe-report.ts'
import { parseQuote, QuoteError, type QuoteFault, type TdxQuote } from './quote.ts'
import { isQeReportSignedBy, isQuoteSigned } from './signature.ts'

const layoutCodes: Record<QuoteFault, AttestationCode> = {
  length: 'quote/length',
  version: 'quote/version-unsupported',
  'attestation-key-type': 'quote/attestation-key-type',
  'tee-type': 'quote/tee-type',
  'reserved-bytes': 'quote/reserved-bytes',
  'qe-vendor': 'quote/qe-vendor',
  'body-type': 'quote/body-type',
  'certification-data': 'quote/certification-data',
}

/** Parses the quote. Nothing in it is authenticated yet. */
export function readQuote(bytes: Uint8Array): Finding<{ readonly parsed: TdxQuote }> {
  const expected = msg('a TDX quote of version 4 or 5 by Intel’s quoting enclave')
  try {
    const parsed = parseQuote(bytes)
    return passed(expected, msg('version {version}', { version: parsed.version }), { parsed })
  } catch (error) {
    if (error instanceof QuoteError) return fail(layoutCodes[error.fault], expected, error.observed)
    throw error
  }
}

interface QuoteAndMachine {
  readonly parsed: TdxQuote
  readonly pck: CertifiedKey
}

/**
 * The attestation key signs the quote, the machine signs the report of the quoting enclave, and that enclave certifies the attestation key.
 * If one of the three is missing, anyone could have created the quote.
 */
export const signatureSteps = Steps.of<QuoteAndMachine>()
  .add({
    id: 'quote/signature',
    title: 'Quote is signed by the attestation key',
    run({ parsed }) {
      const expected = msg('a signature by the attestation key')
      return isQuoteSigned(parsed)
        ? passed(expected, expected)
        : fail('quote/signature-invalid', expected, msg('none'))
    },
  })
  .add({
    id: 'quote/qe-report',
    title: 'Quoting enclave’s report is signed by the server',
    run({ parsed, pck }) {
      const expected = msg('a signature by the machine’s certified key')
      return isQeReportSignedBy(parsed, pck.key)
        ? passed(expected, expected)
        : fail('quote/qe-report-signature-invalid', expected, msg('none'))
    },
  })
  .add({
    id: 'quote/attestation-key',
    title: 'Attestation key is certified by the quoting enclave',
    run({ parsed }) {
      const expected = msg('the hash of the attestation key in the report of the quoting enclave')
      const qe = readQeReport(parsed.qeReport)
      if (!vouchesForKey(qe, parsed)) return fail('quote/attestation-key-unbound', expected, msg('none'))
      return Authenticated.signed(expected, expected, parsed, (signedQuote) => ({ signedQuote, qe }))
    },
  })
