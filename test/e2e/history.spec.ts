import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { HistoryRecord } from '../../src/shared/history.ts'
import { axeFaults } from './axe.ts'
import { createGate } from './gate.ts'
import { receipt, serviceStatus, usd } from './mock-data.ts'
import { failure, type MockServer } from './mock-server.ts'
import { query } from './mock-history.ts'
import { full, listOf, missing } from './screens/history-screens.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()
const today = new Date(now).toISOString().slice(0, 10)

const totals = (page: Page) => page.getByTestId('totals')
const shown = (page: Page) => page.getByTestId('shown')
const asked = (mock: MockServer, call: string) =>
  mock.calls.filter(({ path }) => path === call).map(({ input }) => input as { filter: object })

test.describe('requests', () => {
  test('show time, model, key, source, tokens and cost; privacy only if there is a receipt', async ({
    window: { open, page, mock },
  }) => {
    const records: HistoryRecord[] = [
      query(now, { model: 'private/lento-72b', cost: '18150000' }),
      query(now - 1000, { model: 'lento-72b', receipt: { id: 'r1', privacy: 'sealed' } }),
      query(now - 2000, {
        keyName: 'Build server',
        source: 'ui',
        online: true,
        errorCode: 'timeout',
        receipt: { id: 'r2', privacy: 'forwarded' },
      }),
    ]
    mock.state.queryHistory.records = records
    mock.state.receipts = [receipt('r1', now - 1000)]
    await open('#/history')
    const lines = listOf(page).getByRole('listitem')
    await expect(lines).toHaveCount(3)
    // A private model's name is no proof of privacy.
    await expect(lines.nth(0)).toContainText('No receipt on this computer')
    await expect(lines.nth(0)).toContainText('0.001815¢')
    await expect(lines.nth(0).locator('[data-privacy]')).toHaveCount(0)
    await expect(lines.nth(0).getByRole('button')).toHaveCount(0)
    await expect(lines.nth(1)).toContainText('Private')
    await expect(lines.nth(2)).toContainText('Visible')
    await expect(lines.nth(2)).toContainText('chat, source: Website, web search, key: Build server, timeout')
    await expect(lines.nth(2)).toContainText('1.8K tokens in, 612 out')
    await lines.nth(1).getByRole('button').click()
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Private')
  })

  test('show both costs if the receipt differs, and the sum of the differences', async ({
    window: { open, page, mock },
  }) => {
    const costs = (cost: string | undefined, ofReceipt: string | undefined, at: number): HistoryRecord => {
      const { cost: _, ...rest } = query(at)
      return {
        ...rest,
        ...(cost !== undefined && { cost }),
        receipt: {
          id: `r${String(at)}`,
          privacy: 'sealed',
          ...(ofReceipt !== undefined && { cost: ofReceipt }),
        },
      }
    }
    mock.state.queryHistory.records = [
      costs('300000000000', '200000000000', now),
      costs('18150000', '18150001', now - 1000),
      costs('4200000000', '4200000000', now - 2000),
      costs(undefined, '1', now - 3000),
      costs('5', undefined, now - 4000),
    ]
    await open('#/history')
    const lines = listOf(page).getByRole('listitem')
    await expect(lines.nth(0)).toContainText('$0.30')
    await expect(lines.nth(0)).toContainText('receipt: $0.20')
    await expect(lines.nth(1)).toContainText('receipt: 0.0018150001¢')
    for (const line of [2, 3, 4]) await expect(lines.nth(line)).not.toContainText('receipt:')
    await expect(page.getByTestId('sums')).toHaveText(
      '3 requests with a receipt: $0.30421815 by the service, $0.204218150001 by receipts. 2 costs differ from their receipts: the service charged $0.099999999999 more.',
    )
    expect(await axeFaults(page, 'main')).toEqual([])
  })

  test('include receipts that the service doesn’t list, in order of time, with a separate sum', async ({
    window: { open, page, mock },
  }) => {
    missing(mock)
    await open('#/history')
    const lines = listOf(page).getByRole('listitem')
    await expect(lines).toHaveCount(5)
    await expect(lines.nth(1)).toContainText('Not in the service’s history')
    await expect(lines.nth(1)).toContainText('receipt: 0.42¢')
    await expect(lines.nth(4)).toContainText('Not in the service’s history, key: Default')
    await expect(page.getByTestId('sums')).toHaveText(
      '1 request with a receipt: $0.0193 by the service, $0.0193 by the receipt. 2 requests with a receipt aren’t in the service’s history: $0.0123. 3 more receipts can’t be matched to exactly one request.',
    )
    await expect(shown(page)).toHaveText('Showing 5 of 5')
    expect(await axeFaults(page, 'main')).toEqual([])
    await lines.nth(1).getByRole('button').click()
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Private')
  })

  test('include receipts if the service lists nothing, but not with a filter that receipts don’t support', async ({
    window: { open, page, mock },
  }) => {
    missing(mock)
    mock.state.queryHistory.records = []
    await open('#/history')
    await expect(listOf(page).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByText('No matching requests')).toBeHidden()
    mock.state.queryHistory.missing = []
    mock.state.queryHistory.records = [query(now)]
    mock.state.queryHistory.uncompared = null
    await page.getByLabel('Source', { exact: true }).fill('api')
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('sums')).toHaveText(
      'Receipts without a record aren’t listed for this selection.',
    )
  })

  test('load a receipt again after the history confirmed its cost, and show that', async ({
    window: { open, page, mock },
  }) => {
    const doubted = receipt('r1', now, { cost: usd(9), costDoubted: true, charged: usd(0.02) })
    mock.state.receipts = [doubted]
    mock.state.queryHistory.records = [query(now, { receipt: { id: 'r1', privacy: 'sealed', cost: usd(9) } })]
    await open('#/history')
    const dialog = page.getByRole('dialog', { name: 'Receipt' })
    const line = listOf(page).getByRole('listitem').first()
    await line.getByRole('button').click()
    await expect(dialog).toContainText('The cost is more than twice the estimate.')
    await page.keyboard.press('Escape')
    const { costDoubted: _, ...rest } = doubted
    mock.state.receipts = [{ ...rest, charged: usd(0.0042), confirmed: { cost: usd(0.0042), recordAt: now } }]
    mock.state.queryHistory.records = [
      query(now, { receipt: { id: 'r1', privacy: 'sealed', cost: usd(0.0042), confirmed: true } }),
    ]
    await page.getByLabel('Date range').selectOption('all')
    await expect(line).not.toContainText('receipt:')
    await line.getByRole('button').click()
    await expect(dialog).toContainText(
      'Confirmed by the service’s history. Before that, the cost appeared to be $9.00.',
    )
    await expect(dialog).not.toContainText('more than twice')
    expect(await axeFaults(page, '[role=dialog]')).toEqual([])
  })

  test('load older ones near the end, each once, without moving the list', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/history')
    await page.getByLabel('Date range').selectOption('all')
    await expect(shown(page)).toHaveText('Showing 50 of 700')
    const list = listOf(page)
    await list.focus()
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(shown(page)).toHaveText('Showing 700 of 700', { timeout: 200 })
    }).toPass({ timeout: 60_000 })
    const cursors = mock.calls
      .filter(({ path }) => path === 'history.page')
      .map(({ input }) => (input as { cursor?: string }).cursor)
    expect(new Set(cursors).size).toBeGreaterThanOrEqual(14)
    await expect(page.getByRole('button', { name: 'Load older requests' })).toBeHidden()
  })

  test('stay in place while older ones load', async ({ window: { open, page, mock } }) => {
    full(mock)
    await open('#/history')
    await page.getByLabel('Date range').selectOption('all')
    await expect(shown(page)).toHaveText('Showing 50 of 700')
    const gate = Promise.withResolvers<undefined>()
    mock.state.queryHistory.before = () => gate.promise
    const list = listOf(page)
    const place = () =>
      list.evaluate((element) => {
        const { top } = element.getBoundingClientRect()
        return [...element.querySelectorAll('li')]
          .map((line) => [line.textContent, Math.round(line.getBoundingClientRect().top - top)] as const)
          .find(([, at]) => at >= 0)
      })
    await list.evaluate((element) =>
      element.scrollTo({ top: element.scrollHeight - element.clientHeight - 300 }),
    )
    await expect(page.getByText('Loading more…')).toBeVisible()
    const before = await place()
    expect(before).toBeDefined()
    gate.resolve(undefined)
    await expect(shown(page)).toHaveText('Showing 100 of 700')
    expect(await place()).toEqual(before)
  })

  test('show how many couldn’t be read, also if the service reports no total', async ({
    window: { open, page, mock },
  }) => {
    mock.state.queryHistory.records = [query(now), query(now - 5)]
    mock.state.queryHistory.unreadable = 3
    mock.state.queryHistory.counts = false
    await open('#/history')
    await expect(shown(page)).toHaveText('Showing 2; 3 more couldn’t be read')
    await expect(totals(page)).toContainText('3 couldn’t be read, not included in the total')
  })

  test('show when they are loading, empty or failed', async ({ window: { open, page, mock } }) => {
    const gate = createGate()
    mock.state.queryHistory.before = gate.step
    await open('#/history')
    await expect(page.getByText('Loading requests…')).toBeVisible()
    await expect(page.getByText('Calculating…')).toBeVisible()
    gate.go()
    await expect(page.getByText('No matching requests')).toBeVisible()
    await expect(totals(page)).toContainText('$0.00')
    mock.state.failures['history.page'] = failure('service/unreachable')
    mock.state.failures['history.summary'] = failure('service/unreachable')
    await page.getByRole('button', { name: 'Show all requests' }).click()
    // A single failure causes only one alert.
    await expect(page.getByRole('alert')).toHaveCount(1)
    await expect(page.getByRole('alert')).toContainText('service/unreachable')
    mock.state.failures = {}
    mock.state.queryHistory.records = [query(now)]
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(shown(page)).toHaveText('Showing 1 of 1')
    await expect(totals(page)).toContainText('1 request')
  })

  test('keep the loaded ones if the next page fails', async ({ window: { open, page, mock } }) => {
    full(mock)
    await open('#/history')
    await expect(listOf(page)).toBeVisible()
    mock.state.failures['history.page'] = failure('service/rate-limited')
    await listOf(page).focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('alert')).toContainText('service/rate-limited')
    await expect(shown(page)).toContainText('50 of')
    // Scrolls away from the end of the list, because only the end loads more automatically.
    await page.keyboard.press('Home')
    await expect.poll(() => listOf(page).evaluate((element) => element.scrollTop)).toBeLessThan(100)
    mock.state.failures = {}
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(shown(page)).toContainText('100 of')
  })
})

