import { readFile } from 'node:fs/promises'
import { usd } from './mock-data.ts'
import type { MockServer } from './mock-server.ts'
import { storeEmbedding, showStoredEmbedding, sold, type } from './screens/embedding-screens.ts'
import { expect, test } from './window-test.ts'

const started = (mock: MockServer) => mock.calls.findLast(({ path }) => path === 'studio.start')?.input
const PLACE = '#/data/embeddings'

test.describe('a new embedding', () => {
  test('of typed lines is passed only to the core, priced, sent by the button, and then analyzed', async ({
    window: { open, page, mock },
  }) => {
    sold(mock)
    await open(PLACE)
    await expect(page.getByLabel('Model', { exact: true }).getByRole('option')).toHaveText([
      'Eco small, $0.022 per million tokens',
      'Eco large, no listed price',
    ])
    await type(page)
    await expect(page.getByTestId('ask-line')).toContainText('Visible')
    expect(started(mock)).toBeUndefined()
    await page.getByLabel('Dimensions').fill('two')
    await expect(page.getByRole('button', { name: 'Embed texts' })).toBeDisabled()
    await page.getByLabel('Dimensions').fill('256')
    await page.getByRole('button', { name: 'Embed texts' }).click()
    await expect(page.getByRole('heading', { name: '6 texts by sandbox/eco-embedding-small' })).toBeFocused()
    expect(started(mock)).toMatchObject({
      ask: {
        kind: 'embedding',
        model: 'sandbox/eco-embedding-small',
        dimensions: 256,
        source: { form: 'lines', file: { uploadId: expect.any(String) } },
      },
      pay: 'balance',
    })
    await expect(page.getByTestId('neighbours').getByRole('listitem')).toHaveCount(5)
  })

  test('of a column or of files', async ({ window: { open, page, mock } }) => {
    sold(mock)
    await open(PLACE)
    await page.getByLabel('Text source').selectOption('CSV column')
    await page.getByTestId('file-input').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,e-mail,city\nAda,ada@adagio.example,Lisbon\n'),
    })
    await expect(page.getByTestId('price')).toHaveText('Choose the text column.')
    await page.getByLabel('Text column').selectOption('city')
    await page.getByRole('button', { name: 'Embed texts' }).click()
    await expect(page.getByRole('button', { name: 'Back to embeddings' })).toBeVisible()
    expect(started(mock)).toMatchObject({ ask: { source: { form: 'csv', column: 2, header: true } } })
    await page.getByRole('button', { name: 'Back to embeddings' }).click()
    await page.getByLabel('Text source').selectOption('Files, one text per file')
    await page
      .getByTestId('files-input')
      .setInputFiles(
        ['a.txt', 'b.md'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
      )
    await expect(page.getByText('2 files added')).toBeVisible()
    await page.getByRole('button', { name: 'Embed texts' }).click()
    await expect(page.getByRole('button', { name: 'Back to embeddings' })).toBeVisible()
    const { ask } = started(mock) as { ask: { source: { form: string; files: unknown[] } } }
    expect([ask.source.form, ask.source.files.length]).toEqual(['files', 2])
  })

  test('that the core refuses shows an error before anything is sent', async ({
    window: { open, page, mock },
  }) => {
    sold(mock)
    mock.state.studio.price = () => 'studio/text-encoding'
    await open(PLACE)
    await page.getByLabel('Text source').selectOption('Text file, one text per line')
    await page
      .getByTestId('file-input')
      .setInputFiles({ name: 'texts.txt', mimeType: 'text/plain', buffer: Buffer.from([0xff, 0x00]) })
    await expect(page.getByTestId('ask-line').getByRole('alert')).toContainText('studio/text-encoding')
    await expect(page.getByRole('button', { name: 'Embed texts' })).toBeDisabled()
    expect(started(mock)).toBeUndefined()
  })
})

