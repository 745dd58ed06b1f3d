import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Sandbox } from '../../../src/sandbox/index.ts'
import { unpublishedImage } from '../../../src/sandbox/world/service-enclave/image-record.ts'
import { mintServiceEnclaveProvenance } from '../../../src/sandbox/world/service-enclave/provenance.ts'
import { verifySigstore } from '../evidence.ts'
import { startTestSandbox } from '../cached-roots.ts'
import { createTestWorld } from '../v3/test-world.ts'
import { fetchEvidence, readDocument } from './enclave-client.ts'

let sandbox: Sandbox
let trustedRoot: string
beforeAll(async () => {
  sandbox = await startTestSandbox({ ledger: 'memory', serviceEnclave: true })
  trustedRoot = (await sandbox.trust()).sigstoreTrustedRoot
})
afterAll(() => sandbox.close())

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const register = z.string().regex(/^[0-9a-f]{96}$/)
const fileSchema = z.strictObject({
  node_base: hash,
  go_base: hash,
  al2_base: hash,
  debian_snapshot: z.string(),
  PCR0: register,
  PCR1: register,
  PCR2: register,
})
const statementSchema = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.tuple([
    z.strictObject({ name: z.literal('PCR.json'), digest: z.strictObject({ sha256: z.string() }) }),
  ]),
  predicateType: z.literal('https://slsa.dev/provenance/v1'),
  predicate: z.object({
    buildDefinition: z.object({
      resolvedDependencies: z.tuple([
        z.object({ digest: z.object({ gitCommit: z.string().regex(/^[0-9a-f]{40}$/) }) }),
      ]),
    }),
  }),
})
const bundleSchema = z.object({
  dsseEnvelope: z.object({
    payload: z
      .base64()
      .transform((text): unknown => JSON.parse(Buffer.from(text, 'base64').toString('utf8'))),
  }),
})

function read({ file, bundle }: Awaited<ReturnType<Sandbox['serviceEnclaveProvenance']>>, root: string) {
  return {
    registers: fileSchema.parse(JSON.parse(Buffer.from(file).toString('utf8'))),
    statement: statementSchema.parse(bundleSchema.parse(bundle).dsseEnvelope.payload),
    signer: verifySigstore(root, JSON.parse(JSON.stringify(bundle))),
    digest: createHash('sha256').update(file).digest('hex'),
  }
}

test('the statement is signed by the workflow of the main branch, and about the bytes of the file', async () => {
  const { signer, statement, digest } = read(await sandbox.serviceEnclaveProvenance(), trustedRoot)
  expect(statement.subject[0].digest.sha256).toBe(digest)
  const policy = sandbox.profile.serviceEnclave?.provenance
  expect(policy).toMatchObject({
    repository: 'sotto-sandbox/service-enclave',
    workflow: '.github/workflows/enclave-build.yml',
    refPrefix: 'refs/heads/main',
    predicateTypes: [statement.predicateType],
  })
  expect(signer.identity?.subjectAlternativeName).toBe(
    'https://github.com/sotto-sandbox/service-enclave/.github/workflows/enclave-build.yml@refs/heads/main',
  )
  expect(signer.identity?.extensions?.issuer).toBe(policy?.oidcIssuer)
})

test('the file names the registers that the enclave proves, from the commit that the record names', async () => {
  const { registers, statement } = read(await sandbox.serviceEnclaveProvenance(), trustedRoot)
  const { pcrs } = readDocument(await fetchEvidence(sandbox))
  expect([registers.PCR0, registers.PCR1, registers.PCR2]).toEqual(
    [0, 1, 2].map((index) => pcrs.get(index)?.toString('hex')),
  )
  const record = (await (await fetch(`${sandbox.baseUrl}/service-enclave/published-pcr.json`)).json()) as {
    current: { source_commit: string }
  }
  expect(
    statement.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit.startsWith(
      record.current.source_commit,
    ),
  ).toBe(true)
})

test('a test can change what is signed, and for which image', async () => {
  const { roots } = await createTestWorld()
  const now = Date.UTC(2026, 10, 18, 12)
  const other = mintServiceEnclaveProvenance(
    { roots, now, image: unpublishedImage },
    { run: { repository: 'somebody-else/enclave' } },
  )
  const { signer, registers } = read(other, roots.trust.sigstoreTrustedRoot)
  expect(signer.identity?.subjectAlternativeName).toContain('https://github.com/somebody-else/enclave/')
  expect(registers.PCR0).toBe(unpublishedImage.pcr0.toString('hex'))
  expect(
    other.bundle.verificationMaterial.tlogEntries.map(({ integratedTime }) => Number(integratedTime) * 1000),
  ).toEqual([Date.UTC(2026, 10, 18)])
})