test.describe('filters', () => {
  test('by days, model, source, type and key apply to the list, the sums and the file', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/history')
    await expect(listOf(page)).toBeVisible()
    await page.getByLabel('Model', { exact: true }).fill('lento-72b')
    await page.keyboard.press('Enter')
    await page.getByLabel('Source', { exact: true }).fill('api')
    await page.keyboard.press('Enter')
    await page.getByLabel('Type', { exact: true }).fill('chat_completion')
    await page.keyboard.press('Enter')
    await page.getByLabel('Key', { exact: true }).selectOption('Default')
    await page.getByLabel('Date range').selectOption('own')
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await page.getByLabel('To', { exact: true }).fill(today)
    const filter = {
      model: 'lento-72b',
      source: 'api',
      type: 'chat_completion',
      keyId: 'k1',
      from: '2026-01-01',
      until: today,
    }
    await expect.poll(() => asked(mock, 'history.page').at(-1)?.filter).toEqual(filter)
    await expect.poll(() => asked(mock, 'history.summary').at(-1)?.filter).toEqual(filter)
    await expect(listOf(page).getByRole('listitem').first()).toContainText('lento-72b')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    expect((await download).suggestedFilename()).toBe(`sotto-history-2026-01-01-${today}.csv`)
    expect(asked(mock, 'history.export').at(-1)?.filter).toEqual(filter)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect
      .poll(() => asked(mock, 'history.page').at(-1)?.filter)
      .toEqual({ from: '2026-01-01', until: today })
  })

  test('offer no keys for an account that is connected only by its API key', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.status = { ...mock.state.status, account: { connected: true } }
    await open('#/history')
    await expect(listOf(page)).toBeVisible()
    await expect(page.getByLabel('Key', { exact: true })).toBeDisabled()
    await expect(page.getByText('This account is connected with an API key only')).toBeVisible()
  })

  test('without an account send nothing, and link to the accounts', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...serviceStatus(), account: { connected: false } }
    await open('#/history')
    await expect(page.getByText('No account is active')).toBeVisible()
    expect(asked(mock, 'history.page')).toEqual([])
    await page.getByRole('button', { name: 'Choose or create an account' }).click()
    await expect(page).toHaveURL(/#\/wallet\/accounts$/)
  })

  test('can set the date range from the palette', async ({ window: { open, page, mock, composer } }) => {
    full(mock)
    await open()
    await expect(composer).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('spending all')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByLabel('Date range')).toHaveValue('all')
  })
})

