import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { nonceBound } from '../../../src/sandbox/profile.ts'
import { nonceBoundPolicySchema } from '../../../src/shared/policy/code.ts'
import type { SandboxFault } from '../../../src/shared/sandbox-faults.ts'
import { sandboxFolder } from '../cached-roots.ts'
import {
  cryptoMaterialSchema,
  entryOf,
  expectedReportData,
  readDocument,
  readSignedEntry,
  type ReadDocument,
} from './read-document.ts'

const day = 24 * 3600_000
const clock = { ahead: 0 }
let sandbox: Sandbox
let trustedRoot: string
beforeAll(async () => {
  sandbox = await startSandbox({
    folder: await sandboxFolder(),
    pace: 'none',
    now: () => Date.now() + clock.ahead,
  })
  trustedRoot = (await sandbox.trust()).sigstoreTrustedRoot
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
  sandbox.setPlatform('sev-snp')
  clock.ahead = 0
})
afterAll(() => sandbox.close())

function ask(query: string): Promise<Response> {
  return fetch(`${sandbox.baseUrl}/.well-known/tinfoil-attestation${query}`)
}

async function fetchDocument(nonce: Buffer = randomBytes(32)): Promise<ReadDocument> {
  const response = await ask(`?nonce=${nonce.toString('hex')}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  return readDocument(await response.text())
}

const errorSchema = z.strictObject({ error: z.strictObject({ message: z.string(), type: z.string() }) })

async function refusal(response: Response): Promise<[number, string]> {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return [response.status, errorSchema.parse(await response.json()).error.type]
}

const bundleSchema = z.object({
  enclaveAttestationReport: z.strictObject({ format: z.string(), body: z.string() }),
})

async function v2Document(): Promise<{ format: string; body: string }> {
  return bundleSchema.parse(await (await fetch(`${sandbox.baseUrl}/private/attestation`)).json())
    .enclaveAttestationReport
}

/** TLS fingerprint and HPKE key, in hex. */
function keysOf(document: ReadDocument): string[] {
  return cryptoMaterialSchema
    .parse(JSON.parse(document.crypto_material.toString('utf8')))
    .items.map(({ data }) => data)
}

test.each(['sev-snp', 'tdx'] as const)(
  'on %s a nonce is answered with a new document, bound to the keys of the v2 evidence',
  async (platform) => {
    sandbox.setPlatform(platform)
    const at = platform === 'tdx' ? 48 + 520 : 0x50
    for (const nonce of [randomBytes(32), randomBytes(32)]) {
      const document = await fetchDocument(nonce)
      const { report_base64: report } = document.cpu_evidence
      expect(document.challenge.nonce).toBe(nonce.toString('hex'))
      expect(report.subarray(at, at + 64)).toEqual(expectedReportData(nonce, document))
      const v2 = gunzipSync(Buffer.from((await v2Document()).body, 'base64'))
      expect(keysOf(document).join('')).toBe(v2.subarray(at, at + 64).toString('hex'))
      const measured: [number, number] = platform === 'tdx' ? [48 + 136, 48 + 520] : [0x90, 0xc0]
      expect(report.subarray(...measured)).toEqual(v2.subarray(...measured))
    }
  },
)

test('a rotation shows in the next document', async () => {
  const before = keysOf(await fetchDocument())
  sandbox.rotateKey()
  expect(keysOf(await fetchDocument())).not.toEqual(before)
})

test('without a nonce, or with an empty one, the answer is the v2 document', async () => {
  for (const platform of ['sev-snp', 'tdx'] as const) {
    sandbox.setPlatform(platform)
    const v2 = await v2Document()
    for (const query of ['', '?nonce=', '?other=1']) {
      const response = await ask(query)
      expect([response.status, response.headers.get('tinfoil-pt')]).toEqual([200, v2.format])
      expect(await response.json()).toEqual(v2)
    }
  }
})

test('a nonce in upper case is answered in lower case', async () => {
  const nonce = 'AB'.repeat(32)
  const document = readDocument(await (await ask(`?nonce=${nonce}`)).text())
  expect(document.challenge.nonce).toBe('ab'.repeat(32))
})

test.each([
  '?nonce=00',
  `?nonce=${'0'.repeat(63)}`,
  `?nonce=${'0'.repeat(66)}`,
  `?nonce=${'g'.repeat(64)}`,
  `?nonce=${'0'.repeat(64)}&nonce=${'1'.repeat(64)}`,
])('%s is no nonce', async (query) => {
  expect(await refusal(await ask(query))).toEqual([400, 'invalid_request_error'])
})

test('Nitro has no document v3', async () => {
  sandbox.setPlatform('nitro')
  expect(await refusal(await ask(`?nonce=${'0'.repeat(64)}`))).toEqual([503, 'server_error'])
  expect(await (await ask('')).json()).toMatchObject({
    format: 'https://tinfoil.sh/predicate/aws-nitro-enclave/v1',
  })
})

test('a service of revision A has no enclave to ask', async () => {
  const other = await startSandbox({ folder: await sandboxFolder(), pace: 'none', revision: 'A' })
  try {
    expect((await fetch(`${other.baseUrl}/.well-known/tinfoil-attestation`)).status).toBe(404)
  } finally {
    await other.close()
  }
})

test('witnesses are logged again after five days, and not before', async () => {
  const loggedAt = async () => {
    const document = await fetchDocument()
    return (['code-freshness', 'platform-freshness'] as const).map(
      (id) => readSignedEntry(document, id, trustedRoot).loggedAt,
    )
  }
  const first = await loggedAt()
  clock.ahead = 5 * day - 60_000
  // A new release in between has its own witness.
  const second = await loggedAt()
  clock.ahead = 5 * day + 60_000
  const third = await loggedAt()
  expect(second.every((at, index) => at === first[index] || at >= (first[index] ?? 0) + 4 * day)).toBe(true)
  expect(third.every((at) => Date.now() + clock.ahead - at < 5 * day)).toBe(true)
  expect(third[1]).toBeGreaterThan(first[1] ?? 0)
})

test('the policy names who must have signed the entries', async () => {
  const policy = nonceBoundPolicySchema.parse(nonceBound(sandbox.baseUrl))
  expect(policy.origin).toBe(sandbox.baseUrl)
  const document = await fetchDocument()
  for (const [id, { repository, workflow, refPrefix, predicateTypes, oidcIssuer }] of [
    ['platform-endorsements', policy.platformEndorsements],
    ['code-freshness', policy.freshnessWitness],
    ['platform-freshness', policy.freshnessWitness],
  ] as const) {
    const { signer, statement } = readSignedEntry(document, id, trustedRoot)
    expect(
      signer.identity?.subjectAlternativeName?.startsWith(
        `https://github.com/${repository}/${workflow}@${refPrefix}`,
      ),
    ).toBe(true)
    expect(signer.identity?.extensions?.issuer).toBe(oidcIssuer)
    expect(predicateTypes).toEqual([statement.predicateType])
  }
  expect(entryOf(document, 'platform-endorsements').data['repo']).toBe(policy.platformEndorsements.repository)
})

