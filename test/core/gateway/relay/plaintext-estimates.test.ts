import { describe, expect, it } from 'vitest'
import {
  estimateEmbeddingsBody,
  estimateImageForm,
  estimateImagesBody,
  estimateListener,
  estimateSpeechBody,
  estimateVideoBody,
} from '../../../../src/core/gateway/relay/plaintext-estimates.ts'
import type { PlaintextListings } from '../../../../src/core/gateway/relay/plaintext-listings.ts'
import {
  reportedCost,
  reportsNothing,
  reportedTokens,
} from '../../../../src/core/gateway/relay/reported-usage.ts'
import type { AudioModel } from '../../../../src/core/gateway/service/inference/audio-models.ts'
import type { Model } from '../../../../src/shared/model.ts'
import type { JsonObject, JsonValue } from '../../../../src/shared/strict-json.ts'

const embedding: Model = {
  id: 'e',
  name: 'e',
  private: false,
  inputPerMillion: '1000000',
  contextLength: 1000,
}
const image: Model = {
  id: 'i',
  name: 'i',
  private: false,
  mediaPrice: { base: '7', tables: [{ by: 'quality', of: { low: '2', high: '9' } }] },
}
const video: Model = { id: 'v', name: 'v', private: false, mediaPrice: { perSecond: '5', tables: [] } }

function listings(
  audio: readonly AudioModel[],
  transcription: readonly AudioModel[] = [],
): PlaintextListings {
  const listing = <Entry extends { readonly id: string }>(entries: readonly Entry[]) => ({
    all: () => Promise.resolve(entries),
    find: (id: string) => Promise.resolve(entries.find((entry) => entry.id === id)),
  })
  const models = { all: () => Promise.resolve([]), find: () => Promise.reject(new Error('unused')) }
  return {
    embedding: models,
    media: models,
    audio: listing(audio),
    transcription: listing(transcription),
    voices: listing([]),
    data: { all: () => Promise.resolve([]), find: () => Promise.resolve(undefined) },
  }
}

describe('an estimate for embeddings', () => {
  it.each<[string, JsonValue, bigint]>([
    ['one text', 'twelve bytes', 16n],
    ['several', ['ab', 'cd'], 12n],
    ['bytes and not characters', 'é', 6n],
    ['tokens that were counted elsewhere', [1, 2, 3], 7n],
    ['several lists of them', [[1, 2], [3]], 11n],
    ['no more than the context', 'x'.repeat(5000), 1000n],
  ])('counts %s', (_what, input, most) =>
    expect(estimateEmbeddingsBody(embedding, { input })).toMatchObject({ most }),
  )
  it.each<[JsonValue]>([[''.repeat(0)], [7], [[]], [{ text: 'x' }], [['a', 1]], [[['a']]], [null]])(
    'is unknown or minimal for input that isn’t text: %j',
    (input) => {
      const estimate = estimateEmbeddingsBody(embedding, { input })
      expect(estimate === 'unknown' || estimate.most <= 4n).toBe(true)
    },
  )
})

describe('an estimate for images and videos', () => {
  it.each<[JsonObject, bigint | 'unknown']>([
    [{ quality: 'low' }, 2n],
    [{ quality: 'low', n: 3 }, 6n],
    [{ quality: 'high', num_images: 2 }, 18n],
    [{ n: 2, num_images: 2, quality: 'low' }, 4n],
    [{ n: 1, num_images: 4 }, 'unknown'],
    [{ n: '2' }, 'unknown'],
    [{ n: 1.5 }, 'unknown'],
    [{ n: -1 }, 'unknown'],
    [{ quality: 'unheard-of' }, 'unknown'],
    [{ quality: ['low'] }, 'unknown'],
    [{ size: '1:1', aspect_ratio: '16:9', quality: 'low' }, 'unknown'],
    [{ quality: 'low', n: null }, 2n],
  ])('reads %j', (body, most) => {
    const estimate = estimateImagesBody(image, body)
    expect(estimate === 'unknown' ? estimate : estimate.most).toBe(most)
  })
  it('reads numbers from the text of a form', () => {
    const estimate = (fields: [string, string][]) => estimateImageForm(image, { fields, files: [] })
    expect(
      estimate([
        ['quality', 'high'],
        ['n', '3'],
      ]),
    ).toEqual({ least: 27n, most: 27n })
    expect(estimate([['n', '3 ']])).toBe('unknown')
    expect(estimate([['n', '1e9']])).toBe('unknown')
  })
  it.each<[JsonObject, bigint | 'unknown']>([
    [{ duration: '8' }, 40n],
    [{ duration: 8 }, 40n],
    [{}, 'unknown'],
    [{ duration: '8s' }, 'unknown'],
    [{ duration: [8] }, 'unknown'],
  ])('reads %j for a video', (body, most) => {
    const estimate = estimateVideoBody(video, body)
    expect(estimate === 'unknown' ? estimate : estimate.most).toBe(most)
  })
})