test.describe('spending', () => {
  test('is labeled as incomplete while it loads', async ({ window: { open, page, mock } }) => {
    const gate = createGate()
    mock.state.queryHistory.records = [query(now, { cost: usd(1) }), query(now - 1000, { cost: usd(2) })]
    mock.state.queryHistory.step = gate.step
    await open('#/history')
    await expect(totals(page)).toContainText('$1.00')
    await expect(totals(page)).toContainText('so far')
    await expect(totals(page)).toContainText('1 of 2 counted')
    gate.go()
    await expect(totals(page)).toContainText('$3.00')
    await expect(totals(page)).not.toContainText('so far')
  })

  test('by day is a bar chart for the keyboard, and a bar selects its day', async ({
    window: { open, page, mock },
  }) => {
    const day = (back: number) => now - back * 86_400_000
    mock.state.queryHistory.records = [
      query(now, { cost: usd(1) }),
      query(day(2), { cost: usd(0.5) }),
      query(day(2) - 1, { cost: usd(0.25) }),
    ]
    await open('#/history')
    const plot = page.getByRole('group', { name: 'Spending by day' })
    await expect(plot.getByRole('button')).toHaveCount(30)
    // The plot is a single tab stop.
    await expect(plot.locator('button[tabindex="0"]')).toHaveCount(1)
    await plot.locator('button[tabindex="0"]').focus()
    const tooltip = page.getByTestId('tooltip')
    await expect(tooltip).toContainText('$1.00')
    await expect(tooltip).toContainText('1 request, 1.8K tokens in, 612 out')
    await page.keyboard.press('ArrowLeft')
    await expect(tooltip).toContainText('no requests')
    await page.keyboard.press('ArrowLeft')
    await expect(tooltip).toContainText('$0.75')
    await expect(tooltip).toContainText('2 requests')
    await page.keyboard.press('Home')
    await expect(tooltip).toContainText('no requests')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(() => asked(mock, 'history.page').at(-1)?.filter).toEqual({ from: today, until: today })
    await expect(shown(page)).toHaveText('Showing 1 of 1')
  })

  test('by day in tokens is drawn by tokens, independent of dollars', async ({
    window: { open, page, mock },
  }) => {
    const yesterday = now - 86_400_000
    mock.state.queryHistory.records = [
      query(now, { cost: usd(5), inputTokens: 10, outputTokens: 10 }),
      query(yesterday, { cost: usd(1), inputTokens: 300, outputTokens: 100 }),
    ]
    await open('#/history')
    const heights = async (name: string): Promise<number[]> =>
      await page
        .getByRole('group', { name })
        .getByRole('button')
        .all()
        .then((columns) =>
          Promise.all(
            columns
              .slice(-2)
              .map((column) =>
                column
                  .locator('span[style]')
                  .evaluateAll((parts) =>
                    parts.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0),
                  ),
              ),
          ),
        )
    await expect(page.getByRole('group', { name: 'Spending by day' })).toBeVisible()
    await expect
      .poll(async () => {
        const [before = 0, today = 0] = await heights('Spending by day')
        return today > before
      })
      .toBe(true)
    await page.getByLabel('Show').selectOption('tokens')
    await expect(page.getByRole('figure').first()).toContainText('Output')
    await expect
      .poll(async () => {
        const [before = 0, today = 0] = await heights('Tokens by day')
        return before > 5 * today && today > 0
      })
      .toBe(true)
    await page.getByRole('group', { name: 'Tokens by day' }).getByRole('button').nth(-2).hover()
    await expect(page.getByTestId('tooltip')).toContainText('Input 300')
    await expect(page.getByTestId('tooltip')).toContainText('Output 100')
  })

  test('by model, source and key, in dollars and tokens, has a table with exact values', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.queryHistory.records.unshift(query(now, { cost: '1234567890123', model: 'exact' }))
    await open('#/history')
    await page.getByRole('tab', { name: 'By model' }).click()
    const bars = page.getByRole('figure', { name: 'Spending by model' })
    await expect(bars.getByRole('button').first()).toContainText('essayist')
    await page.getByText('View as table').click()
    await expect(page.getByRole('row', { name: /^exact/ })).toContainText('1.234567890123')
    await page.getByLabel('Show').selectOption('tokens')
    await expect(
      page.getByRole('figure', { name: 'Tokens by model' }).getByRole('button').first(),
    ).toContainText(' in, ')
    await page.getByRole('tab', { name: 'By key' }).click()
    await page
      .getByRole('figure', { name: 'Tokens by key' })
      .getByRole('button', { name: /^Build server/ })
      .click()
    await expect.poll(() => asked(mock, 'history.page').at(-1)?.filter).toMatchObject({ keyId: 'k2' })
    await expect(page.getByLabel('Key', { exact: true })).toHaveValue('k2')
    await page.getByRole('tab', { name: 'By source' }).click()
    await page.getByRole('figure', { name: 'Tokens by source' }).getByRole('button', { name: /^API/ }).click()
    await expect(page.getByLabel('Source', { exact: true })).toHaveValue('api')
  })
})

