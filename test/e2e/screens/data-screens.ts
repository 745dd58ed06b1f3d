import { expect, type Locator, type Page } from '@playwright/test'
import { dataEndpoints } from '../../../src/sandbox/data/endpoints.ts'
import type { BatchRow } from '../../../src/shared/job-rows.ts'
import type { StoredAsk } from '../../../src/shared/job-ask.ts'
import { someTable } from '../mock-batches.ts'
import { usd } from '../mock-data.ts'
import { failure, type MockServer } from '../mock-server.ts'
import { job } from '../mock-studio.ts'
import type { ScreenGroup } from './screen.ts'

/** The sandbox's listing, with words as a service has them. */
export function listed({ state }: MockServer): void {
  state.purchases.endpoints = dataEndpoints
    .filter(({ revision }) => revision === undefined)
    .map(({ method, path, title, group, picoUsd }) => ({
      method,
      path,
      name: title,
      group,
      ...(path.endsWith('/scrape') ? {} : { price: picoUsd.toString() }),
    }))
  state.studio.price = () => ({ cost: { least: usd(0.023), most: usd(0.023) }, unknown: [] })
}

const people = (count: number) => ({
  people: Array.from({ length: count }, (_, at) => ({
    id: `p${String(at)}`,
    name: `Ada Adagio ${String(at)}`,
    score: (at * 7919) % 1000,
    email: at % 5 === 0 ? null : `ada${String(at)}@adagio.example`,
    linkedin_url: `https://adagio.example/in/${String(at)}`,
    title: at % 3 === 0 ? '=HYPERLINK("https://evil.example")' : 'Head of research',
    organization: { name: 'Adagio Lighthouses', primary_domain: 'adagio.example' },
    tags: ['one', 'two'],
  })),
  pagination: { page: 1, per_page: count },
})

export const peopleSearch: StoredAsk = {
  kind: 'data',
  method: 'POST',
  path: '/api/people/people-search',
  input: { q_keywords: 'lighthouse engineer', person_locations: ['Lisbon'] },
}

/** The listing, and answers of so many rows. */
export function answering(mock: MockServer, count = 40): void {
  listed(mock)
  mock.state.studio.answers = () => JSON.stringify(people(count))
}

export const lookup = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: new RegExp(name) })
export const table = (page: Page): Locator => page.getByRole('grid', { name: 'Result as table' })

/** Asks people search, and waits for its answer. */
export async function askPeople(page: Page): Promise<void> {
  await lookup(page, '^Search people').click()
  await page.getByLabel('Keywords').fill('lighthouse engineer')
  await page.getByLabel('Locations').fill('Lisbon\nPorto')
  await page.getByLabel('Quantity').fill('25')
  await expect(page.getByTestId('price')).toContainText('Costs $0.023')
  await page.getByRole('button', { name: 'Run lookup' }).click()
  await expect(table(page)).toBeVisible()
}

const emails: StoredAsk = {
  kind: 'batch',
  method: 'POST',
  path: '/api/emailcheck/email-verifier',
  columns: { email: { column: 1, as: 'text' } },
  header: true,
  concurrency: 2,
  file: { file: 10_000 },
  most: usd(2.5),
}

/** A batch with rows in every state. */
export function someBatch({ state }: MockServer, part: Parameters<typeof job>[1] = {}, count = 250): void {
  const rows = Array.from({ length: count }, (_, index): BatchRow => {
    const cells = [`Name ${String(index + 1)}`, `n${String(index + 1)}@adagio.example`, 'Lisbon']
    if (index < 120)
      return {
        index,
        state: 'done',
        cells,
        answer: `{"email":"n${String(index + 1)}@adagio.example","status":"valid","score":90}`,
        cost: usd(0.0115),
      }
    if (index < 124) return { index, state: 'failed', cells, failure: failure('service/rejected') }
    if (index < 127) return { index, state: 'unknown', cells, failure: failure('studio/outcome-unknown') }
    return { index, state: 'ready', cells }
  })
  state.batches.rows.set('batch-1', { columns: someTable.columns, rows })
  state.studio.jobs = [
    job('batch-1', {
      kind: 'batch',
      ask: emails,
      title: 'contacts.csv: Verify an address',
      state: 'paused',
      failure: failure('studio/outcome-unknown'),
      cost: usd(0.0115 * 120),
      estimate: { least: usd(0.0115 * count), most: usd(0.0115 * count) },
      rows: { done: 120, failed: 4, unknown: 3 },
      parts: { of: count, done: 120 },
      files: [{ index: 10_000, role: 'given', name: 'contacts.csv', type: 'text/plain', bytes: 9000 }],
      ...part,
    }),
  ]
}

