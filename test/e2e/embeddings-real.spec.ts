import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { parquetReadObjects } from 'hyparquet'
import { startWorldWindow, type WorldWindow } from './world-window.ts'

/**
 * The window, the core and the sandbox's service: texts become vectors in both revisions, and are exported as
 * files that other programs read.
 */
const sent = ({ world }: WorldWindow) =>
  world.sandbox.received().filter(({ method, path }) => method === 'POST' && path.endsWith('/embeddings'))
    .length

async function saved(page: Page, form: 'csv' | 'json' | 'npy' | 'parquet', name: string): Promise<Buffer> {
  await page.getByLabel('File format').selectOption(form)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: `Save as ${name}`, exact: true }).click()
  return readFile(await (await download).path())
}

/** Submits the form, and waits until each text has its vector. */
async function embed(page: Page, texts: number): Promise<void> {
  await expect(page.getByTestId('price')).toContainText('<$0.01')
  await page.getByRole('button', { name: 'Embed texts' }).click()
  await expect(page.getByTestId('texts-done')).toContainText(
    `${texts.toLocaleString('en')} of ${texts.toLocaleString('en')} texts done`,
    { timeout: 60_000 },
  )
  await expect(page.getByTestId('embedding-cost')).toContainText('$0.000')
}

for (const revision of ['A', 'B'] as const) {
  test(`embeddings in Revision ${revision}: typed lines, a column and files, with the same numbers in each saved format`, async ({
    page,
  }) => {
    test.setTimeout(300_000)
    await using window = await startWorldWindow(revision, 'balance')
    await window.open(page, '#/data/embeddings')
    await page.getByLabel('Model', { exact: true }).selectOption('sandbox/eco-embedding-large')
    await page.getByLabel('Dimensions').fill('8')
    const texts = ['=1+1', 'an otter, that swims', 'a "lamp" that is lit']
    await page.getByLabel('Texts', { exact: true }).fill(`${texts.join('\n')}\n\n`)
    await embed(page, texts.length)
    await expect(page.getByTestId('neighbours').getByRole('listitem')).toHaveCount(2)

    const json = JSON.parse((await saved(page, 'json', 'JSON')).toString()) as {
      data: { text: string; embedding: number[] }[]
    }
    expect(json.data.map(({ text }) => text)).toEqual(texts)
    const numbers = Float32Array.from(json.data.flatMap(({ embedding }) => embedding))
    expect(numbers).toHaveLength(3 * 8)
    expect(new Set(numbers).size).toBeGreaterThan(8)
    const csv = (await saved(page, 'csv', 'CSV')).toString().trimEnd().split('\r\n')
    expect(csv).toHaveLength(4)
    // No spreadsheet interprets a text as a formula.
    expect(csv[1]).toMatch(/^'=1\+1,'=1\+1,/)
    expect(Float32Array.from(csv[1]?.split(',').slice(2).map(Number) ?? [])).toEqual(numbers.subarray(0, 8))
    const npy = await saved(page, 'npy', 'NPY')
    const head = 10 + npy.readUInt16LE(8)
    expect(npy.subarray(0, 6).toString('latin1')).toBe('\x93NUMPY')
    expect(npy.subarray(10, head).toString()).toMatch(
      /'descr': '<f4'.*'fortran_order': False.*'shape': \(3, 8\)/,
    )
    expect(new Float32Array(Uint8Array.from(npy.subarray(head)).buffer)).toEqual(numbers)
    const parquet = (await parquetReadObjects({
      file: Uint8Array.from(await saved(page, 'parquet', 'Parquet')).buffer,
    })) as { text: string; embedding: number[] }[]
    expect(parquet.map(({ text }) => text)).toEqual(texts)
    expect(Float32Array.from(parquet.flatMap(({ embedding }) => embedding))).toEqual(numbers)

    // A column of a table, in several requests.
    await page.getByRole('button', { name: 'Back to embeddings' }).click()
    await page.getByLabel('Text source').selectOption('CSV column')
    const rows = Array.from({ length: 1200 }, (_, at) => `${String(at)};"otter ""${String(at)}"""`)
    await page.getByTestId('file-input').setInputFiles({
      name: 'otters.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`number;text\n${rows.join('\n')}\n`),
    })
    await page.getByLabel('Text column').selectOption('text')
    const before = sent(window)
    await embed(page, rows.length)
    expect(sent(window) - before).toBeGreaterThan(1)
    const column = JSON.parse((await saved(page, 'json', 'JSON')).toString()) as { data: { text: string }[] }
    expect([column.data.length, column.data[0]?.text, column.data.at(-1)?.text]).toEqual([
      1200,
      'otter "0"',
      'otter "1199"',
    ])

    // Files with one text each.
    await page.getByRole('button', { name: 'Back to embeddings' }).click()
    await page.getByLabel('Text source').selectOption('Files, one text per file')
    await page.getByTestId('files-input').setInputFiles(
      ['otter.txt', 'lamp.md'].map((name) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(`All about\nthe ${name}`),
      })),
    )
    await expect(page.getByText('2 files added')).toBeVisible()
    await embed(page, 2)
    const files = JSON.parse((await saved(page, 'json', 'JSON')).toString()) as {
      data: { label: string; text: string }[]
    }
    expect(files.data).toMatchObject([
      { label: 'otter.txt', text: 'All about\nthe otter.txt' },
      { label: 'lamp.md' },
    ])

    // A text file with a text per line. All four embeddings survive a reload.
    await page.getByRole('button', { name: 'Back to embeddings' }).click()
    await page.getByLabel('Text source').selectOption('Text file, one text per line')
    await page.getByTestId('file-input').setInputFiles({
      name: 'lines.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('\uFEFFone\r\n\r\ntwo\r\n'),
    })
    await embed(page, 2)
    await page.reload()
    await expect(page.getByRole('button', { name: /texts by sandbox\// })).toHaveCount(4)
  })

  test(`embeddings in Revision ${revision} without an account: the view explains that they need a balance, and nothing is sent`, async ({
    page,
  }) => {
    await using window = await startWorldWindow(revision, 'single')
    await window.open(page, '#/data/embeddings')
    await page.getByLabel('Texts', { exact: true }).fill('an otter that swims')
    await expect(page.getByTestId('ask-line')).toContainText(
      'The service only sells this from an account balance, and no account is active.',
    )
    await expect(page.getByRole('button', { name: 'Embed texts' })).toBeDisabled()
    expect(sent(window)).toBe(0)
  })
}
