import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { row, someTable } from './mock-batches.ts'
import { usd } from './mock-data.ts'
import { failure, type MockServer } from './mock-server.ts'
import { counted, listed, mapTable, showBatch, someBatch } from './screens/data-screens.ts'
import { expect, test } from './window-test.ts'

const started = (mock: MockServer) => mock.calls.findLast(({ path }) => path === 'studio.start')?.input
const counts = (page: Page) => page.getByTestId('batch-counts')
const csv = (name = 'contacts.csv', text = 'name,e-mail,city\nAda,ada@adagio.example,Lisbon\n') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

test.describe('a new batch', () => {
  test('maps columns to fields, shows the cost of all rows, and starts only on request', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.price = counted(248, 2)
    mock.state.studio.becomes = 'held'
    await open('#/data/batch')
    await mapTable(page)
    const preview = page.getByRole('grid', { name: 'Table preview' })
    await expect(preview.getByRole('gridcell', { name: 'Ada Adagio', exact: true })).toBeVisible()
    // The column with the same name as the field is already selected.
    await expect(page.getByRole('group', { name: 'email' }).getByLabel('Column')).toHaveValue('1')
    await expect(page.getByTestId('counted')).toContainText(
      '248 rows to send, $0.046 each. 2 rows can’t be sent as they are and cost nothing.',
    )
    await expect(page.getByTestId('price')).toContainText('Costs $2.86.')
    expect(mock.calls.some(({ path }) => path === 'studio.start')).toBe(false)
    await page.getByRole('button', { name: 'Add field' }).click()
    await expect(page.getByTestId('price')).toHaveText('Each field needs a name.')
    await page
      .getByRole('group', { name: 'Field', exact: true })
      .getByLabel('Field', { exact: true })
      .fill('name')
    await expect(page.getByTestId('price')).toHaveText('Choose a column for each field.')
    await page.getByRole('group', { name: 'name', exact: true }).getByLabel('Column').selectOption('name')
    await page.getByLabel('Total limit for all rows (US dollars)').fill('two')
    await expect(page.getByText('Enter an amount in dollars, such as 2.50.')).toBeVisible()
    await page.getByLabel('Total limit for all rows (US dollars)').fill('2.5')
    await expect(page.getByTestId('above-cap')).toContainText('exceeds your limit of $2.50')
    await page.getByLabel('Rows in parallel').selectOption('4')
    await page.getByText('Same for every row').click()
    await page.getByLabel('Fields for every row (JSON)').fill('{"reveal": true}')
    await page.getByRole('button', { name: 'Start batch' }).click()
    await expect(page.getByRole('heading', { name: 'contacts.csv: Enrich a person' })).toBeFocused()
    expect(started(mock)).toMatchObject({
      pay: 'balance',
      ask: {
        kind: 'batch',
        method: 'POST',
        path: '/api/people/people-enrich',
        columns: { email: { column: 1, as: 'text' }, name: { column: 0, as: 'text' } },
        header: true,
        delimiter: ',',
        concurrency: 4,
        most: '2500000000000',
        input: { reveal: true },
      },
    })
    await expect(counts(page)).toContainText('0 of 250 rows done, 250 not sent')
  })

  test('has the known fields of a lookup, and omits those without a column', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.price = counted(250)
    await open('#/data/batch')
    await page.getByTestId('file-input').setInputFiles(csv())
    await page.getByLabel('Lookup', { exact: true }).selectOption('POST /api/people/people-search')
    await expect(page.getByTestId('price')).toHaveText('Map at least one column to a field.')
    await page.getByRole('group', { name: 'person_locations' }).getByLabel('Column').selectOption('city')
    await expect(page.getByRole('group', { name: 'person_locations' }).getByLabel('Data type')).toHaveValue(
      'list',
    )
    await expect(page.getByTestId('counted')).toContainText('250 rows to send, $0.023 each.')
    await page.getByRole('button', { name: 'Start batch' }).click()
    await expect
      .poll(() => started(mock))
      .toMatchObject({ ask: { columns: { person_locations: { column: 2, as: 'list' } } } })
  })

  test('reads a file with the selected options, and another that is dropped', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    await open('#/data/batch')
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['a;b\n1;2\n'], 'dropped.csv', { type: 'text/csv' }))
      return data
    })
    await page.getByTestId('file-place').dispatchEvent('drop', { dataTransfer: dropped })
    await expect(page.getByTestId('file-place')).toContainText('dropped.csv')
    await expect(page.getByLabel('Delimiter').locator('option').first()).toHaveText('Detected: Comma')
    await page.getByLabel('Delimiter').selectOption(';')
    await page.getByLabel('First row contains column names').uncheck()
    await expect
      .poll(() => mock.calls.findLast(({ path }) => path === 'studio.table')?.input)
      .toMatchObject({ header: false, delimiter: ';' })
  })

  for (const [code, alertText] of [
    ['studio/csv-rows', 'The table has more than 200,000 rows'],
    ['studio/text-encoding', 'The file isn’t UTF-8 or UTF-16 text'],
    ['studio/csv-malformed', 'The table can’t be read'],
    ['studio/csv-empty', 'The table has no rows.'],
  ] as const) {
    test(`shows what to do about a refused table (${code}) before it costs money`, async ({
      window: { open, page, mock },
    }) => {
      listed(mock)
      mock.state.batches.table = code
      await open('#/data/batch')
      await page.getByTestId('file-input').setInputFiles(csv())
      await expect(page.getByRole('alert')).toContainText(alertText)
      await expect(page.getByRole('button', { name: 'Start batch' })).toHaveCount(0)
      expect(mock.calls.some(({ path }) => path === 'studio.estimate' || path === 'studio.start')).toBe(false)
      // A valid file replaces it.
      mock.state.batches.table = someTable
      await page.getByTestId('file-input').setInputFiles(csv('better.csv'))
      await expect(page.getByTestId('table-size')).toBeVisible()
    })
  }

  test('without a valid row shows an error, and can’t be started', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.price = () => 'studio/invalid-cell'
    await open('#/data/batch')
    await page.getByTestId('file-input').setInputFiles(csv())
    await page.getByLabel('Lookup', { exact: true }).selectOption('POST /api/people/people-enrich')
    await expect(page.getByRole('alert')).toContainText('studio/invalid-cell')
    await expect(page.getByRole('button', { name: 'Start batch' })).toBeDisabled()
  })
})

