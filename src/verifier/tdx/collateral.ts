import { msg } from '../message.ts'
import type { PcsResponse } from '../collateral.ts'
import { parseTextOnce } from '../parse-once.ts'
import { EvidenceError } from '../text.ts'

/**
 * Intel's published data about a machine, as responses of the Provisioning Certification Service, API version
 * 4. None of it is authenticated here.
 */
export interface IntelCollateral {
  readonly tcbInfo: SignedAnswer
  readonly qeIdentity: SignedAnswer
  /** DER of two revocation lists: of the issuer of machines' certificates, and of Intel's root. */
  readonly pckCrl: Uint8Array
  readonly rootCrl: Uint8Array
}

/** A signed JSON text, and the certificates of its signer as PEM. */
export interface SignedAnswer {
  readonly body: Uint8Array
  readonly issuerChain: string
}

type Part = keyof IntelCollateral

/**
 * The part that each address returns, in lower case and without the query. The chain sent with the PCK list
 * is ignored, because the quote's own chain contains the list's issuer.
 */
const parts: ReadonlyMap<string, Part> = new Map([
  ['https://api.trustedservices.intel.com/tdx/certification/v4/tcb', 'tcbInfo'],
  ['https://api.trustedservices.intel.com/tdx/certification/v4/qe/identity', 'qeIdentity'],
  ['https://api.trustedservices.intel.com/sgx/certification/v4/pckcrl', 'pckCrl'],
  ['https://certificates.trustedservices.intel.com/intelsgxrootca.der', 'rootCrl'],
])
const TCB_INFO_CHAIN = 'tcb-info-issuer-chain'
const QE_IDENTITY_CHAIN = 'sgx-enclave-identity-issuer-chain'

const MAX_BODY = 128 * 1024
/** Length of the header's value, percent-encoded. */
const MAX_CHAIN = 16 * 1024

/**
 * Responses that don't include Intel's four parts once each in the expected form. Its text is the observation
 * of the step `intel/collateral`.
 */
export class CollateralError extends EvidenceError {
  override name = 'CollateralError'
}

/**
 * Finds Intel's four responses among the recorded ones. Refuses duplicates, because two readers could
 * disagree about which counts. Ignores other responses.
 *
 * @throws {CollateralError}
 */
export function readIntelCollateral(responses: readonly PcsResponse[]): IntelCollateral {
  const found = new Map<Part, PcsResponse>()
  for (const response of responses) {
    const part = partOf(response.url)
    if (part && found.has(part)) throw new CollateralError(msg('two answers of {part}', { part }))
    if (part && response.body.length > MAX_BODY)
      throw new CollateralError(msg('an answer of {part} over the size limit', { part }))
    if (part) found.set(part, response)
  }
  const answer = (part: Part): PcsResponse => {
    const response = found.get(part)
    if (!response) throw new CollateralError(msg('no answer of {part}', { part }))
    return response
  }
  const signed = (part: Part, header: string): SignedAnswer => ({
    body: answer(part).body,
    issuerChain: issuerChain(answer(part), header),
  })
  return {
    tcbInfo: signed('tcbInfo', TCB_INFO_CHAIN),
    qeIdentity: signed('qeIdentity', QE_IDENTITY_CHAIN),
    pckCrl: answer('pckCrl').body,
    rootCrl: answer('rootCrl').body,
  }
}

function partOf(url: string): Part | undefined {
  return parts.get((url.split('?', 1)[0] ?? '').toLowerCase())
}

const percentDecoded = parseTextOnce(decodeURIComponent)

/** HTTP header names are case-insensitive. */
function issuerChain({ headers }: PcsResponse, name: string): string {
  const [value, ...more] = Object.entries(headers).flatMap(([header, text]) =>
    header.toLowerCase() === name ? [text] : [],
  )
  if (value === undefined || more.length > 0 || value.length > MAX_CHAIN)
    throw new CollateralError(msg('not one header {name}', { name }))
  try {
    return percentDecoded(value)
  } catch {
    throw new CollateralError(msg('a header {name} that isn’t percent-encoded', { name }))
  }
}
