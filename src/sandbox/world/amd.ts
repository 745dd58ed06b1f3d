import type { KeyObject, KeyPairKeyObjectResult } from 'node:crypto'
import {
  authorityKeyIdentifier,
  basicConstraints,
  certificate,
  distinguishedName,
  extension,
  keyUsage,
  pssSha384,
  subjectKeyIdentifier,
  revocationList,
} from '../der/certificate.ts'
import { ia5String, integer } from '../der/der.ts'

/** AMD's security patch levels as Milan and Genoa have them. */
export interface Tcb {
  readonly bootloader: number
  readonly tee: number
  readonly snp: number
  readonly microcode: number
}

/** A machine with current firmware, and one that has missed years of it. */
export const currentTcb: Tcb = { bootloader: 10, tee: 0, snp: 23, microcode: 84 }
export const oldTcb: Tcb = { bootloader: 3, tee: 0, snp: 8, microcode: 40 }

/** The names that AMD's certificates carry: a verifier checks them, and only the key behind them differs here. */
function amdName(commonName: string): Buffer {
  return distinguishedName(
    ['OU', 'Engineering'],
    ['C', 'US'],
    ['L', 'Santa Clara'],
    ['ST', 'CA'],
    ['O', 'Advanced Micro Devices'],
    ['CN', commonName],
  )
}

/** Serial numbers: of the intermediate, and of every chip's certificate. */
export const askSerial = Buffer.of(0x02, 0x00, 0x02)
const vcekSerial = Buffer.of(0)
const otherIntermediate = Buffer.of(0x02, 0x00, 0x01)

/** Self-signed root and the intermediate that signs chips, in the form of AMD's for Genoa. @param keys RSA-4096 */
export function amdRoots(
  arkKeys: KeyPairKeyObjectResult,
  askKeys: KeyPairKeyObjectResult,
): { ark: Buffer; ask: Buffer } {
  const signer = pssSha384(arkKeys.privateKey, true)
  const ark = certificate(
    {
      serial: 0x20000,
      issuer: amdName('ARK-Genoa'),
      subject: amdName('ARK-Genoa'),
      notBefore: Date.UTC(2022, 0, 26, 15, 34, 37),
      notAfter: Date.UTC(2047, 0, 26, 15, 34, 37),
      publicKey: arkKeys.publicKey,
      extensions: [
        keyUsage('certificateAndCrlSign'),
        subjectKeyIdentifier(arkKeys.publicKey),
        basicConstraints(true),
      ],
    },
    signer,
  )
  const ask = certificate(
    {
      serial: askSerial,
      issuer: amdName('ARK-Genoa'),
      subject: amdName('SEV-Genoa'),
      notBefore: Date.UTC(2022, 9, 31, 13, 33, 48),
      notAfter: Date.UTC(2046, 9, 31, 13, 33, 48),
      publicKey: askKeys.publicKey,
      extensions: [
        subjectKeyIdentifier(askKeys.publicKey),
        authorityKeyIdentifier(arkKeys.publicKey),
        basicConstraints(true, 0),
        keyUsage('certificateSign'),
      ],
    },
    signer,
  )
  return { ark, ask }
}

const amdExtension = '1.3.6.1.4.1.3704.1'

/** The chip and its firmware in the certificate (AMD publication 57230, table 8). */
function chipExtensions(tcb: Tcb, chipId: Uint8Array): Buffer[] {
  const level = (arc: number, value: number) => extension(`${amdExtension}.3.${arc}`, integer(value))
  return [
    extension(`${amdExtension}.1`, integer(0)),
    extension(`${amdExtension}.2`, ia5String('Genoa')),
    level(1, tcb.bootloader),
    level(2, tcb.tee),
    level(4, 0),
    level(5, 0),
    level(6, 0),
    level(7, 0),
    level(3, tcb.snp),
    level(8, tcb.microcode),
    // The hardware id is directly in extnValue, without an ASN.1 type.
    extension(`${amdExtension}.4`, chipId),
  ]
}

export interface VcekFields {
  readonly askPrivateKey: KeyObject
  /** P-384. */
  readonly vcekPublicKey: KeyObject
  readonly tcb: Tcb
  /** 64 bytes. */
  readonly chipId: Uint8Array
  /** Unix ms. */
  readonly notBefore: number
  readonly notAfter: number
  /** 0 if missing, as AMD's are. */
  readonly serial?: Uint8Array
}

/** The certificate of one chip at one firmware level. */
export function vcekCertificate(fields: VcekFields): Buffer {
  return certificate(
    {
      serial: fields.serial ?? vcekSerial,
      issuer: amdName('SEV-Genoa'),
      subject: amdName('SEV-VCEK'),
      notBefore: fields.notBefore,
      notAfter: fields.notAfter,
      publicKey: fields.vcekPublicKey,
      extensions: chipExtensions(fields.tcb, fields.chipId),
    },
    pssSha384(fields.askPrivateKey, false),
  )
}

export interface AmdListFields {
  readonly arkPrivateKey: KeyObject
  readonly arkPublicKey: KeyObject
  /** The list names the intermediate, which vouches for every chip. */
  readonly askRevoked: boolean
  /** Unix ms. */
  readonly thisUpdate: number
  readonly nextUpdate: number
  /** Serial numbers that the list names too. */
  readonly revoked?: readonly Uint8Array[]
  /** The issuer's common name; `ARK-Genoa` if missing. */
  readonly issuer?: string
}

/** The revocation list that the root signs. Chips have the serial number 0, all of them: only their issuer can be on it. */
export function amdRevocationList(fields: AmdListFields): Buffer {
  return revocationList(
    {
      issuer: amdName(fields.issuer ?? 'ARK-Genoa'),
      issuerPublicKey: fields.arkPublicKey,
      thisUpdate: fields.thisUpdate,
      nextUpdate: fields.nextUpdate,
      revoked: [otherIntermediate, ...(fields.askRevoked ? [askSerial] : []), ...(fields.revoked ?? [])],
    },
    pssSha384(fields.arkPrivateKey, true),
  )
}
