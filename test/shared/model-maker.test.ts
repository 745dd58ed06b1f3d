import { expect, test } from 'vitest'
import { makerOf } from '../../src/shared/model-maker.ts'

test.each([
  ['anthropic/claude-opus', 'Claude Opus', 'Anthropic', 'An'],
  ['private/gpt-oss-120b', 'GPT OSS 120B', 'OpenAI', 'OA'],
  ['openai/o3-mini', 'o3 mini', 'OpenAI', 'OA'],
  ['private/llama3-3-70b', 'Llama 3.3 70B', 'Meta', 'Me'],
  ['private/qwen3-coder', 'Qwen3 Coder', 'Qwen', 'Qw'],
  ['private/kimi-k3', 'Kimi K3', 'Moonshot', 'Mo'],
  ['google/gemma-4', 'Gemma 4', 'Google', 'G'],
])('%s is by its maker', (id, name, maker, initials) => {
  expect(makerOf({ id, name })).toMatchObject({ name: maker, initials })
})

test('a part of a word names no family', () => {
  expect(makerOf({ id: 'x/egpt', name: 'Egpt' }).name).toBe('Egpt')
  expect(makerOf({ id: 'x/foo4', name: 'Foo4' }).name).toBe('Foo4')
})

test('an unknown family has the initials of its provider, and otherwise its own', () => {
  expect(makerOf({ id: 'sandbox/lento', name: 'Lento', provider: 'sandbox' })).toMatchObject({
    name: 'sandbox',
    initials: 'Sa',
  })
  expect(makerOf({ id: 'x/1', name: 'été 1' }).initials).toBe('Ét')
  expect(makerOf({ id: '7/7', name: '7' }).initials).toBe('?')
})

test('equal makers have equal colors, and any name has one', () => {
  expect(makerOf({ id: 'a/claude-1', name: 'A' }).tone).toBe(makerOf({ id: 'b/claude-2', name: 'B' }).tone)
  for (const name of ['', '\ud800', '<b>', 'x'.repeat(10_000)])
    expect(makerOf({ id: 'none', name }).tone).toBeOneOf([1, 2, 3, 4])
})
