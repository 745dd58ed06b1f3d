import { createHash, verify, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decode, encode } from 'cborg'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { encodeCbor } from '../../src/sandbox/world/aws/document.ts'
import type { SandboxFault } from '../../src/shared/sandbox-faults.ts'
import type { TrustSet } from '../../src/shared/trust.ts'
import { startTestSandbox } from './cached-roots.ts'

let sandbox: Sandbox
let trust: TrustSet
beforeAll(async () => {
  sandbox = await startTestSandbox()
  sandbox.setPlatform('nitro')
  trust = await sandbox.trust()
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
})
afterAll(() => sandbox.close())

const strict = { useMaps: true, rejectDuplicateMapKeys: true, strict: true, allowIndefinite: false } as const
const nonce = createHash('sha256').update('a question').digest()

interface Document {
  readonly raw: Buffer
  readonly bundle: Record<string, unknown>
  readonly fields: ReadonlyMap<string, unknown>
  readonly signed: Buffer
  readonly signature: Buffer
  readonly leaf: X509Certificate
  readonly authorities: X509Certificate[]
}

function read(raw: Buffer, bundle: Record<string, unknown> = {}): Document {
  const [header, unprotected, payload, signature] = decode(raw, strict) as [
    Uint8Array,
    Map<unknown, unknown>,
    Uint8Array,
    Uint8Array,
  ]
  expect(Buffer.from(header).toString('hex')).toBe('a1013822')
  expect(unprotected.size).toBe(0)
  const fields = decode(payload, strict) as Map<string, unknown>
  return {
    raw,
    bundle,
    fields,
    signed: Buffer.from(encode(['Signature1', header, new Uint8Array(), payload])),
    signature: Buffer.from(signature),
    leaf: new X509Certificate(Buffer.from(fields.get('certificate') as Uint8Array)),
    authorities: (fields.get('cabundle') as Uint8Array[]).map((der) => new X509Certificate(Buffer.from(der))),
  }
}

async function fetchDocument(query = `?nonce=${nonce.toString('hex')}`): Promise<Document> {
  const bundle = (await (await fetch(`${sandbox.baseUrl}/private/attestation${query}`)).json()) as {
    enclaveAttestationReport: { format: string; body: string }
  }
  expect(bundle.enclaveAttestationReport.format).toBe('https://tinfoil.sh/predicate/aws-nitro-enclave/v1')
  return read(gunzipSync(Buffer.from(bundle.enclaveAttestationReport.body, 'base64')), bundle)
}

