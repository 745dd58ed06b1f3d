import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { verifyReleaseFile } from '../../../src/verifier/sigstore/index.ts'
import { provenance } from '../../../src/sandbox/world/provenance.ts'
import { Rekor } from '../../../src/sandbox/world/rekor.ts'
import { fulcioRoots, trustedRootJson } from '../../../src/sandbox/world/sigstore-roots.ts'
import { SLSA_PROVENANCE, type ReleaseIdentity } from '../../../src/shared/release-identity.ts'
import { parseStrictJson, type JsonObject } from '../../../src/verifier/strict-json.ts'
import {
  COMMIT,
  DIGEST,
  mintSigstore,
  payloadOf,
  REPOSITORY,
  TAG,
  type MintedSigstore,
  type ReleaseWishes,
} from './minted-release.ts'
import { legible } from '../../../src/verifier/text.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'

const identity: ReleaseIdentity = {
  repository: REPOSITORY,
  workflow: '.github/workflows/release.yml',
  oidcIssuer: 'https://token.actions.githubusercontent.com',
  refPrefix: 'refs/tags/v',
  runnerEnvironment: 'github-hosted',
  predicateTypes: [SLSA_PROVENANCE],
}
const OTHER_FILE = createHash('sha256').update('another file of the release').digest('hex')
const run = (workflow = 'release.yml', ref = `refs/tags/${TAG}`, repository = REPOSITORY) =>
  `https://github.com/${repository}/.github/workflows/${workflow}@${ref}`

/** As GitHub attests a release of several files. */
const statement = (changed: object = {}) =>
  payloadOf({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'sotto.AppImage', digest: { sha256: OTHER_FILE } },
      { name: 'sotto.tar.gz', digest: { sha256: DIGEST } },
    ],
    predicateType: SLSA_PROVENANCE,
    predicate: {
      buildDefinition: { buildType: 'https://actions.github.io/buildtypes/workflow/v1' },
      runDetails: {},
    },
    ...changed,
  })

let sigstore: MintedSigstore
beforeAll(async () => {
  sigstore = await mintSigstore()
})

async function mint({ extensions, ...wishes }: ReleaseWishes = {}): Promise<JsonObject> {
  const subject = wishes.subject ?? run()
  return sigstore.release({
    payload: statement(),
    ...wishes,
    subject,
    extensions: { 9: subject, ...extensions },
  })
}

function verifyFile(
  bundle: JsonObject,
  { digest = DIGEST, later = 0, policy = identity, trustedRoot = sigstore.trustedRoot } = {},
) {
  return verifyReleaseFile({
    bundle,
    digest,
    trustedRoot: JSON.stringify(trustedRoot),
    policy,
    now: Date.now() + later,
  })
}

function codeOf(result: ReturnType<typeof verifyFile>): string {
  if (result.good) return 'good'
  const failed = result.steps.findIndex(({ outcome }) => outcome === 'failed')
  expect(result.steps[failed]).toMatchObject({ id: result.failure.step, code: result.failure.code })
  expect(result.steps.slice(failed + 1).every(({ outcome }) => outcome === 'not-reached')).toBe(true)
  return result.failure.code
}

describe('a file of a release', () => {
  test('is verified by its digest, in any position of the statement', async () => {
    const bundle = await mint()
    for (const digest of [DIGEST, OTHER_FILE, DIGEST.toUpperCase()]) {
      const result = verifyFile(bundle, { digest })
      expect(result).toMatchObject({
        good: true,
        provenance: { repository: REPOSITORY, tag: TAG, commit: COMMIT },
      })
      expect(result.steps.map(({ outcome }) => outcome)).toEqual(result.steps.map(() => 'passed'))
      expect(result.steps.at(-1)).toMatchObject({ id: 'sigstore/workflow', observed: legible(run()) })
    }
  })
  test.each<[string, ReleaseWishes]>([
    ['an authority', { timestampAuthority: true }],
    ['an authority, in the newer log', { rekor2: 'dsse' }],
  ])('may be timed by %s', async (_by, wishes) => {
    expect(codeOf(verifyFile(await mint(wishes)))).toBe('good')
  })
  test('stays valid for years, because its certificate was valid when it was logged', async () => {
    expect(codeOf(verifyFile(await mint(), { later: 3 * 365 * 24 * 3600_000 }))).toBe('good')
  })
})

