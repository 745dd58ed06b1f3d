import type { Page } from '@playwright/test'
import { languageTags } from '../../src/shared/window-preferences.ts'
import { axeFaults } from './axe.ts'
import { englishIn } from './english-left.ts'
import { receipt, richAnswer } from './mock-data.ts'
import { openWindow } from './open-window.ts'
import { full } from './screens/window-screens.ts'
import { sideways } from './whole-page.ts'
import { expect, test } from './window-test.ts'

const views = [
  '',
  'wallet',
  'wallet/topups',
  'history',
  'privacy',
  'developer',
  'developer/keys',
  'developer/requests',
  'settings',
] as const

const go = (page: Page, view: string): Promise<unknown> => page.evaluate(`location.hash = '#/${view}'`)

/** Waits until a view is drawn and has finished loading. */
async function shown(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByText(/^(Opening…|Wird geöffnet …)$/)).toHaveCount(0)
}

const choose = (page: Page, preferences: { language: string; density?: string }): Promise<unknown> =>
  page.addInitScript(
    `localStorage.setItem('sotto.preferences', ${JSON.stringify(JSON.stringify({ density: 'comfortable', ...preferences }))})`,
  )

const documentOf = (page: Page): Promise<{ lang: string; dir: string; density: string | undefined }> =>
  page.evaluate(() => ({
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
    density: document.documentElement.dataset['density'],
  }))

test.describe('the language', () => {
  test('changes in Settings without a reload, and is preserved over a reload', async ({
    window: { open, page },
  }) => {
    await open('#/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect((await documentOf(page)).lang).toBe('en')
    await page.evaluate('window.wasHereBefore = true')
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Entwickler' })).toBeVisible()
    await expect(page).toHaveTitle('Einstellungen · Sotto')
    expect(await page.evaluate('window.wasHereBefore')).toBe(true)
    expect(await documentOf(page)).toMatchObject({ lang: 'de', dir: 'ltr' })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
    await page.getByLabel('Sprache').selectOption({ label: 'System' })
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect((await documentOf(page)).lang).toBe('en')
  })

  test('changes in the palette, which then has its commands in it', async ({ window: { open, page } }) => {
    await open('#/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('deutsch')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('gehe zu „entwickler')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Entwickler' })).toBeVisible()
  })

  test('is offered by its own name, once per language', async ({ window: { open, page } }) => {
    await open('#/settings')
    const options = page.getByLabel('Language').locator('option')
    await expect(options).toHaveText([
      'System',
      'English',
      'Deutsch',
      'Español',
      'Français',
      'עברית',
      '日本語',
      '한국어',
      'Português (Brasil)',
      '简体中文',
      '繁體中文',
    ])
    expect(
      await options.evaluateAll((each) => each.map((option) => option.getAttribute('lang') ?? '')),
    ).toEqual(['', ...languageTags])
  })

  test('and the density change in this tab when another tab changes them', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    const other = await page.context().newPage()
    await openWindow(other, mock, '#/settings')
    await other.getByLabel('Compact').check()
    await other.getByLabel('Language').selectOption({ label: 'עברית' })
    await expect.poll(() => documentOf(page)).toEqual({ lang: 'he', dir: 'rtl', density: 'compact' })
    await expect(page.locator('select:has(option[lang="he"])')).toHaveValue('he')
    await other.close()
  })

  test('is the system’s if the saved one is invalid', async ({ window: { open, page } }) => {
    await page.addInitScript(
      `localStorage.setItem('sotto.preferences', '{"language":"../../x","density":7}')`,
    )
    await open('#/settings')
    await expect(page.getByLabel('Language')).toHaveValue('system')
    expect(await documentOf(page)).toEqual({ lang: 'en', dir: 'ltr', density: 'comfortable' })
  })

  for (const lost of [1, 2]) {
    test(`stays unchanged if catalog file ${String(lost)} of two fails to load`, async ({
      window: { open, page },
    }) => {
      let [asked, answered] = [0, 0]
      page.on('requestfinished', (request) => {
        if (/\/assets\/de-[\w-]+\.js$/.test(request.url())) answered += 1
      })
      await page.route(/\/assets\/de-[\w-]+\.js$/, (route) =>
        ++asked === lost
          ? route.fulfill({ contentType: 'text/javascript', body: "throw new Error('lost')" })
          : route.continue(),
      )
      await open('#/settings')
      await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
      await expect.poll(() => answered).toBe(2)
      await page.evaluate('new Promise(requestAnimationFrame)')
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
      expect((await documentOf(page)).lang).toBe('en')
    })
  }
})