/** Checks every way in which a document can be wrong, without using Sotto's verifier. */
function wrongIn(
  { fields, signed, signature, leaf, authorities, bundle }: Document,
  now = Date.now(),
): string[] {
  const chain = [leaf, ...authorities.toReversed()]
  const pcrs = fields.get('pcrs') as Map<number, Uint8Array>
  const pcr = (index: number) => Buffer.from(pcrs.get(index) ?? []).toString('hex')
  const image = sandbox.profile.policy?.nitro?.images[0]
  const tls = new X509Certificate(bundle['enclaveCert'] as string)
  const checks: Record<string, boolean> = {
    root: authorities[0]?.raw.equals(Buffer.from(trust.awsNitroRoot ?? [])) ?? false,
    chain: chain.every(
      (certificate, index) =>
        certificate.verify((chain[index + 1] ?? certificate).publicKey) &&
        certificate.issuer === (chain[index + 1] ?? certificate).subject,
    ),
    dates: chain.every(
      ({ validFromDate, validToDate }) => validFromDate.getTime() <= now && now <= validToDate.getTime(),
    ),
    signature: verify('sha384', signed, { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' }, signature),
    measured: !/^0+$/.test(pcr(0)),
    image: pcr(0) === image?.pcr0 && pcr(1) === image.pcr1 && pcr(2) === image.pcr2,
    nonce: Buffer.from(fields.get('nonce') as Uint8Array).equals(nonce),
    'TLS key': Buffer.from(fields.get('user_data') as Uint8Array).equals(
      createHash('sha256')
        .update(tls.publicKey.export({ type: 'spki', format: 'der' }))
        .digest(),
    ),
    domain: bundle['domain'] === 'enclave.sotto-sandbox.example',
  }
  return Object.entries(checks).flatMap(([name, right]) => (right ? [] : [name]))
}

describe('a valid document', () => {
  test('chains to the sandbox’s AWS root, is signed, and echoes the nonce', async () => {
    const document = await fetchDocument()
    expect(wrongIn(document)).toEqual([])
    expect(document.authorities).toHaveLength(4)
    expect([...document.fields.keys()]).toEqual([
      'module_id',
      'digest',
      'timestamp',
      'pcrs',
      'certificate',
      'cabundle',
      'public_key',
      'user_data',
      'nonce',
    ])
    expect((document.fields.get('pcrs') as Map<number, Uint8Array>).size).toBe(16)
    expect(document.raw[0]).toBe(0x84)
    expect(document.leaf.validToDate.getTime() - document.leaf.validFromDate.getTime()).toBe(3 * 3600_000)
    for (const name of ['vcek', 'digest', 'sigstoreBundle', 'collateral'])
      expect(document.bundle[name]).toBeUndefined()
  })

  test('is new for each request, with the same keys until they rotate', async () => {
    const [first, second] = [await fetchDocument(), await fetchDocument()]
    expect(second.signature).not.toEqual(first.signature)
    expect(second.fields.get('public_key')).toEqual(first.fields.get('public_key'))
    sandbox.rotateKey()
    expect((await fetchDocument()).fields.get('public_key')).not.toEqual(first.fields.get('public_key'))
  })

  test('has no nonce if none was requested, and a nonce of another length is refused', async () => {
    expect((await fetchDocument('')).fields.get('nonce')).toBeNull()
    expect((await fetch(`${sandbox.baseUrl}/private/attestation?nonce=00ff`)).status).toBe(400)
  })

  test('each platform has its own keys', async () => {
    const keyConfig = async () =>
      Buffer.from(
        await (await fetch(`${sandbox.baseUrl}/private/.well-known/hpke-keys`)).arrayBuffer(),
      ).toString('hex')
    const keys = new Set<string>()
    for (const platform of ['sev-snp', 'tdx', 'nitro'] as const) {
      sandbox.setPlatform(platform)
      expect(sandbox.platform()).toBe(platform)
      keys.add(await keyConfig())
    }
    expect(keys.size).toBe(3)
  })
})

test.each<[SandboxFault, string[]]>([
  ['other-measurement', ['image']],
  ['debug-guest', ['measured', 'image']],
  ['expired-certificate', ['dates']],
  ['wrong-nonce', ['nonce']],
  ['swapped-key', ['signature']],
  ['other-host', ['domain']],
])('%s invalidates %j and nothing else', async (fault, wrong) => {
  sandbox.setFault(fault, true)
  expect(wrongIn(await fetchDocument())).toEqual(wrong)
})

test('the CBOR of its writer is read by cborg, which writes the same bytes', () => {
  const leaf = fc.oneof(fc.maxSafeNat(), fc.string(), fc.constant(null), fc.uint8Array({ maxLength: 300 }))
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 30 }),
      fc.array(fc.tuple(fc.nat(), tie('value')), { maxLength: 5 }).map((entries) => new Map(entries)),
    ),
  })).value
  fc.assert(
    fc.property(value, (input) => {
      const written = encodeCbor(input as Parameters<typeof encodeCbor>[0])
      expect(decode(written, strict)).toEqual(input)
      expect(written.equals(Buffer.from(encode(input, { mapSorter: null } as never)))).toBe(true)
    }),
  )
})

const real = resolve(import.meta.dirname, '../../../shared/evidence/nitro/valid-attestation-doc.bin')

/** Requires the folder of real evidence next to the checkout. */
test.skipIf(!existsSync(real))(
  'it has the members, registers and certificate names of a real document',
  async () => {
    const ours = await fetchDocument()
    const theirs = read(await readFile(join(real)))
    expect([...ours.fields.keys()]).toEqual([...theirs.fields.keys()])
    expect([...(ours.fields.get('pcrs') as Map<number, Uint8Array>).keys()]).toEqual([
      ...(theirs.fields.get('pcrs') as Map<number, Uint8Array>).keys(),
    ])
    const names = ({ leaf, authorities }: Document) =>
      [...authorities, leaf].map(({ subject, keyUsage, ca }) => [
        subject.replace(/i-[0-9a-f]+/, 'i-').replace(/enc[0-9a-f]+/, 'enc'),
        keyUsage,
        ca,
      ])
    expect(names(ours)).toEqual(names(theirs))
  },
)
