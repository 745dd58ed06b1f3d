import { msg } from '../message.ts'
import type { PcsResponse } from '../collateral.ts'
import { parseTextOnce } from '../parse-once.ts'
import { EvidenceError } from '../text.ts'

/** What Intel publishes about a machine, as it answers (Provisioning Certification Service, API version 4). Nothing of it is authenticated. */
export interface IntelCollateral {
  readonly tcbInfo: SignedAnswer
  readonly qeIdentity: SignedAnswer
  /** DER of what the issuer of machines' certificates has revoked, and of what Intel's root has. */
  readonly pckCrl: Uint8Array
  readonly rootCrl: Uint8Array
}

/** A signed JSON text with the certificates of its signer, PEM. */
export interface SignedAnswer {
  readonly body: Uint8Array
  readonly issuerChain: string
}

type Part = keyof IntelCollateral

/** Where Intel answers what, in lower case, whatever the query says. The issuer of the PCK list stands in the quote's own chain: the one sent along is not read. */
const parts: ReadonlyMap<string, Part> = new Map([
  ['https://api.trustedservices.intel.com/tdx/certification/v4/tcb', 'tcbInfo'],
  ['https://api.trustedservices.intel.com/tdx/certification/v4/qe/identity', 'qeIdentity'],
  ['https://api.trustedservices.intel.com/sgx/certification/v4/pckcrl', 'pckCrl'],
  ['https://certificates.trustedservices.intel.com/intelsgxrootca.der', 'rootCrl'],
])
const TCB_INFO_CHAIN = 'tcb-info-issuer-chain'
const QE_IDENTITY_CHAIN = 'sgx-enclave-identity-issuer-chain'

const MAX_BODY = 128 * 1024
/** As it stands in the header, percent-encoded. */
const MAX_CHAIN = 16 * 1024

/** Not Intel's four answers, each once and in its form. Its text is what was observed, as the step `intel/collateral` tells it. */
export class CollateralError extends EvidenceError {
  override name = 'CollateralError'
}

/**
 * Finds Intel's four answers among those replayed. Each has to be there once: which of two counts would be a matter of the reader.
 * Answers to other questions are passed over. Throws CollateralError.
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

/** Header names are read without regard to case, as HTTP has them. */
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
