import type { KeyObject } from 'node:crypto'
import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import type { Text } from '../text.ts'
import type { TdxStep } from './plan.ts'
import { readQeReport, vouchesForKey, type QeReport } from './qe-report.ts'
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

/** Parses the quote, or fails `quote/layout` by the code of its fault. Nothing of it is authenticated by that. */
export function takeQuote(checks: Checklist<TdxStep>, bytes: Uint8Array): TdxQuote {
  const expected = msg('a TDX quote of version 4 or 5 by Intel’s quoting enclave')
  try {
    const quote = parseQuote(bytes)
    checks.pass('quote/layout', expected, msg('version {version}', { version: quote.version }))
    return quote
  } catch (error) {
    if (error instanceof QuoteError)
      checks.fail('quote/layout', layoutCodes[error.fault], expected, error.observed)
    throw error
  }
}

/** Attestation key over quote, machine over quoting enclave, quoting enclave over attestation key: one of them missing, and the quote is anyone's. */
export function checkSignatures(
  checks: Checklist<TdxStep>,
  quote: TdxQuote,
  machineKey: KeyObject,
): QeReport {
  checkHolds(
    checks,
    'quote/signature',
    isQuoteSigned(quote),
    'quote/signature-invalid',
    msg('a signature by the attestation key'),
  )
  checkHolds(
    checks,
    'quote/qe-report',
    isQeReportSignedBy(quote, machineKey),
    'quote/qe-report-signature-invalid',
    msg('a signature by the machine’s certified key'),
  )
  const qe = readQeReport(quote.qeReport)
  checkHolds(
    checks,
    'quote/attestation-key',
    vouchesForKey(qe, quote),
    'quote/attestation-key-unbound',
    msg('the hash of the attestation key in the report of the quoting enclave'),
  )
  return qe
}

function checkHolds(
  checks: Checklist<TdxStep>,
  step: TdxStep,
  holds: boolean,
  code: AttestationCode,
  expected: Text,
): void {
  checks.record(step, holds ? undefined : code, expected, holds ? expected : msg('none'))
}
