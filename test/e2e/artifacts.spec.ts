import type { Request } from '@playwright/test'
import { axeFaults } from './axe.ts'
import * as data from './mock-data.ts'
import { openWindow } from './open-window.ts'
import { expect, test } from './window-test.ts'

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`
const withAnswers = (...answers: string[]) => [
  data.conversation(
    'c1',
    'Documents',
    Date.now(),
    answers.map((answer) => ['Write it', answer] as [string, string]),
  ),
]

const hostile = `<!doctype html><head><title>Report</title>
<meta http-equiv="refresh" content="0;url=https://evil.example/refresh">
<base href="https://evil.example/">
<link rel="stylesheet" href="https://evil.example/x.css"><link rel="preconnect" href="https://evil.example">
<style>@import url(https://evil.example/i.css); body { background: url(https://evil.example/b.png) }</style>
<script>window.owned = 1; parent.owned = 1</script></head>
<body onload="window.owned = 2"><h1>Quarter</h1>
<img src="https://evil.example/p.png" onerror="window.owned = 3">
<iframe src="https://evil.example/f"></iframe><object data="https://evil.example/o"></object>
<form action="https://evil.example/form"><button>Send</button></form>
<svg><script>window.owned = 4</script><use href="https://evil.example/u.svg#x"/></svg>
<a href="javascript:window.owned = 5">Script</a> <a href="https://example.org/page">Source</a></body>`

test('a page opens next to the chat without scripts, requests or navigation', async ({ mock, page }) => {
  const passed: string[] = []
  const note = (request: Request): void => {
    const reason = request.failure()?.errorText
    if (new URL(request.url()).host === 'evil.example' && reason !== 'csp')
      passed.push(`${request.url()} ${reason ?? 'answered'}`)
  }
  page.on('requestfinished', note)
  page.on('requestfailed', note)
  mock.state.conversations = withAnswers(block('html', hostile))
  await openWindow(page, mock, '#/chat/c1')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Report' })
  await expect(panel.getByRole('heading', { name: 'Report' })).toBeFocused()
  const document = panel.frameLocator('iframe')
  await expect(document.getByRole('heading', { name: 'Quarter' })).toBeVisible()
  const frame = page.frames().find((candidate) => candidate.url().endsWith('/document.html'))
  await document.getByText('Script', { exact: true }).click()
  await document.getByRole('button', { name: 'Send' }).click()
  expect(await frame?.evaluate('[origin, window.owned]')).toEqual(['null', undefined])
  expect(
    await frame?.evaluate('document.querySelectorAll("script, iframe, object, meta, base, link").length'),
  ).toBe(0)
  expect(await page.evaluate('window.owned')).toBeUndefined()
  expect(frame?.url()).toMatch(/\/document\.html$/)
  expect(passed).toEqual([])
  // A link shows its address first.
  await document.getByRole('link', { name: 'Source' }).click()
  await expect(page.getByRole('dialog')).toContainText('https://example.org/page')
})

test('versions, editing and saving of a document', async ({
  mock,
  window: { open, messages, page, composer },
}) => {
  mock.state.conversations = withAnswers(
    block('md', '# Plan\n\nFirst draft'),
    block('md', '# Plan\n\nSecond draft'),
  )
  await open('#/chat/c1')
  const answers = messages.getByRole('button', { name: 'Open', exact: true })
  await expect(answers).toHaveCount(2)
  await answers.last().click()
  const panel = page.getByRole('region', { name: 'Plan' })
  await expect(panel.getByText('Second draft')).toBeVisible()
  await panel.getByLabel('Version').selectOption({ label: 'Version 1' })
  await expect(panel.getByText('First draft')).toBeVisible()
  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Save file…' }).click()
  expect((await download).suggestedFilename()).toBe('Plan.md')
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByLabel('Source of the document').fill('# Plan\n\nMy own')
  await panel.getByRole('button', { name: 'Add to message' }).click()
  await expect(composer).toHaveValue('```md\n# Plan\n\nMy own\n```')
  await panel.getByRole('heading', { name: 'Plan' }).first().press('Escape')
  await expect(panel).toHaveCount(0)
})

for (const scheme of ['light', 'dark'] as const)
  for (const width of [1280, 480])
    test(`a table next to the chat has no fault, ${scheme} at ${String(width)}`, async ({
      mock,
      window: { open, messages, page },
    }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 800 })
      mock.state.conversations = withAnswers(
        block('csv', 'City,Inhabitants\n"Bern, Bümpliz",20000\nBasel,170000'),
      )
      await open('#/chat/c1')
      await messages.getByRole('button', { name: 'Open', exact: true }).click()
      await expect(page.getByRole('cell', { name: 'Bern, Bümpliz' })).toBeVisible()
      if (process.env['SOTTO_LOOK'])
        await page.screenshot({
          path: `${process.env['SOTTO_LOOK']}/artifact-${scheme}-${String(width)}.png`,
        })
      expect(await axeFaults(page)).toEqual([])
    })
