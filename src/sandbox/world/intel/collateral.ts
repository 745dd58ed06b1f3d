import { createPublicKey, sign, type KeyObject } from 'node:crypto'
import { ecdsaSha256, pem, revocationList } from '../../der/certificate.ts'
import { intelRootName, pckCrlUrl, platformCaName, rootCrlUrl } from './authorities.ts'
import { qeIdentity, tcbInfo } from './statements.ts'
import { fmspc } from './machine.ts'
import { day } from '../../profile.ts'

/** An answer of Intel's Provisioning Certification Service (PCS, version 4), as it was captured. */
export interface PcsResponse {
  readonly url: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body_base64: string
}

export interface CollateralFields {
  readonly root: Uint8Array
  readonly rootPrivateKey: KeyObject
  readonly platformCa: Uint8Array
  readonly platformPrivateKey: KeyObject
  readonly tcbSigning: Uint8Array
  readonly tcbSigningPrivateKey: KeyObject
  /** Serial numbers of machines that Intel has revoked. */
  readonly revoked: readonly Uint8Array[]
  /** The newest level that Intel calls up to date is one that the machine does not have. */
  readonly machineOutOfDate: boolean
  /** An old TCB info, with its next update long due. */
  readonly staleTcbInfo: boolean
  /** Of TCB info and QE identity; the current ones if missing. */
  readonly evaluations?: { readonly tcbInfo?: number; readonly qeIdentity?: number }
  /** Unix ms. */
  readonly now: number
}

/** The four answers that a quote is judged with. */
export function pcsResponses(fields: CollateralFields): PcsResponse[] {
  const { now } = fields
  const issued = now - 5 * day
  const validity = { thisUpdate: issued, nextUpdate: issued + 30 * day }
  const pckCrl = revocationList(
    {
      issuer: platformCaName,
      issuerPublicKey: createPublicKey(fields.platformPrivateKey),
      ...validity,
      revoked: [...otherMachines, ...fields.revoked],
    },
    ecdsaSha256(fields.platformPrivateKey),
  )
  const rootCrl = revocationList(
    {
      issuer: intelRootName,
      issuerPublicKey: createPublicKey(fields.rootPrivateKey),
      thisUpdate: issued,
      nextUpdate: issued + 365 * day,
      revoked: [],
    },
    ecdsaSha256(fields.rootPrivateKey),
  )
  const signedJson = (member: string, statement: object) => {
    const text = JSON.stringify(statement)
    const signature = sign('sha256', Buffer.from(text), {
      key: fields.tcbSigningPrivateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('hex')
    // The text is signed byte for byte, so it must not be serialized again.
    return Buffer.from(`{"${member}":${text},"signature":"${signature}"}`)
  }
  const pckIssuers = chain(fields.platformCa, fields.root)
  const signers = chain(fields.tcbSigning, fields.root)
  const tcbIssued = fields.staleTcbInfo ? now - 40 * day : issued
  return [
    response(
      `https://api.trustedservices.intel.com/tdx/certification/v4/tcb?fmspc=${fmspc.toString('hex')}`,
      { 'Tcb-Info-Issuer-Chain': [signers] },
      signedJson(
        'tcbInfo',
        tcbInfo(tcbIssued, tcbIssued + 30 * day, fields.machineOutOfDate, fields.evaluations?.tcbInfo),
      ),
    ),
    response(
      'https://api.trustedservices.intel.com/tdx/certification/v4/qe/identity',
      { 'Sgx-Enclave-Identity-Issuer-Chain': [signers] },
      signedJson('enclaveIdentity', qeIdentity(issued, issued + 30 * day, fields.evaluations?.qeIdentity)),
    ),
    response(pckCrlUrl, { 'Sgx-Pck-Crl-Issuer-Chain': [pckIssuers] }, pckCrl),
    response(rootCrlUrl, {}, rootCrl),
  ]
}

/** Machines of other people, so that the list is never empty. */
const otherMachines = [
  '6fc34e5023e728923435d61aa4b83c618166ad35',
  '74fea614a972be0e2843f2059835811ed872f9b3',
].map((hex) => Buffer.from(hex, 'hex'))

/** Intel puts a chain into a header: PEM, percent-encoded. */
function chain(...certificates: readonly Uint8Array[]): string {
  return encodeURIComponent(certificates.map((der) => pem(der)).join(''))
}

function response(url: string, headers: PcsResponse['headers'], body: Uint8Array): PcsResponse {
  return { url, headers, body_base64: Buffer.from(body).toString('base64') }
}
