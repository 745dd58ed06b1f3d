import { writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { DataFolder, usableWindow } from './launch.ts'

let folder: DataFolder
test.beforeAll(async () => void (folder = await DataFolder.make()))
test.afterAll(() => folder.remove())

test('a private chat, the tray, quit and restart', async () => {
  const app = await folder.launch()
  const page = await usableWindow(app)
  expect(new URL(page.url()).protocol).toBe('app:')

  await page.getByRole('textbox', { name: 'Message' }).fill('What is a quiet voice good for?')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('article', { name: /^Reply from/ }).getByRole('button', { name: /Sealed/ }),
  ).toBeVisible()

  // Closed, it stays in the tray and serves on; asked for once more, it is there again.
  const windows = () =>
    app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length,
    )
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await expect.poll(windows).toBe(0)
  const shown = app.waitForEvent('window')
  await app.evaluate(({ app: electron }) => void electron.emit('activate', {}, false))
  await Promise.race([shown, expect.poll(windows).toBe(1)])

  const over = new Promise<number | null>((resolve) => app.process().once('exit', resolve))
  await app.evaluate(({ app: electron }) => electron.quit())
  expect(await over).toBe(0)

  const again = await folder.launch()
  const restarted = await usableWindow(again)
  await expect(restarted.getByRole('group', { name: 'Chats' })).toContainText(
    'What is a quiet voice good for?',
  )
  await again.close()
})

test('the window is locked down as its options say', async () => {
  const app = await folder.launch()
  const page = await usableWindow(app)
  expect(
    await page.evaluate(() => [
      typeof Reflect.get(globalThis, 'require'),
      typeof Reflect.get(globalThis, 'process'),
    ]),
  ).toEqual(['undefined', 'undefined'])
  expect(
    await page.evaluate(() =>
      fetch('https://example.com').then(
        () => 'fetched',
        () => 'refused',
      ),
    ),
  ).toBe('refused')
  expect(await page.evaluate(() => window.open('https://example.com') === null)).toBe(true)
  const before = page.url()
  await page.evaluate(() => {
    location.href = 'https://example.com'
  })
  expect(page.url()).toBe(before)
  await app.close()
})

test('how long a start takes, and what it holds when idle', async () => {
  const began = performance.now()
  const app = await folder.launch()
  await usableWindow(app)
  const usableMs = performance.now() - began
  const memory = await app.evaluate(({ app: electron }) =>
    electron
      .getAppMetrics()
      .map(({ type, memory: { workingSetSize } }) => ({ type, mb: Math.round(workingSetSize / 1024) })),
  )
  const figures = { platform: process.platform, arch: process.arch, usableMs: Math.round(usableMs), memory }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  if (process.env['SOTTO_FIGURES'] !== undefined)
    await writeFile(process.env['SOTTO_FIGURES'], JSON.stringify(figures, null, 2))
  expect(memory.length).toBeGreaterThan(1)
  await app.close()
})
