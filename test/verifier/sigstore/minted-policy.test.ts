import { beforeAll, describe, expect, test } from 'vitest'
import { sigstoreSteps } from '../../../src/verifier/sigstore/index.ts'
import type { CodePolicy } from '../../../src/shared/policy/code.ts'
import type { JsonObject } from '../../../src/verifier/strict-json.ts'
import {
  COMMIT,
  DIGEST,
  mintedPolicy,
  mintSigstore,
  payloadOf,
  PREDICATE,
  REGISTERS,
  REPOSITORY,
  statementOfRelease,
  TAG,
  type MintedSigstore,
  type ReleaseWishes,
} from './minted-release.ts'

let sigstore: MintedSigstore
beforeAll(async () => {
  sigstore = await mintSigstore()
})

interface Conditions {
  policy?: Partial<CodePolicy>
  digest?: string
  later?: number
  trustedRoot?: JsonObject
}

async function verifyRelease(
  wishes: ReleaseWishes = {},
  { policy, digest = DIGEST, later = 0, trustedRoot = sigstore.trustedRoot }: Conditions = {},
) {
  const bundle = await sigstore.release(wishes)
  return sigstoreSteps.verify({
    bundle,
    digest,
    trustedRoot: JSON.stringify(trustedRoot),
    policy: { ...mintedPolicy, ...policy },
    now: Date.now() + later,
  })
}

async function codeOf(...of: Parameters<typeof verifyRelease>) {
  const result = await verifyRelease(...of)
  return result.good ? 'good' : result.failure.code
}

const statement = (members: object) => ({ payload: payloadOf({ ...statementOfRelease, ...members }) })
const predicate = (members: object) =>
  statement({ predicate: { ...statementOfRelease.predicate, ...members } })

describe('a valid release', () => {
  test('names its builder and its commit', async () => {
    const result = await verifyRelease()
    expect(result.good && result.value.release.value).toMatchObject({
      repository: REPOSITORY,
      tag: TAG,
      commit: COMMIT,
      digest: DIGEST,
      predicateType: PREDICATE,
      registers: REGISTERS,
    })
    expect(result.steps.map(({ outcome }) => outcome)).toEqual(result.steps.map(() => 'passed'))
  })

  test('may be timed by a timestamp authority instead of the log', async () => {
    expect(await codeOf({ timestampAuthority: true })).toBe('good')
  })

  test('may state its digest and measurements in capitals', async () => {
    expect(await codeOf({}, { digest: DIGEST.toUpperCase() })).toBe('good')
    const result = await verifyRelease(predicate({ snp_measurement: 'AB'.repeat(48) }))
    expect(result.good && result.value.release.value.registers.snp).toBe('ab'.repeat(48))
  })

  test('may be measured only for SEV-SNP', async () => {
    const result = await verifyRelease(predicate({ tdx_measurement: undefined }))
    expect(result.good && result.value.release.value.registers).toEqual({ snp: REGISTERS.snp })
  })

  test('may name its issuer only in the older form', async () => {
    expect(await codeOf({ extensions: { 8: undefined } })).toBe('good')
  })
})

