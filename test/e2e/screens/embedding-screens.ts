import { expect, type Page } from '@playwright/test'
import type { StoredAsk } from '../../../src/shared/job-ask.ts'
import { usd } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { embeddingModels, someTexts, vectorOf } from '../mock-embeddings.ts'
import { job } from '../mock-studio.ts'
import type { ScreenGroup } from './screen.ts'

const ask: StoredAsk = {
  kind: 'embedding',
  model: 'sandbox/eco-embedding-small',
  source: { form: 'lines', file: { file: 10_000 } },
}

/** Models with and without a price, and the price of six texts. */
export function sold({ state }: MockServer): void {
  state.studio.models = [...embeddingModels]
  state.studio.price = () => ({
    cost: { least: usd(0.000002), most: usd(0.000011) },
    unknown: [],
    counted: { of: 6, unusable: 0, requests: 1 },
  })
}

/** A saved embedding of `count` texts. */
export function storeEmbedding(mock: MockServer, part: Parameters<typeof job>[1] = {}, count = 60): void {
  sold(mock)
  const labels = Array.from(
    { length: count },
    (_, at) =>
      `${someTexts[at % someTexts.length] ?? ''}${at < someTexts.length ? '' : `, ${String(Math.floor(at / someTexts.length) + 1)} times over`}`,
  )
  mock.state.embeddings.vectors.set('embedding-1', { labels, vectors: labels.map(vectorOf) })
  mock.state.studio.jobs = [
    job('embedding-1', {
      kind: 'embedding',
      ask,
      cost: usd(0.0000072),
      parts: { of: count, done: count },
      vectors: { count, dimensions: 4 },
      files: [{ index: 10_000, role: 'given', name: 'texts.jsonl', type: 'application/jsonl', bytes: 900 }],
      ...part,
    }),
  ]
}

export async function type(page: Page): Promise<void> {
  await page.getByLabel('Texts', { exact: true }).fill(someTexts.join('\n'))
  await expect(page.getByTestId('price')).toContainText('Estimated cost: <$0.01.')
}

export async function showStoredEmbedding(page: Page): Promise<void> {
  await page.getByRole('button', { name: /texts by sandbox/ }).click()
  await expect(page.getByTestId('neighbours').getByRole('listitem').first()).toBeVisible()
  await expect(page.getByTestId('map-text')).toBeVisible()
}

export const embeddingScreens: ScreenGroup = {
  name: 'Embeddings',
  place: '#/data/embeddings',
  shown: (page) =>
    expect(
      page
        .getByRole('region', { name: 'New embedding' })
        .or(page.getByRole('button', { name: 'Back to embeddings' }))
        .first(),
    ).toBeVisible(),
  screens: [
    { name: 'empty', set: sold, act: (page) => expect(page.getByText('No embeddings yet')).toBeVisible() },
    { name: 'typed and reckoned', set: sold, act: type },
    {
      name: 'listing that fails',
      set: (mock) => {
        sold(mock)
        mock.state.studio.price = () => 'service/unavailable'
      },
      act: async (page) => {
        await page.getByLabel('Texts', { exact: true }).fill('an otter')
        await expect(page.getByText('service/unavailable')).toBeAttached()
      },
    },
    { name: 'kept, with neighbours, heat map and map', set: storeEmbedding, act: showStoredEmbedding },
    {
      name: 'running',
      set: (mock) =>
        storeEmbedding(mock, {
          state: 'sending',
          sentAt: Date.now(),
          parts: { of: 60, done: 20 },
          vectors: { count: 20, dimensions: 4 },
        }),
      act: async (page) => {
        await page.getByRole('button', { name: /texts by sandbox/ }).click()
        await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
      },
    },
    {
      name: 'end that is unknown',
      set: (mock) =>
        storeEmbedding(mock, {
          state: 'unknown',
          failure: failure('studio/outcome-unknown'),
          parts: { of: 60, done: 20 },
          vectors: { count: 20, dimensions: 4 },
        }),
      act: async (page) => {
        await page.getByRole('button', { name: /texts by sandbox/ }).click()
        await expect(
          page.getByRole('button', { name: 'Resume' }).or(page.getByTestId('texts-done')).first(),
        ).toBeVisible()
      },
    },
  ],
}
