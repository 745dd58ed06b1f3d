import { beforeAll, describe, expect, test } from 'vitest'
import { witnessFault } from '../../../../src/core/attestation/v3/freshness.ts'
import type { WitnessChanges } from '../../../../src/sandbox/world/v3/reference-values.ts'
import { createEnclave, DAY, NOW, type Enclave } from './judged-documents.ts'
import { edited, extended, memberPaths, objectPaths, replaced, toJson, without } from './json-edits.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave('sev-snp')
})

const witnesses = ['codeWitness', 'platformWitness'] as const
const step = { codeWitness: 'v3/code-freshness', platformWitness: 'v3/platform-freshness' } as const

describe.each(witnesses)('%s', (witness) => {
  const judged = (changes: WitnessChanges) => enclave.verdict({ [witness]: changes })

  test.each<[string, number, string | undefined]>([
    ['seven days old', NOW - 7 * DAY, undefined],
    ['a second older', NOW - 7 * DAY - 1000, 'freshness/stale'],
    ['five minutes ahead', NOW + 5 * 60_000, undefined],
  ])('%s', (_, loggedAt, code) => {
    const result = judged({ loggedAt })
    if (code === undefined) expect(result).toHaveProperty('facts')
    else expect(result).toEqual({ refused: `${step[witness]} ${code}` })
  })

  test('a second more than five minutes ahead is refused', () => {
    expect(judged({ loggedAt: NOW + 5 * 60_000 + 1000 })).toEqual({ refused: expect.stringMatching(new RegExp(`^${step[witness]} (?:freshness/future|sigstore/log-entry-in-future)$`)) as unknown })
  })

  test.each<[string, string, WitnessChanges]>([
    ['of the previous tag', 'freshness/artifact-mismatch', { artifact: { tag: 'v0.0.1' } }],
    ['of another repository', 'freshness/artifact-mismatch', { artifact: { repository: 'somebody-else/enclave' } }],
    ['of another commit', 'freshness/artifact-mismatch', { artifact: { commit: 'ab'.repeat(20) } }],
    ['of another file', 'freshness/artifact-mismatch', { artifact: { fileName: 'other.json' } }],
    ['of another digest', 'sigstore/subject-digest-mismatch', { artifact: { digest: 'ab'.repeat(32) } }],
    ['by another workflow', 'sigstore/workflow-mismatch', { run: { workflow: 'other.yml' } }],
    ['by another repository', 'sigstore/repository-mismatch', { run: { repository: 'sotto-sandbox/enclave' } }],
    ['on another branch', 'sigstore/ref-mismatch', { run: { ref: 'refs/heads/main-2' } }],
    ['on a tag', 'sigstore/ref-mismatch', { run: { ref: 'refs/tags/main' } }],
    ['on a runner of its own', 'sigstore/runner-mismatch', { run: { runnerEnvironment: 'self-hosted' } }],
    ['with two subjects', 'freshness/artifact-mismatch', { payload: (text) => text.replace('],"predicateType"', `,{"name":"x","digest":{"sha256":"${'ab'.repeat(32)}"}}],"predicateType"`) }],
    ['with one more member', 'freshness/artifact-mismatch', { payload: (text) => text.replace('"endorses":{', '"endorses":{"until":1,') }],
    ['with a member twice', 'sigstore/statement-malformed', { payload: (text) => text.replace('"endorses":{', '"endorses":{"tag":"v0",') }],
  ])('%s: %s', (_, code, changes) => {
    expect(judged(changes)).toEqual({ refused: `${step[witness]} ${code}` })
  })
})

test('a statement must have exactly these members with exactly these values', () => {
  const digest = 'ab'.repeat(32)
  const artifact = { name: 'f.json', digest, repository: 'a/b', tag: 'v1', commit: 'cd'.repeat(20) }
  const format = 'https://tinfoil.sh/predicate/freshness-witness/v1'
  const statement = toJson({
    _type: 'https://in-toto.io/Statement/v1', subject: [{ name: 'f.json', digest: { sha256: digest } }], predicateType: format,
    predicate: { format, endorses: { repo: 'a/b', tag: 'v1', commit: artifact.commit, subject: { name: 'f.json', digest: `sha256:${digest}` } } },
  })
  const fault = (changed: unknown) => witnessFault(changed, { ...artifact, statement: { predicate: null }, signed: undefined as never })
  expect(fault(statement)).toBeUndefined()
  for (const path of memberPaths(statement)) {
    expect(fault(without(statement, path))).toBeDefined()
    expect(fault(replaced(statement, path, null))).toBeDefined()
    expect(fault(edited(statement, path, (old) => (typeof old === 'string' ? `${old}x` : 1)))).toBeDefined()
  }
  for (const path of objectPaths(statement)) expect(fault(extended(statement, path))).toBeDefined()
  expect(fault(replaced(statement, ['subject'], []))).toBeDefined()
})
