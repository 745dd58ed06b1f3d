import { sign, createHash } from 'node:crypto'
import { enclaveId, instanceId, type NitroChain } from './chain.ts'

/** A small writer of CBOR (RFC 8949), in the shortest form of every length: as much of it as an attestation document needs. */
export type Cbor = number | string | null | Uint8Array | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>

const majorTypes = { unsigned: 0, bytes: 2, text: 3, array: 4, map: 5 } as const
const nothing = Buffer.of(0xf6)

/** @param value numbers are integers from 0 to 2^53 - 1; a map is written in its own order */
export function encodeCbor(value: Cbor): Buffer {
  if (value === null) return nothing
  if (typeof value === 'number') return head(majorTypes.unsigned, value)
  if (typeof value === 'string') return prefixed(majorTypes.text, Buffer.from(value))
  if (value instanceof Uint8Array) return prefixed(majorTypes.bytes, value)
  if (isList(value)) return Buffer.concat([head(majorTypes.array, value.length), ...value.map(encodeCbor)])
  const entries = [...value].flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)])
  return Buffer.concat([head(majorTypes.map, value.size), ...entries])
}

function isList(value: Cbor): value is readonly Cbor[] {
  return Array.isArray(value)
}

function prefixed(type: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([head(type, bytes.length), bytes])
}

/** RFC 8949 section 3: three bits of type, then the argument in 0, 1, 2, 4 or 8 bytes. */
function head(type: number, argument: number): Buffer {
  if (!Number.isSafeInteger(argument) || argument < 0) throw new RangeError('not an unsigned integer')
  const initial = type << 5
  if (argument < 24) return Buffer.of(initial | argument)
  if (argument < 2 ** 8) return Buffer.of(initial | 24, argument)
  const wide =
    argument < 2 ** 16
      ? { bytes: 2, information: 25 }
      : argument < 2 ** 32
        ? { bytes: 4, information: 26 }
        : { bytes: 8, information: 27 }
  const written = Buffer.alloc(9)
  written.writeBigUInt64BE(BigInt(argument), 1)
  const start = 8 - wide.bytes
  written[start] = initial | wide.information
  return written.subarray(start)
}

/** COSE (RFC 9053): the header parameter "alg", and ECDSA with SHA-384, which is -35. */
const protectedHeader = Buffer.from('a1013822', 'hex')

export interface NitroDocument {
  readonly pcrs: ReadonlyMap<number, Buffer>
  /** 32 bytes: the raw HPKE key. */
  readonly publicKey: Uint8Array
  /** Put in the key's place after the hypervisor has signed. */
  readonly forgedPublicKey?: Uint8Array
  /** 32 bytes: SHA-256 of the TLS key's SPKI. */
  readonly userData: Uint8Array
  /** The nonce of the caller. */
  readonly nonce: Uint8Array | null
  /** Unix ms. */
  readonly at: number
}

/** An attestation document of the Nitro hypervisor: COSE_Sign1 without a tag, like the original. */
export function nitroDocument(document: NitroDocument, chain: NitroChain): Buffer {
  const payload = payloadOf(document, chain, document.publicKey)
  // The signature is over this structure and not the document (RFC 9052 section 4.4).
  const toBeSigned = encodeCbor(['Signature1', protectedHeader, Buffer.alloc(0), payload])
  const signature = sign('sha384', toBeSigned, { key: chain.leafPrivateKey, dsaEncoding: 'ieee-p1363' })
  const shown = document.forgedPublicKey ? payloadOf(document, chain, document.forgedPublicKey) : payload
  return encodeCbor([protectedHeader, new Map<Cbor, Cbor>(), shown, signature])
}

function payloadOf(document: NitroDocument, chain: NitroChain, publicKey: Uint8Array): Buffer {
  return encodeCbor(
    new Map<Cbor, Cbor>([
      ['module_id', `${instanceId}-${enclaveId}`],
      ['digest', 'SHA384'],
      ['timestamp', document.at],
      ['pcrs', document.pcrs],
      ['certificate', chain.leaf],
      ['cabundle', chain.authorities],
      ['public_key', publicKey],
      ['user_data', document.userData],
      ['nonce', document.nonce],
    ]),
  )
}

const registers = 16
const registerBytes = 48

/** Stands for SHA-384 over a part of an enclave image: one value for each build. */
function measured(part: string, build: string): Buffer {
  return createHash('sha384').update(`sotto-sandbox nitro ${part} of ${build}`).digest()
}

/** PCR0, the whole image; PCR1, kernel and boot files; PCR2, the application. */
export interface NitroImage {
  readonly pcr0: Buffer
  readonly pcr1: Buffer
  readonly pcr2: Buffer
}

export function imageOf(build: string): NitroImage {
  return {
    pcr0: measured('image', build),
    pcr1: measured('kernel', build),
    pcr2: measured('application', build),
  }
}

/** The image that the sandbox's policy accepts. */
export const nitroImage = imageOf('the published image')

/** All registers of an enclave. In debug mode those of its image are zero; PCR3 and PCR4 name the role and the instance, and the others stay zero. */
export function pcrsOf(image: NitroImage, debug: boolean): ReadonlyMap<number, Buffer> {
  const zero = Buffer.alloc(registerBytes)
  const stated = new Map<number, Buffer>([
    ...(debug
      ? []
      : ([
          [0, image.pcr0],
          [1, image.pcr1],
          [2, image.pcr2],
        ] as const)),
    [3, measured('role', 'the parent instance')],
    [4, measured('instance', 'the parent instance')],
  ])
  return new Map(Array.from({ length: registers }, (_, index) => [index, stated.get(index) ?? zero]))
}
