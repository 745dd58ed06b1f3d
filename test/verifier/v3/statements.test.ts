import { beforeAll, describe, expect, test } from 'vitest'
import type { DocumentRequest } from '../../../src/sandbox/world/v3/document.ts'
import { mintReferenceValues } from '../../../src/sandbox/world/v3/reference-values.ts'
import { createEnclave, NOW, type Enclave } from './verified-documents.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave('sev-snp')
})

type Changes = Partial<DocumentRequest>
const GITHUB = 'https://github.com'
const workflow = (repository: string, file: string, ref: string) =>
  `${GITHUB}/${repository}/.github/workflows/${file}@${ref}`
const payload = (from: string | RegExp, to: string) => (text: string) => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error('nothing to change')
  return changed
}

describe('the release', () => {
  test.each<[string, string, () => NonNullable<Changes['code']>]>([
    [
      'another repository with the right measurement',
      'sigstore/repository-mismatch',
      () => ({ run: { repository: 'somebody-else/enclave' } }),
    ],
    [
      'a workflow outside of its folder',
      'sigstore/repository-mismatch',
      () => ({ run: { workflow: '../build.yml' } }),
    ],
    ['a branch', 'sigstore/ref-mismatch', () => ({ run: { ref: 'refs/heads/main' } })],
    [
      'a name with more after the tag',
      'sigstore/ref-mismatch',
      () => ({
        run: {
          identity: `${workflow('sotto-sandbox/enclave', 'build.yml', `refs/tags/${enclave.world.release.tag}`)}.other`,
        },
      }),
    ],
    [
      'a name with a second ref',
      'sigstore/ref-mismatch',
      () => ({
        run: {
          identity: workflow(
            'sotto-sandbox/enclave',
            'build.yml@refs/heads/x',
            `refs/tags/${enclave.world.release.tag}`,
          ),
        },
      }),
    ],
    [
      'a runner of its own',
      'sigstore/runner-mismatch',
      () => ({ run: { runnerEnvironment: 'self-hosted' } }),
    ],
    ['a commit of 39 digits', 'sigstore/commit-missing', () => ({ run: { commit: 'a'.repeat(39) } })],
    [
      'the digest in the second subject',
      'sigstore/subject-digest-mismatch',
      () => ({
        payload: payload('"subject":[', `"subject":[{"name":"x","digest":{"sha256":"${'ab'.repeat(32)}"}},`),
      }),
    ],
    [
      'a file without a name',
      'sigstore/subject-missing',
      () => ({ payload: payload(/"name":"[^"]+"/, '"name":""') }),
    ],
    [
      'another type of predicate',
      'sigstore/predicate-type',
      () => ({ payload: payload('snp-tdx-multiplatform/v1', 'snp-tdx-multiplatform/v2') }),
    ],
    ['no vm_shape', 'code/predicate', () => ({ payload: payload('"vm_shape"', '"vm_form"') })],
    ['no disks', 'code/predicate', () => ({ payload: payload(/,"disks":\d+/, '') })],
    [
      'a shape with an unknown member',
      'code/predicate',
      () => ({ payload: payload('"vm_shape":{', '"vm_shape":{"numa":1,') }),
    ],
    ['memory of 1.5', 'code/predicate', () => ({ payload: payload(/"memory_mb":\d+/, '"memory_mb":1.5') })],
    [
      'memory as 16384.0',
      'code/predicate',
      () => ({ payload: payload('"memory_mb":16384', '"memory_mb":16384.0') }),
    ],
    ['cpus as 8e0', 'code/predicate', () => ({ payload: payload('"cpus":8', '"cpus":8e0') })],
    ['negative GPUs', 'code/predicate', () => ({ payload: payload('"gpus":0', '"gpus":-1') })],
    ['GPUs as -0', 'code/predicate', () => ({ payload: payload('"gpus":0', '"gpus":-0') })],
    ['more than 32 bits', 'code/predicate', () => ({ payload: payload('"cpus":8', '"cpus":4294967296') })],
    [
      'no measurement of SEV-SNP',
      'sigstore/predicate-member-missing',
      () => ({ payload: payload('"snp_measurement"', '"snp"') }),
    ],
    ['no RTMR2', 'sigstore/predicate-member-missing', () => ({ payload: payload('"rtmr2"', '"rtmr9"') })],
    [
      'a member twice',
      'sigstore/statement-malformed',
      () => ({ payload: payload('"cpus":8', '"cpus":8,"\\u0063pus":8') }),
    ],
    [
      'a member __proto__',
      'sigstore/statement-malformed',
      () => ({ payload: payload('"cpus":8', '"cpus":8,"__proto__":{}') }),
    ],
  ])('%s: %s', (_, code, changes) => {
    expect(enclave.verdict({ code: changes() })).toEqual({ refused: `v3/code ${code}` })
  })
})

describe('entries', () => {
  const withValues = (change: (item: ReturnType<typeof mintReferenceValues>[number]) => object | undefined) =>
    enclave.verify(
      Buffer.from(
        JSON.stringify({
          ...(JSON.parse(enclave.mint().toString()) as object),
          collateral: (
            JSON.parse(enclave.mint().toString()) as { collateral: Parameters<typeof change>[0][] }
          ).collateral.flatMap((item) => change(item) ?? []),
        }),
      ),
    )
  const data = (id: string, members: object) =>
    withValues((item) => (item.id === id ? { ...item, data: { ...item.data, ...members } } : item))

  test.each([
    ['code', 'v3/code'],
    ['code-freshness', 'v3/code-freshness'],
    ['platform-endorsements', 'v3/platform'],
    ['platform-freshness', 'v3/platform-freshness'],
    ['cpu-endorsement', 'v3/hardware'],
    ['cpu-crl', 'v3/hardware'],
  ])('without %s the document is refused', (id, step) => {
    expect(withValues((item) => (item.id === id ? undefined : item))).toEqual({
      refused: `${step} collateral/missing`,
    })
  })

  test('tag, repository and digest must be the signed ones', () => {
    for (const [id, step] of [
      ['code', 'v3/code'],
      ['platform-endorsements', 'v3/platform'],
    ] as const) {
      expect(data(id, { repo: 'somebody-else/enclave' })).toEqual({
        refused: `${step} sigstore/repository-mismatch`,
      })
      expect(data(id, { tag: 'v9.9.9' })).toEqual({ refused: `${step} sigstore/ref-mismatch` })
      expect(data(id, { digest: 'ab'.repeat(32) })).toEqual({
        refused: `${step} sigstore/subject-digest-mismatch`,
      })
      expect(data(id, { tag: '' })).toHaveProperty('facts')
    }
  })

  test('the witnesses exchanged', () => {
    const other: Readonly<Record<string, string>> = {
      'code-freshness': 'platform-freshness',
      'platform-freshness': 'code-freshness',
    }
    expect(withValues((item) => ({ ...item, id: other[item.id] ?? item.id }))).toEqual({
      refused: 'v3/code-freshness sigstore/subject-digest-mismatch',
    })
  })

  test('of two releases the first counts', () => {
    const [code] = mintReferenceValues(enclave.world, {
      code: { run: { repository: 'somebody-else/enclave' } },
    })
    if (!code) throw new Error('no release')
    const second = { ...code, id: 'second' }
    expect(withValues((item) => (item.id === 'cpu-endorsement' ? [second, item] : item))).toEqual({
      refused: 'v3/code sigstore/repository-mismatch',
    })
    expect(enclave.verdict({ referenceValues: [...enclave.referenceValues, second] })).toHaveProperty('facts')
  })
})

describe('the list of servers', () => {
  const CODE_REPOSITORY = 'sotto-sandbox/enclave'
  test.each<[string, string, NonNullable<Changes['platform']>]>([
    [
      'signed by the code’s repository',
      'sigstore/repository-mismatch',
      { run: { repository: CODE_REPOSITORY } },
    ],
    ['signed by another workflow', 'sigstore/workflow-mismatch', { run: { workflow: 'test.yml' } }],
    ['a branch', 'sigstore/ref-mismatch', { run: { ref: 'refs/heads/main' } }],
    ['a tag that isn’t a version', 'sigstore/ref-mismatch', { run: { tag: 'vnext' } }],
    ['a tag without v', 'sigstore/ref-mismatch', { run: { tag: '0.0.9' } }],
    ['a runner of its own', 'sigstore/runner-mismatch', { run: { runnerEnvironment: 'self-hosted' } }],
    [
      'the predicate of a release',
      'sigstore/predicate-type',
      {
        payload: payload(
          '"predicateType":"https://tinfoil.sh/predicate/platform-endorsements/v1"',
          '"predicateType":"https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1"',
        ),
      },
    ],
    [
      'an unknown member',
      'platform/policy-unsupported',
      { predicate: (predicate) => ({ ...predicate, rules: {} }) },
    ],
    [
      'an integer as 1e1',
      'platform/policy-malformed',
      { payload: payload('"minimum_build":40', '"minimum_build":4e1') },
    ],
    [
      'a member twice',
      'sigstore/statement-malformed',
      { payload: payload('"minimum_build":40', '"minimum_build":40,"minimum_build":40') },
    ],
  ])('%s: %s', (_, code, platform) => {
    expect(enclave.verdict({ platform })).toEqual({ refused: `v3/platform ${code}` })
  })

  test('without this machine', () => {
    expect(
      enclave.verdict({ platform: { predicate: (predicate) => ({ ...predicate, machines: {} }) } }),
    ).toEqual({ refused: 'v3/machine policy/machine-not-endorsed' })
  })
})

test('another measurement', () => {
  expect(enclave.verdict({ sev: { patches: { 0x90: Buffer.alloc(48, 1) } } })).toEqual({
    refused: 'v3/measurement measurement/mismatch',
  })
})

test('a log time ahead of the clock', () => {
  expect(enclave.verdict({ code: { loggedAt: NOW + 3600_000 } })).toEqual({
    refused: 'v3/code sigstore/log-entry-in-future',
  })
})
