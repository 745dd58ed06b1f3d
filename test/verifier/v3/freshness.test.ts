import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { witnessFault } from '../../../src/verifier/v3/freshness.ts'
import { witnessRepository } from '../../../src/sandbox/profile.ts'
import type { WitnessChanges } from '../../../src/sandbox/world/v3/reference-values.ts'
import { mintSigstore, type ReleaseWishes } from '../sigstore/minted-release.ts'
import { createEnclave, DAY, NOW, type Enclave } from './verified-documents.ts'
import { edited, extended, memberPaths, objectPaths, replaced, toJson, without } from './json-edits.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave('sev-snp')
})

const witnesses = ['codeWitness', 'platformWitness'] as const
const step = { codeWitness: 'v3/code-freshness', platformWitness: 'v3/platform-freshness' } as const

describe.each(witnesses)('%s', (witness) => {
  const verifyWitness = (changes: WitnessChanges) => enclave.verdict({ [witness]: changes })

  test.each<[string, number, string | undefined]>([
    ['seven days old', NOW - 7 * DAY, undefined],
    ['a second older', NOW - 7 * DAY - 1000, 'freshness/stale'],
    ['five minutes ahead', NOW + 5 * 60_000, undefined],
  ])('%s', (_, loggedAt, code) => {
    const result = verifyWitness({ loggedAt })
    if (code === undefined) expect(result).toHaveProperty('facts')
    else expect(result).toEqual({ refused: `${step[witness]} ${code}` })
  })

  test('a second more than five minutes ahead is refused', () => {
    expect(verifyWitness({ loggedAt: NOW + 5 * 60_000 + 1000 })).toEqual({
      refused: expect.stringMatching(
        new RegExp(`^${step[witness]} (?:freshness/future|sigstore/log-entry-in-future)$`),
      ) as unknown,
    })
  })

  test.each<[string, string, WitnessChanges]>([
    ['of the previous tag', 'freshness/artifact-mismatch', { artifact: { tag: 'v0.0.1' } }],
    [
      'of another repository',
      'freshness/artifact-mismatch',
      { artifact: { repository: 'somebody-else/enclave' } },
    ],
    ['of another commit', 'freshness/artifact-mismatch', { artifact: { commit: 'ab'.repeat(20) } }],
    ['of another file', 'freshness/artifact-mismatch', { artifact: { fileName: 'other.json' } }],
    ['of another digest', 'sigstore/subject-digest-mismatch', { artifact: { digest: 'ab'.repeat(32) } }],
    ['by another workflow', 'sigstore/workflow-mismatch', { run: { workflow: 'other.yml' } }],
    [
      'by another repository',
      'sigstore/repository-mismatch',
      { run: { repository: 'sotto-sandbox/enclave' } },
    ],
    ['on another branch', 'sigstore/ref-mismatch', { run: { ref: 'refs/heads/main-2' } }],
    ['on a tag', 'sigstore/ref-mismatch', { run: { ref: 'refs/tags/main' } }],
    ['on a runner of its own', 'sigstore/runner-mismatch', { run: { runnerEnvironment: 'self-hosted' } }],
    [
      'with two subjects',
      'freshness/artifact-mismatch',
      {
        payload: (text) =>
          text.replace(
            '],"predicateType"',
            `,{"name":"x","digest":{"sha256":"${'ab'.repeat(32)}"}}],"predicateType"`,
          ),
      },
    ],
    [
      'with one more member',
      'freshness/artifact-mismatch',
      { payload: (text) => text.replace('"endorses":{', '"endorses":{"until":1,') },
    ],
    [
      'with a member twice',
      'sigstore/statement-malformed',
      { payload: (text) => text.replace('"endorses":{', '"endorses":{"tag":"v0",') },
    ],
  ])('%s: %s', (_, code, changes) => {
    expect(verifyWitness(changes)).toEqual({ refused: `${step[witness]} ${code}` })
  })
})

const witnessWorkflow = `https://github.com/${witnessRepository}/.github/workflows/freshness.yml@refs/heads/main`
/** Name and extensions of Fulcio's certificate for a run of the witness's workflow. */
const witnessRun = {
  subject: witnessWorkflow,
  extensions: {
    5: witnessRepository,
    6: 'refs/heads/main',
    9: witnessWorkflow,
    12: `https://github.com/${witnessRepository}`,
    14: 'refs/heads/main',
  },
} satisfies ReleaseWishes