describe('the signer', () => {
  const workflow = (rest: string) => `https://github.com/${rest}`
  test.each<[string, string, ReleaseWishes]>([
    ['another issuer', 'sigstore/issuer-mismatch', { extensions: { 8: 'https://gitlab.example' } }],
    [
      'another issuer in the newer form beside the right one',
      'sigstore/issuer-mismatch',
      { extensions: { 1: mintedPolicy.oidcIssuer, 8: 'https://gitlab.example' } },
    ],
    ['no issuer', 'sigstore/issuer-mismatch', { extensions: { 1: undefined, 8: undefined } }],
    [
      'an issuer that begins alike',
      'sigstore/issuer-mismatch',
      { extensions: { 8: `${mintedPolicy.oidcIssuer}.evil` } },
    ],
    ['another repository', 'sigstore/repository-mismatch', { extensions: { 5: 'sotto-test/router-2' } }],
    ['no repository', 'sigstore/repository-mismatch', { extensions: { 5: undefined } }],
    [
      'the repository in other letters',
      'sigstore/repository-mismatch',
      { extensions: { 5: 'Sotto-Test/router' } },
    ],
    [
      'a workflow of another repository',
      'sigstore/repository-mismatch',
      { subject: workflow(`evil/router/.github/workflows/build.yml@refs/tags/${TAG}`) },
    ],
    [
      'a subject that only ends alike',
      'sigstore/repository-mismatch',
      { subject: `https://evil.example/${REPOSITORY}/.github/workflows/build.yml@refs/tags/${TAG}` },
    ],
    [
      'a workflow outside the workflows folder',
      'sigstore/repository-mismatch',
      { subject: workflow(`${REPOSITORY}/.github/workflows/a/b.yml@refs/tags/${TAG}`) },
    ],
    [
      'the source of another repository',
      'sigstore/repository-mismatch',
      { extensions: { 12: 'https://github.com/sotto-test/fork' } },
    ],
    ['no source', 'sigstore/repository-mismatch', { extensions: { 12: undefined } }],
    ['a branch', 'sigstore/ref-mismatch', { extensions: { 6: 'refs/heads/main' } }],
    [
      'a branch named like a tag',
      'sigstore/ref-mismatch',
      { extensions: { 6: 'refs/heads/refs/tags/v1.2.3' } },
    ],
    ['no ref', 'sigstore/ref-mismatch', { extensions: { 6: undefined } }],
    [
      'a subject of another ref',
      'sigstore/ref-mismatch',
      { subject: workflow(`${REPOSITORY}/.github/workflows/build.yml@refs/heads/main`) },
    ],
    [
      'a subject of two refs',
      'sigstore/ref-mismatch',
      { subject: workflow(`${REPOSITORY}/.github/workflows/build.yml@refs/heads/main@refs/tags/${TAG}`) },
    ],
    [
      'a ref that holds another',
      'sigstore/ref-mismatch',
      {
        extensions: { 6: `refs/tags/x@refs/tags/${TAG}` },
        subject: workflow(`${REPOSITORY}/.github/workflows/build.yml@refs/tags/x@refs/tags/${TAG}`),
      },
    ],
    [
      'a subject without a ref',
      'sigstore/repository-mismatch',
      { subject: workflow(`${REPOSITORY}/.github/workflows/build.yml`) },
    ],
    ['the source of another ref', 'sigstore/ref-mismatch', { extensions: { 14: 'refs/heads/main' } }],
    ['no source ref', 'sigstore/ref-mismatch', { extensions: { 14: undefined } }],
    ['a runner of their own', 'sigstore/runner-mismatch', { extensions: { 11: 'self-hosted' } }],
    ['no runner', 'sigstore/runner-mismatch', { extensions: { 11: undefined } }],
    ['no commit', 'sigstore/commit-missing', { extensions: { 13: undefined } }],
    ['a shortened commit', 'sigstore/commit-missing', { extensions: { 13: COMMIT.slice(0, 12) } }],
  ])('is refused with %s: %s', async (_what, code, wishes) => {
    expect(await codeOf(wishes)).toBe(code)
  })

  test('must match the policy, not only the release', async () => {
    expect(await codeOf({}, { policy: { repository: 'sotto-test/rout.r' } })).toBe(
      'sigstore/repository-mismatch',
    )
    expect(await codeOf({}, { policy: { refPrefix: 'refs/heads/' } })).toBe('sigstore/ref-mismatch')
    expect(await codeOf({}, { policy: { runnerEnvironment: 'self-hosted' } })).toBe(
      'sigstore/runner-mismatch',
    )
  })
})

