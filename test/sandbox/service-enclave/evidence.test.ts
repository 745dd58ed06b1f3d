import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { nitroImage } from '../../../src/sandbox/world/aws/document.ts'
import { parseNonce } from '../../../src/sandbox/world/service-enclave/evidence.ts'
import { profileSchema } from '../../../src/shared/profile.ts'
import type { SandboxFault } from '../../../src/shared/sandbox-faults.ts'
import { startTestSandbox } from '../cached-roots.ts'
import { fetchEvidence, readDocument } from './enclave-client.ts'

let sandbox: Sandbox
let awsRoot: Buffer
beforeAll(async () => {
  sandbox = await startTestSandbox({ ledger: 'memory', serviceEnclave: true })
  awsRoot = Buffer.from((await sandbox.trust()).awsNitroRoot ?? [])
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
})
afterAll(() => sandbox.close())

const hex48 = z.string().regex(/^[0-9a-f]{96}$/)
const recordSchema = z.strictObject({
  _comment: z.array(z.string()),
  updated: z.iso.date(),
  current: z.strictObject({
    version: z.string().regex(/^v\d+\.\d+\.\d+$/),
    date: z.iso.date(),
    source_commit: z.string().regex(/^[0-9a-f]{7,40}$/),
    pcr0: hex48,
    pcr1: hex48,
    pcr2: hex48,
  }),
  accepted_pcr0: z.array(hex48).min(1).max(4),
  provenance: z.strictObject({ repo: z.string(), workflow: z.string(), verify: z.string() }),
})

async function fetchRecord(): Promise<z.infer<typeof recordSchema>> {
  const response = await fetch(`${sandbox.baseUrl}/service-enclave/published-pcr.json`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  return recordSchema.parse(await response.json())
}

/** Lists the faults in the evidence or the record, without using the verifier. */
async function wrongIn(): Promise<string[]> {
  const nonce = randomBytes(32)
  const evidence = await fetchEvidence(sandbox, `?nonce=${nonce.toString('hex')}`)
  const document = readDocument(evidence)
  const record = await fetchRecord()
  const spki = Buffer.from(evidence.cert_spki_der, 'base64')
  const now = Date.now()
  const issuers = document.chain.slice(0, -1)
  const pcr = (index: number) => document.pcrs.get(index)?.toString('hex') ?? ''
  const checks: Record<string, boolean> = {
    algorithm: document.header.toString('hex') === 'a1013822',
    signature: document.signatureValid,
    root: document.chain[0]?.raw.equals(awsRoot) ?? false,
    chain: document.chain.every((certificate, index) =>
      certificate.verify((document.chain[index - 1] ?? certificate).publicKey),
    ),
    'certificate authorities': issuers.every(({ ca }) => ca) && document.chain.at(-1)?.ca === false,
    dates: document.chain.every(
      ({ validFromDate, validToDate }) => validFromDate.getTime() <= now && now <= validToDate.getTime(),
    ),
    time: Math.abs(document.timestamp - now) < 60_000,
    nonce: document.nonce?.equals(nonce) ?? false,
    debug: !/^0*$/.test(pcr(0)),
    image:
      record.accepted_pcr0.includes(pcr(0)) &&
      record.current.pcr0 === pcr(0) &&
      record.current.pcr2 === pcr(2),
    kernel: record.current.pcr1 === pcr(1),
    'HPKE key':
      document.public_key.length === 32 && document.public_key.toString('hex') === evidence.hpke_public_key,
    'TLS key':
      document.user_data.equals(createHash('sha256').update(spki).digest()) &&
      document.user_data.toString('hex') === evidence.cert_spki_sha256,
    'type of the TLS key':
      createPublicKey({ key: spki, format: 'der', type: 'spki' }).asymmetricKeyDetails?.namedCurve ===
      'prime256v1',
    'record is new': now - Date.parse(record.updated) < 2 * 24 * 3600_000,
  }
  return Object.entries(checks).flatMap(([name, right]) => (right ? [] : [name]))
}

test.each<[SandboxFault | undefined, string[]]>([
  [undefined, []],
  ['relay-other-image', ['image']],
  ['relay-older-record', ['record is new']],
  // Faults of the other enclave don't affect this one.
  ['other-measurement', []],
  ['debug-guest', []],
  ['wrong-nonce', []],
])('with the fault %s, %j is wrong and nothing else', async (fault, wrong) => {
  expect(await wrongIn()).toEqual([])
  if (fault) sandbox.setFault(fault, true)
  expect(await wrongIn()).toEqual(wrong)
})

test('the older record goes back by thirty days and names the same image', async () => {
  const current = await fetchRecord()
  sandbox.setFault('relay-older-record', true)
  const older = await fetchRecord()
  expect(Date.parse(current.updated) - Date.parse(older.updated)).toBe(30 * 24 * 3600_000)
  expect(older.accepted_pcr0).toEqual(current.accepted_pcr0)
})

test('keys and image are its own', async () => {
  const document = readDocument(await fetchEvidence(sandbox))
  sandbox.setPlatform('nitro')
  const other = Buffer.from(
    await (await fetch(`${sandbox.baseUrl}/private/.well-known/hpke-keys`)).arrayBuffer(),
  ).subarray(3, 35)
  sandbox.setPlatform('sev-snp')
  expect(document.public_key.equals(other)).toBe(false)
  expect(document.pcrs.get(0)?.equals(nitroImage.pcr0)).toBe(false)
  // The same keys are attested until they rotate, each time in a new document.
  const again = readDocument(await fetchEvidence(sandbox))
  expect([again.public_key, again.user_data]).toEqual([document.public_key, document.user_data])
  expect(again.certificate.equals(document.certificate)).toBe(false)
})

describe('the nonce', () => {
  test.each([
    ['16 bytes', 'ab'.repeat(16)],
    ['64 bytes', '0f'.repeat(64)],
    ['one byte', 'A0'],
  ])('%s: echoed', async (_, nonce) => {
    expect(readDocument(await fetchEvidence(sandbox, `?nonce=${nonce}`)).nonce?.toString('hex')).toBe(
      nonce.toLowerCase(),
    )
  })

  test.each([
    ['none', ''],
    ['empty', '?nonce='],
    ['an odd number of digits', '?nonce=abc'],
    ['129 digits', `?nonce=${'a'.repeat(129)}`],
    ['130 digits', `?nonce=${'a'.repeat(130)}`],
    ['another alphabet', '?nonce=zz'],
    ['two of them', '?nonce=aa&nonce=bb'],
  ])('%s: ignored, and the document has none', async (_, query) => {
    const response = await fetch(`${sandbox.baseUrl}/service-enclave/attestation${query}`)
    expect([
      response.status,
      response.headers.get('access-control-allow-origin'),
      response.headers.get('content-type')?.split(';')[0],
    ]).toEqual([200, '*', 'application/json'])
    expect(readDocument(await fetchEvidence(sandbox, query)).nonce).toBeNull()
  })

  test('is parsed exactly if it is 1 to 64 bytes of hex', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        (bytes) => parseNonce(Buffer.from(bytes).toString('hex'))?.equals(bytes) === true,
      ),
    )
    fc.assert(
      fc.property(
        fc.string(),
        (text) => (parseNonce(text) === null) !== /^(?:[0-9a-f]{2}){1,64}$/i.test(text),
      ),
    )
  })
})

