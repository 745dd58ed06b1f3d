import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { startWorldWindow } from './world-window.ts'

/**
 * The window, the core and the sandbox's service: lookups and batches in both revisions, paid from a balance
 * or per request.
 */
for (const revision of ['A', 'B'] as const)
  for (const pay of ['balance', 'single'] as const) {
    test(`people search and a batch in Revision ${revision}, ${pay === 'balance' ? 'from the balance' : 'each by itself over Lightning'}`, async ({
      page,
    }) => {
      test.setTimeout(300_000)
      await using window = await startWorldWindow(revision, pay)
      await window.open(page, '#/data')
      await expect(page.locator('[data-endpoint]')).toHaveCount(revision === 'A' ? 39 : 27)
      const search = page.getByRole('button', { name: /^Search people/ })
      await expect(search).toContainText('$0.023')
      await search.click()
      await page.getByLabel('Keywords').fill('lighthouse')
      await page.getByLabel('Quantity').fill('7')
      await expect(page.getByTestId('price')).toContainText('Costs $0.023')
      const card = page.getByRole('article', { name: /people-search/ })
      if (pay === 'balance') await page.getByRole('button', { name: 'Run lookup' }).click()
      else {
        await page.getByRole('button', { name: 'Get price in sats' }).click()
        await card.getByRole('button', { name: /^Pay [\d,]+ sats$/ }).click()
      }
      await expect(card.getByTestId('table-size')).toContainText('7 rows')
      await expect(card.getByTestId('job-cost')).toContainText(pay === 'balance' ? 'Cost $0.023' : 'sats')
      const download = page.waitForEvent('download')
      await card.getByRole('button', { name: 'Save as CSV' }).click()
      const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
      expect(lines).toHaveLength(8)
      expect(lines[0]).toContain('organization.primary_domain')

      if (revision === 'A') {
        await page.getByRole('button', { name: 'Back to lookups' }).click()
        await page
          .getByRole('region', { name: 'Microblog' })
          .getByRole('button', { name: /^Search posts/ })
          .click()
        if (pay === 'balance') await page.getByRole('button', { name: 'Run lookup' }).click()
        else {
          await page.getByRole('button', { name: 'Get price in sats' }).click()
          await page
            .getByRole('article', { name: /tweets/ })
            .getByRole('button', { name: /^Pay [\d,]+ sats$/ })
            .click()
        }
        // This group returns JSON as text, which is parsed.
        await expect(page.getByText('content (received as JSON text)')).toBeVisible()
        await expect(page.getByRole('gridcell').first()).toBeVisible()
      }

      await page.getByRole('tab', { name: 'Batch' }).click()
      const rows = Array.from(
        { length: 12 },
        (_, at) => `${String(at)};${at === 5 ? '' : `ada${String(at)}@adagio.example`};=1+1`,
      )
      await page.getByTestId('file-input').setInputFiles({
        name: 'contacts.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`\uFEFFnumber;E-mail;note\n${rows.join('\n')}\n`),
      })
      await expect(page.getByTestId('table-size')).toContainText('12 rows, 3 columns')
      await page
        .getByLabel('Lookup', { exact: true })
        .selectOption({ label: 'Verify an address, $0.0115 per row' })
      await expect(page.getByRole('group', { name: 'email' }).getByLabel('Column')).toHaveValue('1')
      await expect(page.getByTestId('counted')).toContainText(
        '11 rows to send, $0.0115 each. One row can’t be sent as it is and costs nothing.',
      )
      await expect(page.getByTestId('price')).toContainText('Costs $0.13')
      // Without an account the dollar value of a satoshi is unknown, so a dollar limit is impossible. Then
      // the wallet's own limits apply.
      if (pay === 'balance') await page.getByLabel('Total limit for all rows (US dollars)').fill('1')
      await page.getByRole('button', { name: 'Start batch' }).click()
      // Each row is paid over the wallet's relay, which is slow on a loaded machine.
      await expect(page.getByTestId('batch-counts')).toContainText('11 of 12 rows done, 1 failed', {
        timeout: 150_000,
      })
      await expect(page.getByTestId('batch-cost')).toContainText(pay === 'balance' ? '$0.1265' : 'sats')
      const grid = page.getByRole('grid', { name: 'Batch rows' })
      await expect(grid.getByRole('row').nth(1)).toContainText('valid')
      await expect(grid.getByRole('row').nth(6)).toContainText('Failed')
      const file = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).last().click()
      const saved = await readFile(await (await file).path(), 'utf8')
      expect(saved.trimEnd().split('\r\n')).toHaveLength(13)
      expect(saved).toContain("'=1+1")
    })
  }

for (const [name, bytes, alertText] of [
  [
    'a table of 300,000 rows',
    Buffer.from(`email\n${'ada@adagio.example\n'.repeat(300_000)}`),
    'The table has more than 200,000 rows',
  ],
  [
    'broken encodings',
    Buffer.concat([Buffer.from('email\n'), Buffer.from([0xff, 0xfe, 0xfd, 0x80, 0xc3, 0x28, 0x0a])]),
    'The file isn’t UTF-8 or UTF-16 text',
  ],
  ['ragged rows', Buffer.from('email,name\nada@adagio.example\n1,2,3\n'), 'The table can’t be read'],
  ['a table without rows', Buffer.from('email\n'), 'The table has no rows.'],
  ['a file of no bytes', Buffer.alloc(0), 'The file is empty'],
] as const) {
  test(`${name}: the message states what to do, and nothing reaches the service`, async ({ page }) => {
    await using window = await startWorldWindow('B', 'balance')
    await window.open(page, '#/data/batch')
    await page
      .getByTestId('file-input')
      .setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: bytes })
    await expect(page.getByRole('alert')).toContainText(alertText)
    await expect(page.getByRole('button', { name: 'Start batch' })).toHaveCount(0)
    const lookups = window.world.sandbox.received().filter(({ path }) => path.startsWith('/api/'))
    expect(lookups.filter(({ method }) => method === 'POST')).toEqual([])
  })
}