export const counted =
  (requests: number, unusable = 0) =>
  () => ({
    cost: { least: usd(0.0115 * requests), most: usd(0.0115 * requests) },
    unknown: [],
    counted: { of: requests + unusable, unusable, requests },
  })

/** Chooses a table and a lookup. */
export async function mapTable(page: Page): Promise<void> {
  await page.getByTestId('file-input').setInputFiles({
    name: 'contacts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,e-mail,city\nAda,ada@adagio.example,Lisbon\n'),
  })
  await expect(page.getByTestId('table-size')).toContainText('250 rows, 3 columns')
  await page.getByLabel('Lookup', { exact: true }).selectOption('POST /api/people/people-enrich')
  await expect(page.getByTestId('counted')).toBeVisible()
}

export async function showBatch(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^contacts\.csv: / }).click()
  await expect(page.getByRole('grid', { name: 'Batch rows' })).toBeVisible()
  await expect(page.getByRole('gridcell', { name: 'Name 1', exact: true })).toBeVisible()
}

export const dataScreens: ScreenGroup = {
  name: 'Data',
  place: '#/data',
  shown: (page) => expect(page.getByRole('tab', { name: 'Catalog' })).toBeVisible(),
  screens: [
    { name: 'catalogue', set: listed, act: (page) => expect(lookup(page, '^Search people')).toBeVisible() },
    {
      name: 'catalogue, nothing found',
      set: listed,
      act: async (page) => {
        await page.getByLabel('Search lookups').fill('no such thing')
        await expect(page.getByText('No matches')).toBeVisible()
      },
    },
    {
      name: 'catalogue that fails',
      set: ({ state }) => {
        state.purchases.endpoints = undefined
      },
      act: (page) => expect(page.getByRole('alert')).toBeVisible(),
    },
    {
      name: 'people search, with its answer as a table',
      set: answering,
      act: async (page) => {
        await askPeople(page)
        await table(page).focus()
        for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
          await page.keyboard.press(key)
        await expect(page.getByTestId('cell-bar')).toBeVisible()
      },
    },
    {
      name: 'an answer as JSON',
      set: answering,
      act: async (page) => {
        await askPeople(page)
        await page.getByRole('tab', { name: 'JSON' }).click()
        await expect(page.getByRole('tree')).toBeVisible()
      },
    },
    {
      name: 'JSON that is wrong',
      set: listed,
      act: async (page) => {
        await lookup(page, '^Search the web').click()
        await page.getByLabel('Request (JSON)').fill('{\n  "query": "lighthouses"\n  "numResults": 5\n}')
        await expect(page.getByText(/^Line 3, column 3/)).toBeVisible()
      },
    },
    {
      name: 'a lookup that failed',
      set: (mock) => {
        listed(mock)
        mock.state.studio.becomes = 'failed'
      },
      act: async (page) => {
        await lookup(page, '^Search the web').click()
        await page.getByRole('button', { name: 'Run lookup' }).click()
        await expect(page.getByText('service/rejected')).toBeAttached()
      },
    },
    {
      name: 'batch, empty',
      place: '#/data/batch',
      set: listed,
      act: (page) => expect(page.getByText('No batches yet')).toBeVisible(),
    },
    {
      name: 'batch, mapped and reckoned',
      place: '#/data/batch',
      set: (mock) => {
        listed(mock)
        mock.state.studio.price = counted(248, 2)
      },
      act: mapTable,
    },
    {
      name: 'batch, a table that cannot be read',
      place: '#/data/batch',
      set: (mock) => {
        listed(mock)
        mock.state.batches.table = 'studio/csv-rows'
      },
      act: async (page) => {
        await page
          .getByTestId('file-input')
          .setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from('a\nb\n') })
        await expect(page.getByText('studio/csv-rows')).toBeAttached()
      },
    },
    {
      name: 'batch that paused with rows that are unknown',
      place: '#/data/batch',
      set: (mock) => {
        listed(mock)
        someBatch(mock)
      },
      act: showBatch,
    },
    {
      name: 'a row of a batch',
      place: '#/data/batch',
      set: (mock) => {
        listed(mock)
        someBatch(mock)
      },
      act: async (page) => {
        await showBatch(page)
        await page.getByRole('gridcell', { name: 'Name 1', exact: true }).click()
        await page.getByRole('button', { name: 'Open row 1' }).click()
        await expect(page.getByRole('region', { name: 'Row 1', exact: true })).toBeVisible()
      },
    },
  ],
}