/** Lists the faults in an answer to a nonce, without using the verifier. */
async function wrongIn(): Promise<string[]> {
  const nonce = randomBytes(32)
  const response = await ask(`?nonce=${nonce.toString('hex')}`)
  if (response.status !== 200) return [`status ${String(response.status)}`]
  const document = readDocument(await response.text())
  const report = document.cpu_evidence.report_base64
  const v2 = gunzipSync(Buffer.from((await v2Document()).body, 'base64'))
  const { machines } = readSignedEntry(document, 'platform-endorsements', trustedRoot).statement
    .predicate as { machines: Record<string, string> }
  const age = (id: string) => Date.now() - readSignedEntry(document, id, trustedRoot).loggedAt
  const code = readSignedEntry(document, 'code', trustedRoot)
  const checks: Record<string, boolean> = {
    nonce: document.challenge.nonce === nonce.toString('hex'),
    binding: report.subarray(0x50, 0x90).equals(expectedReportData(nonce, document)),
    keys: keysOf(document).join('') === v2.subarray(0x50, 0x90).toString('hex'),
    machine: Object.hasOwn(machines, report.subarray(0x1a0, 0x1e0).toString('hex')),
    'code witness': age('code-freshness') <= 7 * day,
    'platform witness': age('platform-freshness') <= 7 * day,
    debug: (report.readBigUInt64LE(8) & (1n << 19n)) === 0n,
    measurement: code.statement.predicate['snp_measurement'] === report.subarray(0x90, 0xc0).toString('hex'),
    repository:
      code.signer.identity?.subjectAlternativeName?.startsWith('https://github.com/sotto-sandbox/enclave/') ??
      false,
  }
  return Object.entries(checks).flatMap(([name, right]) => (right ? [] : [name]))
}

test.each<[SandboxFault, string[]]>([
  ['v3-other-nonce', ['nonce', 'binding']],
  ['v3-other-key', ['keys']],
  ['v3-stale-witness', ['code witness', 'platform witness']],
  ['v3-machine-unknown', ['machine']],
  ['v3-unavailable', ['status 503']],
  ['debug-guest', ['debug']],
  ['other-measurement', ['measurement']],
  ['wrong-repository', ['repository']],
  ['older-release', []],
])('%s is wrong in %j and in nothing else', async (fault, wrong) => {
  expect(await wrongIn()).toEqual([])
  sandbox.setFault(fault, true)
  expect(await wrongIn()).toEqual(wrong)
  sandbox.setFault(fault, false)
  expect(await wrongIn()).toEqual([])
})