test.describe('an export', () => {
  test('of the whole range shows progress and is saved', async ({ window: { open, page, mock } }) => {
    full(mock)
    await open('#/history')
    await page.getByLabel('Date range').selectOption('all')
    await expect(shown(page)).toContainText('of 700')
    const gate = createGate()
    mock.state.queryHistory.step = gate.step
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as JSON' }).click()
    await expect(page.getByText('350 of 700')).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Requests exported' })).toBeVisible()
    gate.go()
    const saved = await download
    expect(saved.suggestedFilename()).toBe(`sotto-history-all-${today}.json`)
    expect(await readFile(await saved.path(), 'utf8')).toBe('json of 350\njson of 700\n')
    await expect(page.getByRole('main').getByText('Saved 700 requests')).toBeVisible()
  })

  test('saves nothing if it is stopped, and shows an error if it fails', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/history')
    await expect(listOf(page)).toBeVisible()
    const gate = createGate()
    mock.state.queryHistory.step = gate.step
    let downloads = 0
    page.on('download', () => (downloads += 1))
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('Stopped. Nothing was saved.')).toBeVisible()
    gate.go()
    mock.state.failures['history.export'] = failure('service/unavailable')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    await expect(page.getByRole('alert')).toContainText('service/unavailable')
    expect(downloads).toBe(0)
  })
})

