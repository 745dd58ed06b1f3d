import { sign } from 'node:crypto'
import { encodeCbor, type Cbor } from './cbor.ts'
import { enclaveId, instanceId, type NitroChain } from './chain.ts'

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
  /** What the caller asked to have echoed. */
  readonly nonce: Uint8Array | null
  /** Unix ms. */
  readonly at: number
}

/** An attestation document of the Nitro hypervisor: COSE_Sign1 without a tag, as it is handed out. */
export function nitroDocument(document: NitroDocument, chain: NitroChain): Buffer {
  const payload = payloadOf(document, chain, document.publicKey)
  // RFC 9052 section 4.4: what is signed is this structure and not the document.
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