test.describe('a saved embedding', () => {
  test('shows neighbors, a heat map and a map, and a selected text changes all three', async ({
    window: { open, page, mock },
  }) => {
    storeEmbedding(mock)
    await open(PLACE)
    await showStoredEmbedding(page)
    await expect(page.getByTestId('embedding-cost')).toContainText('$0.0000072')
    const neighbours = page.getByTestId('neighbours')
    // Texts about swimming are neighbors, and no lamp is among the nearest.
    await expect(neighbours.getByRole('listitem').first()).toContainText(/otter|beaver|river/)
    await page.getByLabel('Find text').fill('LAMP lit')
    await page.getByRole('list', { name: 'Texts', exact: true }).getByRole('button').first().click()
    await expect(page.getByTestId('map-text')).toHaveText('Selected: “a lamp that is lit”')
    await expect(neighbours.getByRole('listitem').first()).toContainText(/lamp|desk/)
    await expect(page.getByTestId('heat-cell')).toHaveText(
      '1.00: “a lamp that is lit” and “a lamp that is lit”',
    )
    await page.getByLabel('Find text').fill('whale')
    await expect(page.getByText('No matches')).toBeVisible()
  })

  test('can be used by keyboard: heat map cells, their table, and the texts on the map', async ({
    window: { open, page, mock },
  }) => {
    storeEmbedding(mock)
    await open(PLACE)
    await showStoredEmbedding(page)
    const heat = page.getByRole('application', { name: /^Similarity heat map/ })
    await heat.focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByTestId('heat-cell')).not.toHaveText(
      /^1\.00: “an otter swims” and “an otter swims”/,
    )
    await page.getByText('View as table').click()
    await expect(page.getByRole('region', { name: 'Similarity table' }).getByRole('row')).toHaveCount(26)
    const map = page.getByRole('application', { name: /^Text map/ })
    await map.focus()
    const before = await page.getByTestId('map-text').textContent()
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
    await expect(page.getByTestId('map-text')).toHaveText(/^Selected: /)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(before).toMatch(/^Selected: /)
    // The canvas has content: more than one color.
    const colours = await map
      .locator('canvas')
      .evaluate(
        (canvas: HTMLCanvasElement) =>
          new Set(canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data).size,
      )
    expect(colours).toBeGreaterThan(2)
  })

  test('can be saved in each format', async ({ window: { open, page, mock } }) => {
    storeEmbedding(mock)
    await open(PLACE)
    await showStoredEmbedding(page)
    for (const form of ['csv', 'json', 'npy', 'parquet']) {
      await page.getByLabel('File format').selectOption(form)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: `Save as ${form === 'parquet' ? 'Parquet' : form.toUpperCase()}` })
          .click(),
      ])
      expect(download.suggestedFilename()).toBe(`embedding.${form}`)
      expect(await readFile(await download.path(), 'utf8')).toBe(`${form} of 60\n`)
    }
  })

  test('can be paused while it runs, and then analyzed as far as it is', async ({
    window: { open, page, mock },
  }) => {
    storeEmbedding(mock, {
      state: 'sending',
      sentAt: Date.now(),
      parts: { of: 60, done: 20 },
      vectors: { count: 20, dimensions: 4 },
    })
    await open(PLACE)
    await page.getByRole('button', { name: /texts by sandbox/ }).click()
    await expect(page.getByTestId('texts-done')).toContainText('20 of 60 texts done')
    await expect(
      page.getByText('Nearest neighbors, similarity, and the map appear here when it’s done or paused.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('Nothing more is sent until you resume.', { exact: false })).toBeVisible()
    await expect(page.getByTestId('neighbours').getByRole('listitem').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send remaining parts' })).toBeVisible()
  })

  test('of many texts analyzes only the first, with a note', async ({ window: { open, page, mock } }) => {
    storeEmbedding(mock, { cost: usd(0.1) }, 2500)
    await open(PLACE)
    await showStoredEmbedding(page)
    await expect(
      page.getByText(
        'Only the first 2,000 of 2,500 texts are analyzed here. Saved files include all of them.',
      ),
    ).toBeVisible()
    await expect(page.getByText('First 50 of 2,000 texts')).toBeVisible()
  })
})