for (const scheme of ['light', 'dark'] as const)
  for (const width of [1280, 480]) {
    test(`axe finds nothing in ${scheme} at ${String(width)} pixels`, async ({
      window: { open, page, mock },
    }) => {
      full(mock)
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      await open('#/history')
      await expect(listOf(page)).toBeVisible()
      await expect(page.getByText('so far')).toBeHidden()
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('tab', { name: 'By model' }).click()
      await page.getByLabel('Show').selectOption('tokens')
      await page.getByText('View as table').click()
      expect(await axeFaults(page)).toEqual([])
    })
  }

test('nothing scrolls sideways at 360 pixels', async ({ window: { open, page, mock } }) => {
  full(mock)
  mock.state.queryHistory.records.unshift(
    query(now, {
      model: 'm'.repeat(120),
      keyName: 'k'.repeat(25),
      errorCode: 'e'.repeat(60),
      receipt: { id: 'r', privacy: 'forwarded' },
    }),
  )
  await page.setViewportSize({ width: 360, height: 800 })
  await open('#/history')
  await expect(listOf(page)).toBeVisible()
  for (const tab of ['By day', 'By model', 'By key']) {
    await page.getByRole('tab', { name: tab }).click()
    for (const part of ['main', '[aria-label="Request list"]']) {
      await expect
        .poll(() =>
          page.evaluate<number>(
            `(() => { const { scrollWidth, clientWidth } = document.querySelector('${part}'); return scrollWidth - clientWidth })()`,
          ),
        )
        .toBeLessThanOrEqual(0)
    }
  }
})

test('a filter, a chart, a receipt and an export can be used by keyboard only', async ({
  window: { open, page, mock },
}) => {
  full(mock)
  mock.state.receipts = [receipt('sealed-1', now)]
  await open('#/history')
  await expect(listOf(page)).toBeVisible()
  await page.getByLabel('Date range').focus()
  // The first key opens the list.
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByLabel('Date range')).toHaveValue('quarter')
  await expect(listOf(page)).toBeVisible()
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""',
    )
  const tabUntil = (wanted: RegExp) =>
    expect(async () => {
      await page.keyboard.press('Tab')
      expect(await focused()).toMatch(wanted)
    }).toPass({ intervals: [20] })
  await tabUntil(/^By day$/)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('figure', { name: 'Spending by model' })).toBeVisible()
  await tabUntil(/^Private/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Private')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).focus()
  await page.keyboard.press('Enter')
  await download
})
