import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { dataEndpoints } from '../../src/sandbox/data/endpoints.ts'
import { usd } from './mock-data.ts'
import { failure } from './mock-server.ts'
import { job } from './mock-studio.ts'
import { answering, askPeople, listed, lookup, peopleSearch, table } from './screens/data-screens.ts'
import { expect, test } from './window-test.ts'

const bar = (page: Page) => page.getByTestId('cell-bar')
const editor = (page: Page) => page.getByLabel('Request (JSON)')
const saved = async (page: Page, name: string): Promise<{ name: string; text: string }> => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test.describe('the catalog', () => {
  test('lists the service’s current lookups in groups with prices, and can be searched', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    await open('#/data')
    const people = page.getByRole('region', { name: 'People and organizations' })
    await expect(people.getByRole('button')).toHaveCount(4)
    await expect(lookup(page, '^Search people')).toContainText('$0.023')
    // Unknown is unknown, and never nothing.
    await expect(lookup(page, '^Scrape a page')).toContainText('no listed price')
    await page.getByLabel('Search lookups').fill('enrich email')
    await expect(page.locator('[data-endpoint]')).toHaveCount(1)
    await expect(page.getByText('1 of 27 found')).toBeVisible()
    await page.getByLabel('Search lookups').fill('nothing of it')
    await page.getByRole('button', { name: 'Show all lookups' }).click()
    await expect(page.locator('[data-endpoint]')).toHaveCount(27)
    mock.state.purchases.endpoints = mock.state.purchases.endpoints!.slice(0, 3)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.locator('[data-endpoint]')).toHaveCount(3)
  })

  test('has the microblog group in Revision A, but not in B', async ({ window: { open, page, mock } }) => {
    listed(mock)
    const microblog = dataEndpoints
      .filter(({ group }) => group === 'microblog')
      .map(({ method, path, title, group }) => ({ method, path, name: title, group }))
    mock.state.purchases.endpoints = [...mock.state.purchases.endpoints!, ...microblog]
    mock.state.status = { ...mock.state.status, service: { ...mock.state.status.service, revision: 'A' } }
    await open('#/data')
    await expect(page.getByRole('region', { name: 'Microblog' }).getByRole('button')).toHaveCount(12)
    mock.state.status = { ...mock.state.status, service: { ...mock.state.status.service, revision: 'B' } }
    await page.reload()
    await expect(lookup(page, '^Search people')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Microblog' })).toHaveCount(0)
  })

  test('shows an error if it can’t load, and can be loaded again', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.failures['purchases.dataEndpoints'] = failure('service/unreachable')
    await open('#/data')
    await expect(page.getByRole('alert')).toContainText('service/unreachable')
    mock.state.failures = {}
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(lookup(page, '^Search people')).toBeVisible()
  })
})

test.describe('people search', () => {
  test('has the fields of the specification, shows the price before and the cost after', async ({
    window: { open, page, mock },
  }) => {
    answering(mock)
    await open('#/data')
    await lookup(page, '^Search people').click()
    await expect(page.getByRole('heading', { name: 'Search people' })).toBeFocused()
    await expect(page.getByTestId('price')).toHaveText('Fill in at least one field.')
    await expect(page.getByRole('button', { name: 'Run lookup' })).toBeDisabled()
    await page.getByLabel('Quantity').fill('1.5')
    await expect(page.getByText('Enter a whole number of 1 or more.')).toBeVisible()
    await page.getByLabel('Quantity').fill('25')
    await page.getByLabel('Keywords').fill('lighthouse engineer')
    await page.getByLabel('Locations').fill('Lisbon\nPorto')
    await expect(page.getByTestId('price')).toContainText('Costs $0.023.')
    expect(mock.calls.some(({ path }) => path === 'studio.start')).toBe(false)
    await page.getByRole('button', { name: 'Run lookup' }).click()
    await expect(table(page)).toBeVisible()
    expect(mock.calls.find(({ path }) => path === 'studio.start')?.input).toMatchObject({
      pay: 'balance',
      ask: {
        kind: 'data',
        method: 'POST',
        path: '/api/people/people-search',
        input: { q_keywords: 'lighthouse engineer', person_locations: ['Lisbon', 'Porto'], per_page: 25 },
      },
    })
    await expect(page.getByTestId('job-cost')).toContainText('Cost $')
    await expect(page.getByTestId('table-size')).toHaveText('40 rows, 9 columns')
    await page.getByRole('button', { name: 'Back to lookups' }).click()
    await expect(lookup(page, '^Search people')).toBeFocused()
    await expect(
      page.getByRole('region', { name: 'Past lookups' }).getByRole('button').first(),
    ).toContainText('lighthouse engineer')
  })

  test('converts between fields and JSON, and stays in JSON if the fields can’t show it', async ({
    window: { open, page, mock },
  }) => {
    answering(mock)
    await open('#/data')
    await lookup(page, '^Search people').click()
    await page.getByLabel('Keywords').fill('keeper')
    await page.getByRole('radio', { name: 'JSON' }).check()
    await expect(editor(page)).toHaveValue('{\n  "q_keywords": "keeper"\n}')
    await editor(page).fill('{"q_keywords": "keeper", "page": 2}')
    await page.getByRole('radio', { name: 'Form' }).click()
    await expect(page.getByRole('alert')).toContainText('stays as JSON')
    await expect(editor(page)).toBeVisible()
    await editor(page).fill('{"q_keywords": "mason", "per_page": 3}')
    await page.getByRole('radio', { name: 'Form' }).click()
    await expect(page.getByLabel('Keywords')).toHaveValue('mason')
    await expect(page.getByLabel('Quantity')).toHaveValue('3')
  })

  test('can be canceled while it waits for payment, and is paid per request over Lightning', async ({
    window: { open, page, mock },
  }) => {
    answering(mock)
    mock.state.status = { ...mock.state.status, account: { connected: false } }
    await open('#/data')
    await lookup(page, '^Search people').click()
    await page.getByLabel('Keywords').fill('keeper')
    await page.getByRole('button', { name: 'Get price in sats' }).click()
    const card = page.getByRole('article', { name: /people-search/ })
    await expect(card).toContainText('Waiting for payment')
    expect(mock.calls.findLast(({ path }) => path === 'studio.start')?.input).toMatchObject({ pay: 'single' })
    await card.getByRole('button', { name: 'Cancel' }).click()
    await expect(card).toContainText('Stopped')
  })
})