test.describe('in a German system', () => {
  test.use({ locale: 'de-DE', contextOptions: { reducedMotion: 'reduce' } })

  test('the first start continues in demo mode to a message and its receipt', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.status = { ...mock.state.status, firstStart: true }
    await open()
    await expect(
      page.getByRole('heading', { name: /^Private Chats\. Verifizierte Hardware\./ }),
    ).toBeVisible()
    expect((await documentOf(page)).lang).toBe('de')
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Demo ausprobieren' }).click()
    const field = page.getByRole('main').getByRole('textbox').last()
    await field.fill('Hallo')
    await field.press('Enter')
    const answer = await mock.nextAnswer()
    answer.delta('Guten Tag.')
    answer.end()
    await expect(page.getByText('Guten Tag.')).toBeVisible()
    await go(page, 'privacy/receipts')
    await page.getByTitle('Beleg öffnen').first().click()
    await expect(page.getByRole('dialog', { name: 'Beleg' })).toBeVisible()
    await expect(page.getByRole('dialog').getByText('Grenzen dieses Beweises')).toBeVisible()
  })

  test('numbers, dates and money have the German format', async ({ window: { open, page, mock } }) => {
    full(mock)
    await open('#/wallet')
    await expect(page.getByTestId('balance')).toHaveText(/^\d+,\d{2}\s\$$/)
  })

  test('a receipt shows the Lightning amount in the German format', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.receipts = [receipt('r-paid', Date.now(), { paidMsat: '1234500' })]
    await open('#/privacy/receipts')
    await page.getByTitle('Beleg öffnen').first().click()
    await expect(page.getByRole('dialog', { name: 'Beleg' })).toContainText('1.234,5 sats')
  })

  for (const view of views.slice(1)) {
    test(`axe finds nothing serious: ${view}`, async ({ window: { open, page, mock } }) => {
      full(mock)
      await open(`#/${view}`)
      await shown(page)
      expect(await axeFaults(page)).toEqual([])
    })
  }
})

test.describe('no English is left in chat, Settings and Privacy', () => {
  for (const language of languageTags.filter((tag) => tag !== 'en')) {
    test(language, async ({ window: { open, page, mock } }) => {
      full(mock)
      await choose(page, { language })
      // The reply comes from a model. A service and an account have their own names.
      const english = englishIn(language, `${richAnswer} Sandbox Account`)
      const nothingOf = (what: string) => expect.poll(() => english.on(page), { message: what }).toEqual([])
      await open()
      const field = page.locator('[data-composer]')
      await expect(field).toBeVisible()
      await nothingOf('a new conversation')
      await page.getByRole('switch').first().click()
      await nothingOf('a temporary conversation')
      await page.getByRole('switch').first().click()

      await go(page, 'chat/c1')
      await expect(page.getByRole('article')).toHaveCount(2)
      await nothingOf('a conversation')
      await page.locator('[data-edit]').click()
      await nothingOf('a question that is edited')
      await page.keyboard.press('Escape')
      await page.locator('[aria-haspopup="menu"]').first().click()
      await expect(page.getByRole('menu')).toBeVisible()
      await nothingOf('the menu of a conversation')
      await page.keyboard.press('Escape')
      await field.fill('?')
      await field.press('Enter')
      const answer = await mock.nextAnswer()
      answer.stage('proving')
      await expect(page.getByTestId('stage')).toBeVisible()
      await nothingOf('an answer that is waited for')
      answer.delta('7')
      answer.end()
      await expect(page.getByRole('article')).toHaveCount(4)
      await nothingOf('an answer')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox')).toBeVisible()
      await nothingOf('the palette')
      await page.keyboard.press('Escape')

      await go(page, 'chat/c2')
      await expect(page.getByRole('article')).toHaveCount(2)
      await nothingOf('a conversation that is readable')

      await go(page, 'settings')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible()
      await nothingOf('Settings')

      for (const part of ['', '/evidence', '/requirements', '/history', '/receipts', '/self-test']) {
        await go(page, `privacy${part}`)
        await expect(page.getByRole('tabpanel').getByRole('region').first()).toBeVisible()
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true
        })
        await nothingOf(`Privacy${part}`)
      }
    })
  }
})