test.describe('a batch', () => {
  test('shows its rows and costs while it runs, pauses, resumes, and can be saved', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.price = counted(250)
    mock.state.studio.becomes = 'held'
    await open('#/data/batch')
    await mapTable(page)
    await page.getByRole('button', { name: 'Start batch' }).click()
    const grid = page.getByRole('grid', { name: 'Batch rows' })
    await expect(grid.getByRole('row').nth(1)).toContainText('Not sent')
    const [{ id } = { id: '' }] = mock.state.studio.jobs
    mock.state.batches.turn(id, 0, { state: 'done', answer: '{"status":"valid"}', cost: usd(0.046) })
    await expect(counts(page)).toContainText('1 of 250 rows done')
    await expect(page.getByTestId('batch-cost')).toHaveText('$0.046')
    await expect(grid.getByRole('row').nth(1)).toContainText('$0.046')
    await expect(page.getByRole('progressbar', { name: 'Finished rows' })).toHaveAttribute('value', '1')
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('No more rows are sent until you resume.')).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(mock.calls.findLast(({ path }) => path === 'studio.resume')?.input).toEqual({ jobId: id })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).last().click()
    const file = await download
    expect(await readFile(await file.path(), 'utf8')).toBe('csv of 250\n')
  })

  test('that is paid per row starts with the wallet’s confirmation, and shows why if it can’t', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.price = counted(250)
    mock.state.studio.becomes = 'held'
    mock.state.status = { ...mock.state.status, account: { connected: false } }
    mock.state.failures['studio.pay'] = failure('wallet/not-connected')
    await open('#/data/batch')
    await mapTable(page)
    await expect(page.getByRole('radio', { name: 'Per row, over Lightning' })).toBeChecked()
    await page.getByRole('button', { name: 'Start batch' }).click()
    await expect(page.getByRole('alert')).toContainText('wallet/not-connected')
    await expect(page.getByText('No rows have been sent.')).toBeVisible()
    mock.state.failures = {}
    await page.getByRole('button', { name: 'Start and pay rows' }).click()
    await expect(page.getByText('Running')).toBeVisible()
  })

  test('shows which rows have an unknown outcome, and sends them again only if the user selects this', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    someBatch(mock)
    await open('#/data/batch')
    await showBatch(page)
    await expect(page.getByText('3 rows have an unknown outcome')).toBeVisible()
    await page.getByRole('button', { name: 'Compare with service history' }).click()
    await expect.poll(() => mock.calls.some(({ path }) => path === 'studio.compare')).toBe(true)
    await page.getByLabel('Show').selectOption('unknown')
    await expect(page.getByRole('grid', { name: 'Batch rows' })).toHaveAttribute('aria-rowcount', '4')
    await page.getByLabel('Send the 3 rows with unknown outcomes again').check()
    await page.getByLabel('Total limit for all rows (US dollars)').fill('')
    await expect(page.getByRole('button', { name: 'Resume' })).toBeDisabled()
    await page.getByLabel('Total limit for all rows (US dollars)').fill('5')
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect
      .poll(() => mock.calls.findLast(({ path }) => path === 'studio.resume')?.input)
      .toEqual({ jobId: 'batch-1', rows: ['unknown'], most: '5000000000000' })
  })

  test('sends only unsent rows by default, under its previous limit', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    someBatch(mock)
    await open('#/data/batch')
    await showBatch(page)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect
      .poll(() => mock.calls.findLast(({ path }) => path === 'studio.resume')?.input)
      .toEqual({ jobId: 'batch-1' })
  })

  test('opens a whole row by keyboard, with its response and its error', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    someBatch(mock)
    await open('#/data/batch')
    await showBatch(page)
    const grid = page.getByRole('grid', { name: 'Batch rows' })
    await grid.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const detail = page.getByRole('region', { name: 'Row 2', exact: true })
    await expect(detail.getByRole('heading', { name: 'Row 2' })).toBeFocused()
    await expect(detail).toContainText('Cost $0.0115')
    await expect(detail.getByRole('gridcell', { name: 'valid' })).toBeVisible()
    await page.getByLabel('Show').selectOption('failed')
    await expect(grid).toHaveAttribute('aria-rowcount', '5')
    await grid.getByRole('gridcell', { name: '121', exact: true }).dblclick()
    await expect(page.getByRole('region', { name: 'Row 121', exact: true })).toContainText('service/rejected')
  })

  test('of 200,000 rows renders the visible ones, and loads only as far as the user scrolls', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    someBatch(mock)
    mock.state.batches.rows.set('batch-1', {
      columns: someTable.columns,
      rows: Array.from({ length: 200_000 }, (_, index) => row(index)),
    })
    await open('#/data/batch')
    await showBatch(page)
    const grid = page.getByRole('grid', { name: 'Batch rows' })
    await expect(grid).toHaveAttribute('aria-rowcount', '200001')
    await grid.focus()
    await page.keyboard.press('Control+End')
    await expect(grid.getByRole('gridcell', { name: '200,000', exact: true })).toBeVisible()
    await expect(grid.getByRole('gridcell', { name: 'Name 200000', exact: true })).toBeVisible()
    expect(await grid.getByRole('row').count()).toBeLessThan(80)
    expect(mock.calls.filter(({ path }) => path === 'studio.rows').length).toBeLessThan(12)
  })

  test('with unreadable rows shows an error, and can be loaded again', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    someBatch(mock)
    mock.state.failures['studio.rows'] = failure('store/damaged')
    await open('#/data/batch')
    await page.getByRole('button', { name: /^contacts\.csv: / }).click()
    await expect(page.getByRole('region', { name: 'Rows', exact: true }).getByRole('alert')).toContainText(
      'store/damaged',
    )
    mock.state.failures = {}
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('gridcell', { name: 'Name 1', exact: true })).toBeVisible()
  })
})