test('503 if the roots cannot be had', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-sandbox-'))
  // A folder in place of the file: it can't be read or replaced.
  await mkdir(join(folder, 'roots.json', 'full'), { recursive: true })
  const rootless = await startSandbox({ folder, ledger: 'memory', pace: 'none', serviceEnclave: true })
  try {
    const response = await fetch(`${rootless.baseUrl}/service-enclave/attestation?nonce=00`)
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: { message: 'attestation unavailable', code: 503 } },
    ])
    expect((await fetch(`${rootless.baseUrl}/service-enclave/published-pcr.json`)).status).toBe(200)
  } finally {
    await rootless.close()
  }
})

describe('only if it is asked for, and in revision B', () => {
  const paths = [
    ['GET', '/service-enclave/attestation'],
    ['GET', '/service-enclave/published-pcr.json'],
    ['POST', '/service-enclave/v1/chat/completions'],
    ['POST', '/service-enclave/chat/completions'],
  ] as const

  test('the profile names it, and its routes are listed', async () => {
    expect(profileSchema.parse(sandbox.profile).serviceEnclave).toMatchObject({
      baseUrl: `${sandbox.baseUrl}/service-enclave`,
      imageRecordUrl: `${sandbox.baseUrl}/service-enclave/published-pcr.json`,
    })
    const routes = (await sandbox.control()).routes().filter(({ group }) => group === 'Service enclave')
    expect(routes.map(({ name, fails }) => [name, fails])).toEqual([
      ['GET /service-enclave/attestation', false],
      ['GET /service-enclave/published-pcr.json', false],
      ['POST /service-enclave/v1/chat/completions', false],
    ])
  })

  test.each([{}, { serviceEnclave: false }, { serviceEnclave: true, revision: 'A' as const }])(
    'not with %j',
    async (options) => {
      const other = await startTestSandbox({ ledger: 'memory', ...options })
      try {
        expect(other.profile.serviceEnclave).toBeUndefined()
        for (const [method, path] of paths)
          expect([path, (await fetch(other.baseUrl + path, { method })).status]).toEqual([path, 404])
        expect((await other.control()).routes().filter(({ group }) => group === 'Service enclave')).toEqual(
          [],
        )
        await expect(other.serviceEnclaveProvenance()).rejects.toThrow('no service enclave')
      } finally {
        await other.close()
      }
    },
  )
})