test.describe('right to left', () => {
  for (const width of [1280, 480]) {
    test(`every view is mirrored and fits at ${width} pixels`, async ({ window: { open, page, mock } }) => {
      full(mock)
      await choose(page, { language: 'he' })
      await page.setViewportSize({ width, height: 800 })
      await open()
      for (const view of views) {
        await go(page, view)
        await shown(page)
        await expect.poll(() => sideways(page), { message: view }).toEqual([])
      }
      expect(await documentOf(page)).toMatchObject({ lang: 'he', dir: 'rtl' })
      if (width < 1000) return
      const sidebar = await page.getByRole('navigation').first().boundingBox()
      const main = await page.getByRole('main').boundingBox()
      expect(sidebar!.x).toBeGreaterThan(main!.x + main!.width - 1)
    })
  }
})

test.describe('at 200 % zoom', () => {
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 })
  for (const language of ['en', 'de']) {
    test(`no view scrolls sideways: ${language}`, async ({ window: { open, page, mock } }) => {
      full(mock)
      await choose(page, { language })
      await open()
      for (const view of views) {
        await go(page, view)
        await shown(page)
        await expect.poll(() => sideways(page), { message: view }).toEqual([])
      }
    })
  }
})

test.describe('the density', () => {
  test('changes in Settings at once, and is saved', async ({ window: { open, page } }) => {
    await open('#/settings')
    const height = (): Promise<number> =>
      page.getByLabel('Language').evaluate((field) => field.getBoundingClientRect().height)
    const before = await height()
    await page.getByLabel('Compact').check()
    expect(await height()).toBeLessThan(before)
    await page.reload()
    await expect(page.getByLabel('Compact')).toBeChecked()
    expect((await documentOf(page)).density).toBe('compact')
  })

  for (const view of views.slice(1)) {
    test(`compact: every element fits and axe finds nothing serious: ${view}`, async ({
      window: { open, page, mock },
    }) => {
      full(mock)
      await choose(page, { language: 'en', density: 'compact' })
      await open(`#/${view}`)
      await shown(page)
      expect(await axeFaults(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      await expect.poll(() => sideways(page)).toEqual([])
    })
  }
})

test.describe('the list of keyboard shortcuts', () => {
  test('opens by its keys and by the palette, but not from within a field', async ({
    window: { open, page },
  }) => {
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await open('#/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    await page.keyboard.press('?')
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await page.keyboard.press('Control+/')
    await expect(sheet).toBeVisible()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Control+/')
    await expect(sheet).toHaveCount(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').pressSequentially('?')
    await expect(page.getByRole('combobox')).toHaveValue('?')
    await expect(sheet).toHaveCount(0)
    await page.getByRole('combobox').fill('keyboard shortcuts')
    await page.keyboard.press('Enter')
    await expect(sheet).toBeVisible()
  })

  test('lists the real shortcuts, and each one works', async ({ window: { open, page } }) => {
    await open('#/settings')
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Control+/')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const listed = await sheet.locator('dl').first().locator('kbd').allTextContents()
    expect(listed).toEqual([
      'Ctrl K',
      'Ctrl Shift O',
      'Ctrl Shift F',
      // Bound in a chat only (find.spec.ts).
      'Ctrl F',
      'Ctrl B',
      'Ctrl Shift L',
      'Ctrl /',
      '?',
    ])
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
    await page.keyboard.press('Escape')
    // The sidebar has the search. Without the sidebar it is a dialog.
    await page.keyboard.press('Control+Shift+f')
    await expect(page.getByRole('combobox', { name: 'Search chats' })).toBeFocused()
    await page.keyboard.press('Control+b')
    await expect(page.getByRole('navigation', { name: 'Views' })).toHaveCount(0)
    await page.keyboard.press('Control+Shift+f')
    await expect(page.getByRole('dialog', { name: 'Search chats' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+b')
    await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible()
    await page.keyboard.press('Control+Shift+o')
    await expect(page.getByRole('heading', { name: 'Try a private chat' })).toBeVisible()
  })
})