describe('an estimate for speech', () => {
  const one: AudioModel = { id: 'one', name: 'one', price: { amount: '1000', per: 'thousand-characters' } }
  const two: AudioModel = { id: 'two', name: 'two', price: { amount: '3000', per: 'thousand-characters' } }
  const heard: AudioModel = { id: 'heard', name: 'heard', price: { amount: '9', per: 'minute' } }

  it('counts characters, at the price of the model', async () => {
    expect(await estimateSpeechBody({ input: 'x'.repeat(10) }, 'two', listings([one, two]))).toEqual({
      least: 30n,
      most: 30n,
    })
    expect(await estimateSpeechBody({ input: '𝓍𝓍' }, 'one', listings([one, two]))).toEqual({
      least: 2n,
      most: 2n,
    })
  })
  it('spans every speech model if the service chooses', async () => {
    expect(
      await estimateSpeechBody({ input: 'x'.repeat(10) }, undefined, listings([one, two, heard], [heard])),
    ).toEqual({ least: 10n, most: 30n })
  })
  it('is unknown if a model has no price, nothing is listed, or there is no text', async () => {
    expect(
      await estimateSpeechBody({ input: 'x' }, undefined, listings([one, { id: 'free', name: 'free' }])),
    ).toBe('unknown')
    expect(await estimateSpeechBody({ input: 'x' }, undefined, listings([]))).toBe('unknown')
    expect(await estimateSpeechBody({ input: 'x' }, 'none', listings([one]))).toBe('unknown')
    expect(await estimateSpeechBody({ input: 7 }, 'one', listings([one]))).toBe('unknown')
  })
  it('is unknown if the listing is unavailable', async () => {
    const failing = {
      all: () => Promise.reject(new Error('down')),
      find: () => Promise.reject(new Error('down')),
    }
    expect(
      await estimateSpeechBody({ input: 'x' }, undefined, {
        ...listings([]),
        audio: failing,
        transcription: failing,
      }),
    ).toBe('unknown')
    expect(await estimateSpeechBody({ input: 'x' }, 'one', { ...listings([]), audio: failing })).toBe(
      'unknown',
    )
  })
})

describe('the cost that a response reports', () => {
  it.each([
    ['{"cost":0.1}', 100_000_000_000n],
    ['{"cost":"0.1"}', 100_000_000_000n],
    ['{"estimated_cost":0.2}', 200_000_000_000n],
    ['{"cost":0.1,"estimated_cost":0.2}', 100_000_000_000n],
    ['{"cost":0.000000000001}', 1n],
    ['{"cost":12345678.000000000001}', 12_345_678_000_000_000_001n],
    ['{}', undefined],
    ['{"cost":-1}', undefined],
    ['{"cost":null}', undefined],
    ['{"cost":[1]}', undefined],
    ['[]', undefined],
    ['null', undefined],
  ])('is parsed from %s', (answer, cost) => expect(reportedCost(answer).cost).toBe(cost))
  it('is calculated from its tokens', () => {
    expect(reportedTokens(embedding, '{"data":[],"usage":{"total_tokens":"7"}}')).toEqual({
      usage: { prompt: 7, completion: 0 },
      listed: 7n,
    })
    expect(reportedTokens(embedding, '{"data":[],"usage":{"total_tokens":7,"cost":0.1}}')).toMatchObject({
      cost: 100_000_000_000n,
      listed: 7n,
    })
    expect(reportedTokens(embedding, '{"data":[],"usage":{"total_tokens":-7}}')).toEqual({})
    expect(
      reportedTokens({ ...embedding, inputPerMillion: '-1' }, '{"usage":{"total_tokens":7}}').listed,
    ).toBeUndefined()
  })
  it('can’t be parsed from invalid JSON', () => {
    for (const read of [reportedCost, reportsNothing, (answer: string) => reportedTokens(embedding, answer)])
      expect(() => read('{"cost":1')).toThrow()
    expect(reportsNothing('[1]')).toEqual({})
  })
})

describe('an estimate for a recording', () => {
  const fine: AudioModel = { id: 'fine', name: 'Fine', price: { amount: '600', per: 'minute' } }
  const cheap: AudioModel = { id: 'cheap', name: 'Cheap', price: { amount: '60', per: 'minute' } }
  it.each<
    [
      string,
      string | undefined,
      number | undefined,
      readonly AudioModel[],
      { least: bigint; most: bigint } | 'unknown',
    ]
  >([
    ['by its length', 'fine', 1500, [fine, cheap], { least: 15n, most: 600n }],
    ['by any that the service may choose', undefined, 60_000, [fine, cheap], { least: 60n, most: 600n }],
    ['not where its length is unknown', 'fine', undefined, [fine], 'unknown'],
    ['not where its model is not listed', 'other', 1500, [fine], 'unknown'],
    ['not where a price is not', undefined, 1500, [fine, { id: 'x', name: 'X' }], 'unknown'],
    ['not where nothing is listed', undefined, 1500, [], 'unknown'],
  ])('is calculated %s', async (_how, model, durationMs, listening, expected) => {
    expect(await estimateListener(model, durationMs, listings(listening, listening))).toEqual(expected)
  })
})