describe('an invalid file', () => {
  test.each<[string, string, ReleaseWishes]>([
    [
      'another repository',
      'sigstore/repository-mismatch',
      {
        subject: run('release.yml', `refs/tags/${TAG}`, 'evil/router'),
        extensions: { 5: 'evil/router', 12: 'https://github.com/evil/router' },
      },
    ],
    [
      'another repository that calls our workflow',
      'sigstore/repository-mismatch',
      { extensions: { 5: 'evil/router', 12: 'https://github.com/evil/router' } },
    ],
    ['another workflow of ours', 'sigstore/workflow-mismatch', { subject: run('test.yml') }],
    [
      'a workflow that another one lent its certificate',
      'sigstore/workflow-mismatch',
      { extensions: { 9: run('test.yml') } },
    ],
    ['a certificate that names no signer', 'sigstore/workflow-mismatch', { extensions: { 9: undefined } }],
    [
      'a branch',
      'sigstore/ref-mismatch',
      {
        subject: run('release.yml', 'refs/heads/main'),
        extensions: { 6: 'refs/heads/main', 14: 'refs/heads/main' },
      },
    ],
    [
      'a tag that is no version',
      'sigstore/ref-mismatch',
      {
        subject: run('release.yml', 'refs/tags/nightly'),
        extensions: { 6: 'refs/tags/nightly', 14: 'refs/tags/nightly' },
      },
    ],
    ['another issuer', 'sigstore/issuer-mismatch', { extensions: { 8: 'https://gitlab.example' } }],
    ['a machine of their own', 'sigstore/runner-mismatch', { extensions: { 11: 'self-hosted' } }],
    ['a certificate that names no commit', 'sigstore/commit-missing', { extensions: { 13: undefined } }],
    ['a statement that another key signed', 'sigstore/signature-invalid', { otherKey: true }],
    ['another payload', 'sigstore/payload-type', { payloadType: 'application/json' }],
    [
      'a list of parts instead of provenance',
      'sigstore/predicate-type',
      { payload: statement({ predicateType: 'https://spdx.dev/Document/v2.3' }) },
    ],
    [
      'a statement of another kind',
      'sigstore/statement-type',
      { payload: statement({ _type: 'https://in-toto.io/Statement/v0.1' }) },
    ],
    ['a statement about nothing', 'sigstore/subject-missing', { payload: statement({ subject: [] }) }],
    [
      'a statement about more files than anybody releases',
      'sigstore/subject-missing',
      {
        payload: statement({
          subject: Array.from({ length: 1025 }, () => ({ name: 'x', digest: { sha256: DIGEST } })),
        }),
      },
    ],
    [
      'a digest under another name',
      'sigstore/subject-digest-mismatch',
      { payload: statement({ subject: [{ name: 'sotto', digest: { sha512: DIGEST } }] }) },
    ],
  ])('is refused: %s', async (_what, code, wishes) => {
    expect(codeOf(verifyFile(await mint(wishes)))).toBe(code)
  })
  test('is refused: another file, even if one digit of the digest differs', async () => {
    const other = `${DIGEST.slice(0, -1)}${DIGEST.endsWith('a') ? 'b' : 'a'}`
    expect(codeOf(verifyFile(await mint(), { digest: other }))).toBe('sigstore/subject-digest-mismatch')
  })
  test('is refused: a statement altered after it was signed', async () => {
    const bundle = await mint()
    const altered = {
      ...bundle,
      dsseEnvelope: {
        ...(bundle['dsseEnvelope'] as JsonObject),
        payload: statement({ subject: [{ name: 'evil', digest: { sha256: 'ee'.repeat(32) } }] }).toString(
          'base64',
        ),
      },
    }
    expect(codeOf(verifyFile(altered, { digest: 'ee'.repeat(32) }))).toBe('sigstore/signature-invalid')
  })
  test('is refused: one of an authority that had expired before', async () => {
    const validFor = { start: '2020-01-01T00:00:00Z', end: '2021-01-01T00:00:00Z' }
    const authorities = z
      .array(z.record(z.string(), z.json()))
      .parse(sigstore.trustedRoot['certificateAuthorities'])
    const trustedRoot = {
      ...sigstore.trustedRoot,
      certificateAuthorities: authorities.map((authority) => ({ ...authority, validFor })),
    }
    expect(codeOf(verifyFile(await mint(), { trustedRoot }))).toBe('sigstore/certificate-chain-invalid')
  })
  test('is refused: one that is logged in the future', async () => {
    expect(codeOf(verifyFile(await mint(), { later: -3600_000 }))).toBe('sigstore/log-entry-in-future')
  })
  test('is refused: one of another Sigstore', async () => {
    const other = await mintSigstore()
    expect(codeOf(verifyFile(await mint(), { trustedRoot: other.trustedRoot }))).toBe(
      'sigstore/certificate-chain-invalid',
    )
  })
})

/** Logs what it is given an hour late: by then the signer's certificate of ten minutes has expired. */
class LateRekor extends Rekor {
  override append(body: Buffer, at: number) {
    return super.append(body, at + 3600_000)
  }
}