test.describe('JSON', () => {
  test('with an error shows its position, and is not sent', async ({ window: { open, page, mock } }) => {
    listed(mock)
    await open('#/data')
    await lookup(page, '^Search the web').click()
    await editor(page).fill('{\n  "query": "lighthouses"\n  "numResults": 5\n}')
    await expect(page.getByText('Line 3, column 3: Missing comma between fields.')).toBeVisible()
    await expect(editor(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('button', { name: 'Run lookup' })).toBeDisabled()
    await page.getByRole('button', { name: 'Go to error' }).click()
    await expect(editor(page)).toBeFocused()
    expect(
      await editor(page).evaluate((area) =>
        area instanceof HTMLTextAreaElement
          ? area.value.slice(area.selectionStart, area.selectionStart + 5)
          : '',
      ),
    ).toBe('"numR')
    await page.getByRole('button', { name: 'Insert example' }).click()
    await expect(page.getByTestId('price')).toContainText('Costs')
    await expect(page.getByRole('button', { name: 'Run lookup' })).toBeEnabled()
  })

  test('of a GET lookup accepts only plain values', async ({ window: { open, page, mock } }) => {
    listed(mock)
    await open('#/data')
    await lookup(page, '^Place details, all').click()
    await editor(page).fill('{"placeId": ["x"]}')
    await expect(
      page.getByText(/^Line 1, column 2: This lookup sends its fields in the URL query/),
    ).toBeVisible()
  })
})

test.describe('a result', () => {
  test('is a table that can be sorted, used by keyboard, and saved in the order shown', async ({
    window: { open, page, mock },
  }) => {
    answering(mock, 500)
    await open('#/data')
    await askPeople(page)
    const grid = table(page)
    await expect(grid).toHaveAttribute('aria-rowcount', '501')
    // Only what is in view is drawn.
    expect(await grid.getByRole('row').count()).toBeLessThan(80)
    await grid.getByRole('columnheader', { name: 'score' }).click()
    await expect(grid.getByRole('columnheader', { name: 'score' })).toHaveAttribute('aria-sort', 'ascending')
    await grid.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await expect(bar(page)).toContainText('Ada Adagio 0')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(grid.getByRole('columnheader', { name: 'score' })).toHaveAttribute('aria-sort', 'descending')
    await page.keyboard.press('Control+End')
    await expect(grid).toHaveAttribute('aria-activedescendant', /-499-8$/)
    await page.keyboard.press('Home')
    await expect(grid.getByRole('row', { name: /^p0 Ada Adagio 0 / })).toBeVisible()
    const { name, text } = await saved(page, 'Save as CSV')
    expect(name).toMatch(/^sotto-people-search-\d{4}-\d\d-\d\d\.csv$/)
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(501)
    expect(lines[0]).toBe(
      'id,name,score,email,linkedin_url,title,organization.name,organization.primary_domain,tags',
    )
    expect(lines.at(-1)).toContain('Ada Adagio 0,0,')
    // A formula is text by then.
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    const json = await saved(page, 'Save as JSON')
    expect(JSON.parse(json.text)).toMatchObject({ pagination: { per_page: 500 } })
  })

  test('shows the address before it opens a link, and renders no HTML', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.answers = () =>
      JSON.stringify({
        results: [
          {
            title: '<img src=x onerror="window.wasRun = true">',
            url: 'https://bank.example@evil.example/a',
            trap: 'javascript:alert(1)',
          },
        ],
      })
    await open('#/data')
    await lookup(page, '^Search the web').click()
    await page.getByRole('button', { name: 'Run lookup' }).click()
    await expect(page.getByRole('gridcell', { name: '<img src=x' })).toBeVisible()
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.evaluate('window.wasRun')).toBeUndefined()
    await page.getByRole('gridcell', { name: 'javascript:alert(1)' }).click()
    await expect(bar(page)).toContainText('javascript:alert(1)')
    await expect(bar(page).getByRole('button', { name: 'Open link…' })).toHaveCount(0)
    await page.getByRole('gridcell', { name: 'https://bank.example@' }).click()
    await bar(page).getByRole('button', { name: 'Open link…' }).click()
    await expect(page.getByRole('dialog').locator('strong')).toHaveText('evil.example')
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('is a tree that expands and collapses by keyboard', async ({ window: { open, page, mock } }) => {
    answering(mock)
    await open('#/data')
    await askPeople(page)
    await page.getByRole('tab', { name: 'JSON' }).click()
    const tree = page.getByRole('tree', { name: 'Result as JSON' })
    await expect(tree.getByRole('treeitem').nth(1)).toContainText('people')
    await tree.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(tree.locator('[aria-selected="true"]')).toContainText('8 fields')
    await page.keyboard.press('ArrowRight')
    await expect(tree.locator('[aria-selected="true"]')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowRight')
    await expect(bar(page)).toContainText('p0')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(tree.locator('[aria-selected="true"]')).toHaveAttribute('aria-expanded', 'false')
  })

  test('with JSON in a text shows it parsed, with a note', async ({ window: { open, page, mock } }) => {
    listed(mock)
    mock.state.studio.answers = () =>
      JSON.stringify({
        content: JSON.stringify({
          data: [
            { id: '1', text: 'A keeper' },
            { id: '2', text: 'A lamp' },
          ],
        }),
      })
    await open('#/data')
    await lookup(page, '^Search a forum').click()
    await page.getByRole('button', { name: 'Run lookup' }).click()
    await expect(page.getByText('content (received as JSON text)')).toBeVisible()
    await expect(page.getByTestId('table-size')).toHaveText('2 rows, 2 columns')
  })

  test('that isn’t JSON is shown as text, and an empty one has a note', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.answers = () => '<h1>no</h1>'
    await open('#/data')
    await lookup(page, '^Search the web').click()
    await page.getByRole('button', { name: 'Run lookup' }).click()
    await expect(page.getByRole('region', { name: 'Result as text' })).toHaveText('<h1>no</h1>')
    mock.state.studio.answers = () => '[]'
    await page.getByRole('button', { name: 'Run lookup' }).click()
    await page.getByRole('tab', { name: 'Table' }).click()
    await expect(page.getByText('The result has no rows.')).toBeVisible()
  })

  test('of a past lookup opens from the list, and its request can be reused', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    const answerBytes = Buffer.from('{"people":[{"name":"Ada Adagio"}]}')
    const file = {
      index: 0,
      role: 'answer' as const,
      name: 'answer.json',
      type: 'application/json',
      bytes: answerBytes.length,
    }
    mock.state.studio.files.set('old/0', { file, bytes: answerBytes })
    mock.state.studio.jobs = [job('old', { ask: peopleSearch, files: [file], cost: usd(0.023) })]
    await open('#/data')
    await page
      .getByRole('region', { name: 'Past lookups' })
      .getByRole('button', { name: /lighthouse engineer/ })
      .click()
    await expect(page.getByRole('gridcell', { name: 'Ada Adagio' })).toBeVisible()
    await page.getByRole('button', { name: 'Reuse request' }).click()
    await expect(editor(page)).toHaveValue(/"q_keywords": "lighthouse engineer"/)
  })

  test('with an unknown outcome has a note, and offers a comparison before it is sent again', async ({
    window: { open, page, mock },
  }) => {
    listed(mock)
    mock.state.studio.becomes = 'unknown'
    await open('#/data')
    await lookup(page, '^Search the web').click()
    await page.getByRole('button', { name: 'Run lookup' }).click()
    const card = page.getByRole('article', { name: /websearch/ })
    await expect(card).toContainText('Unknown')
    await card.getByRole('button', { name: 'Compare with service history' }).click()
    await expect(card).toContainText('probably wasn’t processed')
    await expect(card.getByRole('button', { name: 'Send and pay again' })).toBeVisible()
  })
})
