import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  verifyImageProvenance,
  type ImageProvenanceInput,
} from '../../../src/verifier/service-enclave/index.ts'
import type { ServiceEnclavePolicy } from '../../../src/shared/policy/service-enclave.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import type { JsonObject } from '../../../src/verifier/strict-json.ts'
import {
  COMMIT,
  mintSigstore,
  payloadOf,
  REPOSITORY,
  type MintedSigstore,
  type ReleaseWishes,
} from '../sigstore/minted-release.ts'
import { OTHER_PCR0, pcr0 } from './minted-answer.ts'

const SLSA = 'https://slsa.dev/provenance/v1'
const MAIN = 'refs/heads/main'
const policy: ServiceEnclavePolicy['provenance'] = {
  repository: REPOSITORY,
  oidcIssuer: 'https://token.actions.githubusercontent.com',
  refPrefix: MAIN,
  runnerEnvironment: 'github-hosted',
  predicateTypes: [SLSA],
  workflow: '.github/workflows/enclave-build.yml',
}
const run = (ref = MAIN, workflow = 'enclave-build.yml', repository = REPOSITORY) =>
  `https://github.com/${repository}/.github/workflows/${workflow}@${ref}`

const fileOf = (changes: object = {}) =>
  Buffer.from(
    JSON.stringify(
      {
        node_base: 'sha256:1',
        go_base: 'sha256:2',
        al2_base: 'sha256:3',
        debian_snapshot: '20260101',
        PCR0: pcr0,
        PCR1: OTHER_PCR0,
        PCR2: OTHER_PCR0,
        ...changes,
      },
      null,
      2,
    ),
  )
const digestOf = (file: Uint8Array) => createHash('sha256').update(file).digest('hex')
const statement = (file: Uint8Array, changes: object = {}) =>
  payloadOf({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'PCR.json', digest: { sha256: digestOf(file) } }],
    predicateType: SLSA,
    predicate: { buildDefinition: {} },
    ...changes,
  })

let sigstore: MintedSigstore
let genuine: JsonObject
const file = fileOf()
beforeAll(async () => {
  sigstore = await mintSigstore()
  genuine = await mint()
})

function mint({ extensions, ...wishes }: ReleaseWishes = {}, about: Uint8Array = file): Promise<JsonObject> {
  const subject = wishes.subject ?? run()
  return sigstore.release({
    payload: statement(about),
    ...wishes,
    subject,
    extensions: { 6: MAIN, 14: MAIN, 9: subject, ...extensions },
  })
}

function verify(bundle: unknown, changes: Partial<ImageProvenanceInput> = {}) {
  const trust = {
    name: 'sandbox',
    amd: {},
    sigstoreTrustedRoot: JSON.stringify(sigstore.trustedRoot),
  } as const
  return verifyImageProvenance({ file, bundle, trust, policy, now: Date.now() + 1000, ...changes })
}

function codeOf(bundle: unknown, changes: Partial<ImageProvenanceInput> = {}): string {
  const result = verify(bundle, changes)
  return result.good ? 'good' : result.failure.code
}