describe('a file of the sandbox’s Sigstore, which is a separate implementation', () => {
  const pair = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
  const [root, intermediate, certificateLog, log] = [
    pair('P-384'),
    pair('P-384'),
    pair('P-256'),
    pair('P-256'),
  ]
  const roots = fulcioRoots(root, intermediate)
  const trustedRoot = trustedRootJson({
    fulcioRoot: roots.root,
    fulcioIntermediate: roots.intermediate,
    ctLogPublicKey: certificateLog.publicKey,
    rekorPublicKey: log.publicKey,
  })
  const keys = {
    intermediatePublicKey: intermediate.publicKey,
    intermediatePrivateKey: intermediate.privateKey,
    ctLogPublicKey: certificateLog.publicKey,
    ctLogPrivateKey: certificateLog.privateKey,
  }
  const loggedAt = Date.UTC(2026, 0, 1)
  const policy = { ...identity, workflow: '.github/workflows/build.yml' }
  const verifySandbox = (rekor: Rekor, { later = 86_400_000, of = policy } = {}) =>
    verifyReleaseFile({
      bundle: parseStrictJson(
        JSON.stringify(
          provenance(
            { repository: REPOSITORY, tag: TAG, commit: COMMIT, loggedAt, statement: statement() },
            keys,
            rekor,
          ),
        ),
      ),
      digest: DIGEST,
      trustedRoot,
      policy: of,
      now: loggedAt + later,
    })

  test('is verified, too', () => {
    expect(verifySandbox(new Rekor(log.publicKey, log.privateKey))).toMatchObject({
      good: true,
      provenance: { tag: TAG, commit: COMMIT, logTime: loggedAt + 1000 },
    })
  })
  test('is refused: one that was logged after its signer’s certificate had expired', () => {
    expect(codeOf(verifySandbox(new LateRekor(log.publicKey, log.privateKey)))).toBe(
      'sigstore/certificate-not-valid-then',
    )
  })
  test('is refused: one of another log', () => {
    const other = pair('P-256')
    expect(codeOf(verifySandbox(new Rekor(other.publicKey, other.privateKey)))).toBe(
      'sigstore/log-key-untrusted',
    )
  })
  test('is refused: one of the workflow that only builds', () => {
    expect(codeOf(verifySandbox(new Rekor(log.publicKey, log.privateKey), { of: identity }))).toBe(
      'sigstore/workflow-mismatch',
    )
  })
})

const evidence = join(import.meta.dirname, '../../../../shared/evidence/bundle/genoa-router-bundle.json')
if (!existsSync(evidence))
  console.log('Skipped: the real release bundle is not beside this repository (../shared/evidence/bundle).')

describe.skipIf(!existsSync(evidence))(
  'a real file of another project, with its repository’s identity',
  () => {
    const trustedRoot = readFileSync(
      join(import.meta.dirname, '../../../resources/trust/sigstore-trusted-root.json'),
      'utf8',
    )
    const { digest, sigstoreBundle: bundle } = existsSync(evidence)
      ? z
          .object({ digest: z.string(), sigstoreBundle: z.record(z.string(), z.json()) })
          .parse(JSON.parse(readFileSync(evidence, 'utf8')))
      : { digest: '', sigstoreBundle: {} }
    const theirs = {
      ...identity,
      repository: 'tinfoilsh/confidential-model-router',
      predicateTypes: ['https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'],
    }
    const verifyReal = (policy: ReleaseIdentity, of = digest) =>
      verifyReleaseFile({ bundle, digest: of, trustedRoot, policy, now: Date.parse('2026-02-01') })

    test('is accepted only for the workflow that built it', () => {
      const refused = verifyReal(theirs)
      const workflow = renderEnglish(
        refused.steps.find(({ id }) => id === 'sigstore/workflow')?.observed ?? [],
      )
      expect(codeOf(refused)).toBe('sigstore/workflow-mismatch')
      expect(workflow).toMatch(
        /^https:\/\/github\.com\/tinfoilsh\/confidential-model-router\/\.github\/workflows\/[\w-]+\.ya?ml@refs\/tags\/v/,
      )
      const its = workflow.slice(
        'https://github.com/tinfoilsh/confidential-model-router/'.length,
        workflow.indexOf('@'),
      )
      expect(verifyReal({ ...theirs, workflow: its })).toMatchObject({
        good: true,
        provenance: { repository: theirs.repository },
      })
    })
    test('is refused as one of Sotto’s files, and for any other digest', () => {
      expect(codeOf(verifyReal(identity))).toBe('sigstore/repository-mismatch')
      expect(codeOf(verifyReal(theirs, 'ab'.repeat(32)))).toBe('sigstore/subject-digest-mismatch')
    })
  },
)
