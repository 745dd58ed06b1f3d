import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyRelease, type VerifyReleaseOptions } from '../../src/cli/verify-release.ts'
import { checkReleaseFile, releaseIdentity } from '../../src/host/release-file.ts'
import { verifyReleaseFile } from '../../src/core/core.ts'
import { releaseIdentityOf } from '../../src/shared/release-identity.ts'
import { mintSigstore, payloadOf, type MintedSigstore } from '../verifier/sigstore/minted-release.ts'
import { answerOf } from '../process/command-json.ts'

// The command takes neither roots nor an identity, so the test replaces the host's functions around the real
// verification.
vi.mock(import('../../src/host/release-file.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    releaseIdentity: vi.fn(real.releaseIdentity),
    checkReleaseFile: vi.fn(real.checkReleaseFile),
  }
})

const REPOSITORY = 'sotto-test/sotto'
const ours = releaseIdentityOf({
  repository: { type: 'git', url: `git+https://github.com/${REPOSITORY}.git` },
})!
const CONTENT = 'the program'
const digest = createHash('sha256').update(CONTENT).digest('hex')

let folder: string
let sigstore: MintedSigstore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-verify-release-'))
  sigstore = await mintSigstore()
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  vi.mocked(releaseIdentity).mockReturnValue(ours)
  vi.mocked(checkReleaseFile).mockImplementation((of, bundle, policy) =>
    Promise.resolve(
      verifyReleaseFile({
        bundle,
        digest: of,
        trustedRoot: JSON.stringify(sigstore.trustedRoot),
        policy,
        now: Date.now(),
      }),
    ),
  )
})

async function attest(files: Readonly<Record<string, string>>, repository = REPOSITORY): Promise<string> {
  const subject = `https://github.com/${repository}/.github/workflows/release.yml@refs/tags/v1.2.3`
  return JSON.stringify(
    await sigstore.release({
      subject,
      extensions: { 5: repository, 9: subject, 12: `https://github.com/${repository}` },
      payload: payloadOf({
        _type: 'https://in-toto.io/Statement/v1',
        predicateType: 'https://slsa.dev/provenance/v1',
        predicate: {},
        subject: Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } })),
      }),
    }),
  )
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