describe('the provenance of an image', () => {
  it('names the image, the commit, and when it was logged', () => {
    const result = verify(genuine)
    expect(result).toMatchObject({ good: true, image: { pcr0, commit: COMMIT } })
    if (result.good) expect(Math.abs(result.image.loggedAt - Date.now())).toBeLessThan(60_000)
  })

  it('is of exactly this file', () => {
    expect(codeOf(genuine, { file: fileOf({ PCR0: OTHER_PCR0 }) })).toBe('sigstore/subject-digest-mismatch')
    expect(codeOf(genuine, { file: Buffer.concat([file, Buffer.from('\n')]) })).toBe(
      'sigstore/subject-digest-mismatch',
    )
  })

  it('is of this workflow of this repository, on exactly this branch', async () => {
    const on = (ref: string) => ({ subject: run(ref), extensions: { 6: ref, 14: ref } })
    for (const [code, wishes] of [
      ['sigstore/ref-mismatch', on('refs/heads/main-2')],
      ['sigstore/ref-mismatch', on('refs/heads/main/x')],
      ['sigstore/ref-mismatch', on('refs/heads/other')],
      ['sigstore/ref-mismatch', on('refs/tags/v1')],
      ['sigstore/workflow-mismatch', { subject: run(MAIN, 'other.yml') }],
      ['sigstore/workflow-mismatch', { extensions: { 9: run(MAIN, 'other.yml') } }],
      ['sigstore/repository-mismatch', { subject: run(MAIN, 'enclave-build.yml', 'other/repository') }],
      ['sigstore/repository-mismatch', { extensions: { 5: 'other/repository' } }],
      ['sigstore/repository-mismatch', { extensions: { 12: 'https://github.com/other/repository' } }],
      ['sigstore/runner-mismatch', { extensions: { 11: 'self-hosted' } }],
      [
        'sigstore/issuer-mismatch',
        { extensions: { 8: 'https://issuer.example', 1: 'https://issuer.example' } },
      ],
      ['sigstore/commit-missing', { extensions: { 13: undefined } }],
      ['sigstore/signature-invalid', { otherKey: true }],
      [
        'sigstore/predicate-type',
        { payload: statement(file, { predicateType: 'https://example.com/other' }) },
      ],
      ['sigstore/subject-missing', { payload: statement(file, { subject: [] }) }],
      [
        'sigstore/subject-digest-mismatch',
        {
          payload: statement(file, {
            subject: [
              { name: 'other', digest: { sha256: digestOf(Buffer.from('other')) } },
              { name: 'PCR.json', digest: { sha256: digestOf(file) } },
            ],
          }),
        },
      ],
    ] as const)
      expect([code, codeOf(await mint(wishes))]).toEqual([code, code])
  })

  it('is of a trusted log, and of the past', async () => {
    const other = await mintSigstore()
    expect(
      codeOf(genuine, {
        trust: { name: 'sandbox', amd: {}, sigstoreTrustedRoot: JSON.stringify(other.trustedRoot) },
      }),
    ).toMatch(/^sigstore\//)
    expect(codeOf(genuine, { trust: { name: 'sandbox', amd: {}, sigstoreTrustedRoot: '' } })).toBe(
      'sigstore/trust-root-invalid',
    )
    expect(codeOf(genuine, { now: Date.now() - 3600_000 })).toBe('sigstore/log-entry-in-future')
  })

  it('is a bundle: anything else is refused', () => {
    const cycle: Record<string, unknown> = {}
    cycle['cycle'] = cycle
    for (const bundle of [
      undefined,
      null,
      7,
      'text',
      [],
      {},
      cycle,
      () => 1,
      1n,
      { ...genuine, x: 'x'.repeat(1024 * 1024) },
    ])
      expect(codeOf(bundle)).toBe('sigstore/bundle-malformed')
  })
})

describe('the signed file', () => {
  it.each<[string, Buffer]>([
    ['no JSON', Buffer.from('PCR0')],
    ['no object', Buffer.from('[]')],
    ['PCR0 twice', Buffer.from(`{"PCR0":"${pcr0}","PCR0":"${pcr0}"}`)],
    ['no PCR0', fileOf({ PCR0: undefined })],
    ['PCR0 in upper case', fileOf({ PCR0: pcr0.toUpperCase() })],
    ['PCR0 of 47 bytes', fileOf({ PCR0: pcr0.slice(2) })],
    ['PCR0 of zeros', fileOf({ PCR0: '0'.repeat(96) })],
    ['PCR0 that isn’t text', fileOf({ PCR0: 7 })],
    [
      'over 16 KiB',
      Buffer.from(
        fileOf()
          .toString()
          .padEnd(16 * 1024 + 1),
      ),
    ],
  ])('is refused with %s', async (_, bad) => {
    const result = verify(await mint({}, bad), { file: bad })
    expect(result).toMatchObject({ good: false, failure: { code: 'service-enclave/build-record-malformed' } })
    if (!result.good) expect(renderEnglish(result.failure.observed)).not.toBe('')
  })

  it('may have 16 KiB, and members that nobody reads', async () => {
    const filled = Buffer.from(
      fileOf({ more: 1 })
        .toString()
        .padEnd(16 * 1024),
    )
    expect(codeOf(await mint({}, filled), { file: filled })).toBe('good')
  })
})
