import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameModel } from '../../../src/verifier/service-enclave/same-model.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('-'))
const separator = fc.constantFrom('.', '-', '_', ':', '@')
const version = fc.constantFrom(
  '20260101',
  '2026-01-01',
  '0613',
  '09-2025',
  '002',
  'v1',
  'v1:0',
  'latest',
  'preview',
  'preview-05-06',
)

describe('a model', () => {
  it.each([
    ['anthropic/claude-x', 'claude-x'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-x', 'anthropic.claude-x-20260101-v1:0'],
    ['openai/gpt-5', 'gpt-5-2025-08-07'],
    ['openai/gpt-4', 'gpt-4-0613'],
    ['google/gemini-3-pro', 'publishers/google/models/gemini-3-pro-preview-05-06'],
    ['claude-x', 'claude-x@20260101'],
    ['meta/Llama-4', 'meta-llama/llama-4'],
  ])('%s is %s', (requested, other) => {
    expect(isSameModel(requested, other)).toBe(true)
  })

  it.each([
    ['openai/gpt-5', 'gpt-5-mini'],
    ['openai/gpt-4', 'gpt-4.1'],
    ['openai/gpt-4', 'gpt-4-32k'],
    ['anthropic/claude-3', 'claude-3-5-haiku-20241022'],
    ['openai/gpt-5', 'gpt-50'],
    ['openai/gpt-5-2025-08-07', 'gpt-5'],
    ['anthropic/claude-x', 'other.claude-x'],
    ['anthropic/claude-x', 'claude'],
    ['anthropic/claude-x', ''],
    ['', 'claude-x'],
    ['anthropic/', 'claude-x'],
    ['anthropic/claude-x', 'claude-x/other'],
  ])('%s isn’t %s', (requested, other) => {
    expect(isSameModel(requested, other)).toBe(false)
  })

  it('is itself, by any path and with any separators', () => {
    fc.assert(
      fc.property(name, name, separator, (model, vendor, mark) => {
        expect(isSameModel(`${vendor}/${model}`, model)).toBe(true)
        expect(isSameModel(model, `a/${vendor}/${model.replaceAll('-', mark).toUpperCase()}`)).toBe(true)
        expect(isSameModel(`${vendor}/${model}`, `${vendor}${mark}${model}`)).toBe(true)
      }),
    )
  })

  it('is the same in any of its versions', () => {
    fc.assert(
      fc.property(
        name,
        fc.array(version, { minLength: 1, maxLength: 3 }),
        separator,
        (model, versions, mark) => {
          expect(isSameModel(`vendor/${model}`, [model, ...versions].join(mark))).toBe(true)
        },
      ),
    )
  })

  it('isn’t another with a longer or a shorter name', () => {
    const others = word.filter((text) => !/^(?:v\d{1,3}|latest|preview)$/.test(text))
    fc.assert(
      fc.property(name, others, separator, (model, other, mark) => {
        expect(isSameModel(`vendor/${model}`, `${model}${mark}${other}`)).toBe(false)
        expect(isSameModel(`vendor/${model}`, `${model}${other}`)).toBe(false)
        expect(isSameModel(`vendor/${model}-${other}`, model)).toBe(false)
      }),
    )
  })

  it('is compared in little time, however long the name is', () => {
    for (const part of ['-2026', '-v1-123', '-v1-05-2025', '-preview-05-06'])
      expect(isSameModel('a', `a${part.repeat(10_000)}-x`)).toBe(false)
  })
})