describe('a witness recorded in another trusted log', () => {
  /** The sandbox's log always states a time, so these witnesses are minted by a second Sigstore, which the same root trusts. */
  async function withOtherSigstore() {
    const [ownEnclave, sigstore] = await Promise.all([createEnclave('sev-snp', Date.now()), mintSigstore()])
    const { trust } = ownEnclave.world.roots
    const trustedRoot = JSON.stringify(
      mergedRoots(JSON.parse(trust.sigstoreTrustedRoot), sigstore.trustedRoot),
    )
    return async (id: string, wishes: ReleaseWishes) => {
      const referenceValues = await Promise.all(
        ownEnclave.referenceValues.map(async (item) => {
          if (item.id !== id) return item
          const {
            sigstore_bundle: {
              dsseEnvelope: { payload },
            },
          } = witnessForm.parse(item.data)
          return {
            ...item,
            data: {
              sigstore_bundle: await sigstore.release({
                ...witnessRun,
                ...wishes,
                payload: Buffer.from(payload, 'base64'),
              }),
            },
          }
        }),
      )
      return ownEnclave.verdict(
        { referenceValues },
        { trust: { ...trust, sigstoreTrustedRoot: trustedRoot } },
      )
    }
  }

  let verifyWitness: Awaited<ReturnType<typeof withOtherSigstore>>
  beforeAll(async () => {
    verifyWitness = await withOtherSigstore()
  })

  test.each(['code-freshness', 'platform-freshness'])(
    '%s counts only with a time that a log signed',
    async (id) => {
      expect(await verifyWitness(id, {})).toEqual({ facts: expect.anything() as unknown })
      const wishes: readonly ReleaseWishes[] = [
        { timestampAuthority: true },
        { rekor2: 'dsse' },
        { rekor2: 'hashedrekord' },
      ]
      for (const onlyAnAuthority of wishes)
        expect(await verifyWitness(id, onlyAnAuthority)).toEqual({
          refused: `v3/${id} freshness/no-log-time`,
        })
    },
  )
})

const witnessForm = z.object({
  sigstore_bundle: z.object({ dsseEnvelope: z.object({ payload: z.base64() }) }),
})

/** The members of both roots: a trusted root may name several of each kind. */
function mergedRoots(...roots: readonly unknown[]): object {
  const kinds = ['tlogs', 'ctlogs', 'certificateAuthorities', 'timestampAuthorities'] as const
  const read = roots.map((root) => z.looseObject({ mediaType: z.string() }).parse(root))
  const all = (kind: (typeof kinds)[number]) =>
    read.flatMap((root) => z.array(z.unknown()).default([]).parse(root[kind]))
  return { mediaType: read[0]?.mediaType, ...Object.fromEntries(kinds.map((kind) => [kind, all(kind)])) }
}

test('a statement must have exactly these members with exactly these values', () => {
  const digest = 'ab'.repeat(32)
  const artifact = { name: 'f.json', digest, repository: 'a/b', tag: 'v1', commit: 'cd'.repeat(20) }
  const format = 'https://tinfoil.sh/predicate/freshness-witness/v1'
  const statement = toJson({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'f.json', digest: { sha256: digest } }],
    predicateType: format,
    predicate: {
      format,
      endorses: {
        repo: 'a/b',
        tag: 'v1',
        commit: artifact.commit,
        subject: { name: 'f.json', digest: `sha256:${digest}` },
      },
    },
  })
  const fault = (changed: unknown) =>
    witnessFault(changed, { ...artifact, statement: { predicate: null }, signed: undefined as never })
  expect(fault(statement)).toBeUndefined()
  for (const path of memberPaths(statement)) {
    expect(fault(without(statement, path))).toBeDefined()
    expect(fault(replaced(statement, path, null))).toBeDefined()
    expect(fault(edited(statement, path, (old) => (typeof old === 'string' ? `${old}x` : 1)))).toBeDefined()
  }
  for (const path of objectPaths(statement)) expect(fault(extended(statement, path))).toBeDefined()
  expect(fault(replaced(statement, ['subject'], []))).toBeDefined()
})
