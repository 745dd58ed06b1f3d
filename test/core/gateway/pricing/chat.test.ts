import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chatCost, estimateChat } from '../../../../src/core/gateway/pricing/index.ts'
import type { Model } from '../../../../src/shared/model.ts'

const model: Model = {
  id: 'private/x',
  name: 'X',
  private: true,
  contextLength: 1000,
  inputPerMillion: '4220000000000',
  outputPerMillion: '21100000000000',
}
const { inputPerMillion: _, ...withoutInput } = model
const { outputPerMillion: __, ...withoutOutput } = model
const { contextLength: ___, ...withoutContext } = model

describe('chatCost', () => {
  test('is the exact sum if it is a whole number of pico-USD', () => {
    expect(chatCost(model, { prompt: 3, completion: 7 })).toBe(3n * 4_220_000n + 7n * 21_100_000n)
    expect(chatCost(model, { prompt: 0, completion: 0 })).toBe(0n)
  })

  test('is rounded up once, not for each part', () => {
    const fine = { ...model, inputPerMillion: '400001', outputPerMillion: '300000' }
    expect(chatCost(fine, { prompt: 1, completion: 1 })).toBe(1n)
    expect(chatCost(fine, { prompt: 2, completion: 1 })).toBe(2n)
  })

  test('is zero for a free model, and unknown if a price is unknown', () => {
    const usage = { prompt: 10, completion: 10 }
    expect(chatCost({ ...model, inputPerMillion: '0', outputPerMillion: '0' }, usage)).toBe(0n)
    expect(chatCost(withoutInput, usage)).toBeNull()
    expect(chatCost(withoutOutput, usage)).toBeNull()
    expect(chatCost({ ...model, outputPerMillion: '-1000000000000' }, usage)).toBeNull()
    expect(chatCost(model, { prompt: Number.MAX_VALUE, completion: 0 })).toBeNull()
  })
})

describe('estimateChat', () => {
  test('assumes at most one token per byte, and adds the chat template', () => {
    expect(estimateChat(model, { promptBytes: 80, messages: 2, maxTokens: 100 })).toEqual({
      least: 10n * 4_220_000n,
      most: (80n + 32n) * 4_220_000n + 100n * 21_100_000n,
    })
  })

  test('is limited by the context, and includes all requested choices', () => {
    const whole = { least: 125n * 4_220_000n, most: 1000n * 4_220_000n + 1000n * 21_100_000n }
    expect(estimateChat(model, { promptBytes: 1000, messages: 1, maxTokens: 5000 })).toEqual(whole)
    expect(estimateChat(model, { promptBytes: 1000, messages: 1 })).toEqual(whole)
    expect(estimateChat(model, { promptBytes: 1000, messages: 1, choices: 3 })).toMatchObject({
      most: 1000n * 4_220_000n + 3000n * 21_100_000n,
    })
  })

  test('is unknown without a price, and if nothing limits the reply', () => {
    const request = { promptBytes: 8, messages: 1 }
    expect(estimateChat(withoutInput, { ...request, maxTokens: 1 })).toBe('unknown')
    expect(estimateChat(withoutOutput, { ...request, maxTokens: 1 })).toBe('unknown')
    expect(estimateChat({ ...model, inputPerMillion: '-1000000000000' }, { ...request, maxTokens: 1 })).toBe(
      'unknown',
    )
    expect(estimateChat(withoutContext, request)).toBe('unknown')
    expect(estimateChat(withoutContext, { ...request, maxTokens: 1 })).not.toBe('unknown')
    expect(estimateChat(withoutContext, { promptBytes: -100, messages: 0, maxTokens: 1 })).toBe('unknown')
  })

  test('includes the later usage at any price', () => {
    const price = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(String)
    fc.assert(
      fc.property(
        price,
        price,
        fc.nat(2000),
        fc.nat(2000),
        fc.nat(100),
        fc.nat(100),
        (input, output, bytes, max, usedPrompt, usedCompletion) => {
          const priced = { ...withoutContext, inputPerMillion: input, outputPerMillion: output }
          const estimate = estimateChat(priced, { promptBytes: bytes, messages: 1, maxTokens: max })
          const prompt = Math.round(bytes / 8 + ((bytes - bytes / 8) * usedPrompt) / 100)
          const cost = chatCost(priced, {
            prompt: Math.max(prompt, Math.ceil(bytes / 8)),
            completion: Math.floor((max * usedCompletion) / 100),
          })
          if (estimate === 'unknown' || cost === null) throw new Error('Both are known.')
          expect(cost >= estimate.least && cost <= estimate.most).toBe(true)
        },
      ),
    )
  })
})