async function run(path: string, options: Partial<VerifyReleaseOptions> = {}) {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text)
      return true
    }),
  )
  try {
    return { code: await verifyRelease(path, { json: true, ...options }), ...printed }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

async function outcome(path: string, options: Partial<VerifyReleaseOptions> = {}) {
  const { code, stdout } = await run(path, options)
  const answer = answerOf(stdout) as {
    good?: boolean
    sha256?: string
    provenance?: { tag: string }
    failure?: { code: string }
    error?: { code: string }
  }
  return {
    exit: code,
    good: answer.good,
    tag: answer.provenance?.tag,
    why: answer.failure?.code ?? answer.error?.code,
  }
}

describe('a downloaded release', () => {
  it('is verified by the attestation file next to it', async () => {
    const path = await file('beside.tgz', CONTENT)
    await file('beside.tgz.sigstore.json', await attest({ 'beside.tgz': digest }))
    expect(await outcome(path)).toEqual({ exit: 0, good: true, tag: 'v1.2.3', why: undefined })
    const { stdout } = await run(path, { json: false })
    expect(stdout).toMatch(/^Verified: this file is a release of Sotto\n/)
    expect(stdout).toContain(digest)
    expect(stdout).toContain(`v1.2.3 of ${REPOSITORY}`)
  })
  it('is verified by a file with several attestations, as GitHub provides them, under any name', async () => {
    const path = await file('lines.tgz', CONTENT)
    await file(
      `sha256-${digest}.jsonl`,
      `${await attest({ other: 'cd'.repeat(32) })}\n${await attest({ lines: digest })}\n`,
    )
    expect(await outcome(path)).toMatchObject({ exit: 0, good: true })
  })
  it('is refused if its tag isn’t the requested one', async () => {
    const path = await file('tag.tgz', CONTENT)
    const bundle = await file('tag.json', await attest({ tag: digest }))
    expect(await outcome(path, { bundle, tag: 'v1.2.3' })).toMatchObject({ exit: 0 })
    expect(await outcome(path, { bundle, tag: 'v1.3.0' })).toMatchObject({
      exit: 1,
      good: false,
      why: 'release/other-tag',
    })
  })
})

describe('a file that isn’t a release', () => {
  it('is refused if its content was changed', async () => {
    const bundle = await file('forged.json', await attest({ forged: digest }))
    expect(await outcome(await file('forged.tgz', `${CONTENT} `), { bundle })).toMatchObject({
      exit: 1,
      good: false,
      why: 'sigstore/subject-digest-mismatch',
    })
    const { stdout } = await run(join(folder, 'forged.tgz'), { bundle, json: false })
    expect(stdout).toMatch(/^NOT VERIFIED: don’t run this file\n/)
  })
  it('is refused if another repository built it', async () => {
    const bundle = await file('evil.json', await attest({ evil: digest }, 'evil/sotto'))
    expect(await outcome(await file('evil.tgz', CONTENT), { bundle })).toMatchObject({
      exit: 1,
      why: 'sigstore/repository-mismatch',
    })
  })
  it('is refused if its signers don’t chain to the built-in roots', async () => {
    const real = await vi.importActual<{ checkReleaseFile: typeof checkReleaseFile }>(
      '../../src/host/release-file.ts',
    )
    vi.mocked(checkReleaseFile).mockImplementation(real.checkReleaseFile)
    const bundle = await file('minted.json', await attest({ minted: digest }))
    expect(await outcome(await file('minted.tgz', CONTENT), { bundle })).toMatchObject({
      exit: 1,
      why: 'sigstore/certificate-chain-invalid',
    })
  })
  it('prints no terminal escape sequences', async () => {
    const bundle = await file('escape.json', await attest({ escape: digest }, 'evil/\u001b[2Jsotto'))
    const { code, stdout } = await run(await file('escape.tgz', CONTENT), { bundle, json: false })
    expect(code).toBe(1)
    expect(stdout).not.toContain('\u001b')
  })
})

describe('a verification that can’t be completed', () => {
  it.each([
    ['no JSON', 'not { json'],
    ['no text', Buffer.from([0xff, 0xfe]).toString('latin1')],
    ['a member twice', '{"mediaType":1,"mediaType":2}'],
    ['nothing', ''],
    ['more than anybody attests', '{}\n'.repeat(65)],
    ['more than 8 MiB', ' '.repeat((8 << 20) + 1)],
  ])('reports an unreadable attestation: %s', async (name, content) => {
    const path = await file('unjudged.tgz', CONTENT)
    const bundle = await file(`${name}.json`, content)
    expect(await outcome(path, { bundle })).toMatchObject({ exit: 2, why: 'release/bundle-unreadable' })
  })
  it('reports a missing attestation, a folder, and a missing file', async () => {
    expect(await outcome(await file('alone.tgz', 'alone'))).toMatchObject({
      exit: 2,
      why: 'release/bundle-missing',
    })
    expect(await outcome(folder)).toMatchObject({ exit: 2, why: 'release/file-unreadable' })
    expect(await outcome(join(folder, 'none'))).toMatchObject({ exit: 2, why: 'release/file-unreadable' })
    expect(
      await outcome(await file('unnamed.tgz', 'unnamed'), { bundle: join(folder, 'none.json') }),
    ).toMatchObject({ exit: 2, why: 'release/bundle-unreadable' })
  })
  it('reports for any file that this build has no release identity', async () => {
    vi.mocked(releaseIdentity).mockReturnValue(undefined)
    expect(await outcome(await file('any.tgz', CONTENT))).toMatchObject({
      exit: 2,
      why: 'release/identity-unknown',
    })
  })
})

describe('the release identity', () => {
  it.each([
    [{}],
    [{ repository: 'sotto/sotto' }],
    [{ repository: { type: 'git', url: 'https://github.com/sotto-test/sotto' } }],
    [{ repository: { type: 'git', url: 'git+https://github.com.evil.example/sotto-test/sotto.git' } }],
    [{ repository: { type: 'git', url: 'git+https://github.com/a/b/c.git' } }],
  ])('is undefined for %j', (manifest) => {
    expect(releaseIdentityOf(manifest)).toBeUndefined()
  })
  it('is one workflow of one repository, on version tags', () => {
    expect(ours).toMatchObject({
      repository: REPOSITORY,
      workflow: '.github/workflows/release.yml',
      refPrefix: 'refs/tags/v',
      runnerEnvironment: 'github-hosted',
    })
  })
})
