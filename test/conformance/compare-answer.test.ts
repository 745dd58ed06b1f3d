import { describe, expect, test } from 'vitest'
import { whyFailed, whySkipped } from './compare-answer.ts'
import type { Manifest, Vector } from './vectors.ts'

const manifest = (more: Partial<Manifest> = {}): Manifest => ({
  id: 'v',
  stage: 's',
  expects: { exit_code: 0 },
  required_capabilities: {},
  ...more,
})
const vector = (expects: Manifest['expects'], expected: unknown = {}): Vector => ({
  name: 'v',
  manifest: manifest({ expects }),
  input: Buffer.alloc(0),
  expected,
})

describe('a vector is skipped', () => {
  const capabilities = {
    stages_supported: ['s'],
    sigstore: { loading: 'configurable', multi: true, understood: ['a', 'b'] },
  }
  const skipped = (required: Manifest['required_capabilities'], stage = 's') =>
    whySkipped(manifest({ stage, required_capabilities: required }), capabilities)

  test('where its stage is not built, or a capability is missing or another', () => {
    expect(skipped({}, 'other')).toContain('other')
    expect(skipped({ 'sigstore.loading': 'embedded-only' })).toContain('sigstore.loading')
    expect(skipped({ 'sigstore.multi': false })).toContain('sigstore.multi')
    expect(skipped({ 'sigstore.absent': true })).toContain('sigstore.absent')
    expect(skipped({ 'tdx.supported': true })).toContain('tdx.supported')
    expect(skipped({ 'sigstore.understood': ['a', 'c'] })).toContain('sigstore.understood')
    expect(whySkipped(manifest(), undefined)).toContain('s')
  })

  test('and nowhere else', () => {
    expect(skipped({})).toBeUndefined()
    expect(
      skipped({
        'sigstore.loading': ['configurable', 'embedded-only'],
        'sigstore.multi': true,
        'sigstore.understood': 'b',
      }),
    ).toBeUndefined()
  })
})

describe('a vector is passed', () => {
  test('by the expected end, with every expected member', () => {
    expect(
      whyFailed(vector({ exit_code: 0 }, { outputs: { n: 1, list: ['aB', 'x'] } }), {
        exitCode: 0,
        output: { more: 1, outputs: { n: 1, list: ['Ab', 'x'], more: 2 } },
      }),
    ).toBeUndefined()
    expect(whyFailed(vector({ exit_code: 30 }), { exitCode: 30, output: {} })).toBeUndefined()
  })

  test('by any one of the codes that it lists', () => {
    const either = vector({ exit_code: 10, rejection_code: ['A', 'B'] }, { rejection: { code: ['A', 'B'] } })
    expect(whyFailed(either, { exitCode: 10, output: { rejection: { code: 'B' } } })).toBeUndefined()
    expect(whyFailed(either, { exitCode: 10, output: { rejection: { code: 'C' } } })).toContain('C')
    expect(whyFailed(either, { exitCode: 10, output: {} })).toContain('undefined')
  })
})

describe('a vector is failed', () => {
  test.each<[string, Vector, unknown, number]>([
    ['by another end', vector({ exit_code: 10 }), {}, 0],
    ['by another stage', vector({ exit_code: 10, rejection_stage: 'a' }), { rejection: { stage: 'b' } }, 10],
    ['by a missing member', vector({ exit_code: 0 }, { outputs: { n: 1 } }), { outputs: {} }, 0],
    ['by a missing object', vector({ exit_code: 0 }, { outputs: { n: 1 } }), { outputs: [] }, 0],
    ['by no object at all', vector({ exit_code: 0 }, { accepted: true }), undefined, 0],
    ['by another text', vector({ exit_code: 0 }, { text: 'Tag' }), { text: 'tag' }, 0],
    ['by a number for a text', vector({ exit_code: 0 }, { n: '1' }), { n: 1 }, 0],
    ['by a longer list', vector({ exit_code: 0 }, { list: ['a'] }), { list: ['a', 'b'] }, 0],
    ['by another hex', vector({ exit_code: 0 }, { list: ['ab'] }), { list: ['ac'] }, 0],
  ])('%s', (_how, failing, output, exitCode) => {
    expect(whyFailed(failing, { exitCode, output })).toBeDefined()
  })
})