describe('the signed statement', () => {
  const [subject] = statementOfRelease.subject
  const other = { name: 'other.json', digest: { sha256: 'cd'.repeat(32) } }
  test.each<[string, string, ReleaseWishes]>([
    ['another payload type', 'sigstore/payload-type', { payloadType: 'application/json' }],
    ['no JSON', 'sigstore/statement-malformed', { payload: Buffer.from('release') }],
    ['no UTF-8', 'sigstore/statement-malformed', { payload: Buffer.from([0x22, 0xff, 0x22]) }],
    [
      'a member twice',
      'sigstore/statement-malformed',
      { payload: Buffer.from(payloadOf(statementOfRelease).toString().replace('{', '{"_type":"x",')) },
    ],
    ['an unknown member', 'sigstore/statement-malformed', statement({ more: 1 })],
    [
      'an older statement',
      'sigstore/statement-type',
      statement({ _type: 'https://in-toto.io/Statement/v0.1' }),
    ],
    ['another predicate', 'sigstore/predicate-type', statement({ predicateType: `${PREDICATE}/` })],
    ['an empty list of subjects', 'sigstore/subject-missing', statement({ subject: [] })],
    ['no list of subjects', 'sigstore/subject-missing', statement({ subject: undefined })],
    ['another subject', 'sigstore/subject-digest-mismatch', statement({ subject: [other] })],
    [
      'the right subject in second place',
      'sigstore/subject-digest-mismatch',
      statement({ subject: [other, subject] }),
    ],
    [
      'a subject without SHA-256',
      'sigstore/subject-digest-mismatch',
      statement({ subject: [{ name: 'release.json', digest: { sha512: DIGEST } }] }),
    ],
    ['no predicate', 'sigstore/predicate-member-missing', statement({ predicate: undefined })],
    ['a predicate that is a text', 'sigstore/predicate-member-missing', statement({ predicate: 'measured' })],
    ['no measurement', 'sigstore/predicate-member-missing', predicate({ snp_measurement: undefined })],
    [
      'a short measurement',
      'sigstore/predicate-member-missing',
      predicate({ snp_measurement: 'ab'.repeat(32) }),
    ],
    [
      'half a TDX measurement',
      'sigstore/predicate-member-missing',
      predicate({ tdx_measurement: { rtmr1: REGISTERS.rtmr1 } }),
    ],
  ])('is refused with %s: %s', async (_what, code, wishes) => {
    expect(await codeOf(wishes)).toBe(code)
  })

  test('is refused with an allowed predicate type that has no measurements', async () => {
    const slsa = 'https://slsa.dev/provenance/v1'
    expect(await codeOf(statement({ predicateType: slsa }), { policy: { predicateTypes: [slsa] } })).toBe(
      'sigstore/predicate-type',
    )
  })

  test('is refused with a signature by another key', async () => {
    expect(await codeOf({ otherKey: true })).toBe('sigstore/signature-invalid')
  })
})

describe('the time of a release', () => {
  test('may be five minutes ahead in the log, and no more', async () => {
    expect(await codeOf({}, { later: -4 * 60_000 })).toBe('good')
    expect(await codeOf({}, { later: -6 * 60_000 })).toBe('sigstore/log-entry-in-future')
    expect(await codeOf({ timestampAuthority: true }, { later: -6 * 60_000 })).toBe(
      'sigstore/log-entry-in-future',
    )
  })

  test('may be any time in the past', async () => {
    expect(await codeOf({}, { later: 400 * 86_400_000 })).toBe('good')
  })
})

describe('the trusted root', () => {
  test.each([
    ['certificateAuthorities', 'sigstore/certificate-chain-invalid'],
    ['ctlogs', 'sigstore/sct-invalid'],
    ['tlogs', 'sigstore/log-key-untrusted'],
  ])('refuses a release without %s: %s', async (member, code) => {
    expect(await codeOf({}, { trustedRoot: { ...sigstore.trustedRoot, [member]: [] } })).toBe(code)
  })

  test('refuses a timestamp without timestamp authorities', async () => {
    expect(
      await codeOf(
        { timestampAuthority: true },
        { trustedRoot: { ...sigstore.trustedRoot, timestampAuthorities: [] } },
      ),
    ).toBe('sigstore/timestamp-invalid')
  })

  test('refuses a release of another Sigstore with the same names', async () => {
    const { trustedRoot } = await mintSigstore()
    expect(await codeOf({}, { trustedRoot })).toBe('sigstore/certificate-chain-invalid')
  })
})
