import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Purchase } from '../../src/shared/purchase.ts'
import { axeFaults } from './axe.ts'
import { createGate } from './gate.ts'
import { failure, type MockServer } from './mock-server.ts'
import { MOCK_INVOICE, MOCK_PREIMAGE, MOCK_URI, PNG, purchase, SVG } from './mock-purchases.ts'
import { readQr } from './read-qr.ts'
import { wholePage } from './whole-page.ts'
import { ask, code, listed, ready, withoutWallet } from './screens/purchase-screens.ts'
import { expect, test } from './window-test.ts'

const PLACE = '#/wallet/purchases'
const CODE = '161803'
const now = Date.now()

async function confirm(page: Page): Promise<void> {
  await page.getByLabel('Code from your terminal').fill(CODE)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

const callsOf = (mock: MockServer, path: string) => mock.calls.filter((call) => call.path === path)
const card = (page: Page, name: string | RegExp = /^Image/) => page.getByRole('article', { name })
const form = (page: Page) => page.getByRole('form', { name: 'Pay per request' })

test.describe('an image, without an account', () => {
  test('shows its price, host and expiry first; the first payment is confirmed; then the image is shown and saved', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await expect(form(page)).toContainText('Visible')
    await ask(page)
    for (const part of [
      'Price quoted',
      '53 sats',
      'api.service.example',
      'Up to $0.043 if paid from a balance',
      'In dollarsUnknown: you made no Lightning top-up in dollars in the last 24 hours',
      'An image by Painter',
      'Description from the service',
      /Expires in4 min \d+ s/,
      'None: Lightning payments are final',
      'Sotto hasn’t paid this host before',
      'Visible',
    ])
      await expect(card(page)).toContainText(part)
    await expect(card(page).getByRole('heading')).toBeFocused()
    expect(callsOf(mock, 'purchases.pay')).toEqual([])
    expect(callsOf(mock, 'purchases.quote').map(({ input }) => input)).toEqual([
      {
        ask: {
          endpoint: 'images/generations',
          body: { model: 'sandbox/painter', prompt: 'A quiet room by the sea' },
        },
      },
    ])
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('Pay 53 sats to api.service.example')
    await confirm(page)
    const image = card(page).getByRole('img', { name: 'Image from sandbox/painter' })
    await expect(image).toHaveAttribute('src', /^blob:/)
    await expect
      .poll(() =>
        image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0)),
      )
      .toBe(2)
    await expect(card(page)).toContainText('Delivered')
    await expect(page.getByTestId('announcer')).toHaveText('Image from sandbox/painter: Delivered')
    await expect(card(page).getByRole('heading')).toBeFocused()
    const downloading = page.waitForEvent('download')
    await card(page).getByRole('button', { name: 'Save…' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^sotto-sandbox-painter-\d{4}-\d\d-\d\d\.png$/)
    expect(await readFile(await download.path())).toEqual(PNG)
    // A host that was paid before needs no confirmation.
    await ask(page)
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    await expect(card(page).getByText('Delivered', { exact: true })).toHaveCount(2)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('shows dollars next to sats if a top-up in dollars has set the exchange rate', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.wallet.view = {
      ...mock.state.wallet.view,
      rate: { picoUsdPerSat: '800000000', learnedAt: now },
    }
    await open(PLACE)
    await ask(page)
    for (const part of [
      'About $0.043, at the rate of your last Lightning top-up in dollars',
      'Up to $0.043 if paid from a balance; the invoice doesn’t exceed it',
    ])
      await expect(card(page)).toContainText(part)
    await expect(card(page)).not.toContainText('Unknown')
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    await expect(card(page)).toContainText('53 sats (about $0.043)')
  })

  test('keeps the focus if it is delivered before the confirmation closes', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    const gate = createGate()
    mock.state.purchases.after = gate.step
    await open(PLACE)
    await ask(page)
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    await confirm(page)
    await expect(page.locator('article')).toContainText('Delivered')
    gate.go()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(card(page).getByRole('heading')).toBeFocused()
  })

  test('remains visible if an account is connected', async ({ window: { open, page, mock } }) => {
    ready(mock)
    await open(PLACE)
    await ask(page)
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    const image = card(page).getByRole('img', { name: 'Image from sandbox/painter' })
    await expect(image).toHaveAttribute('src', /^blob:/)
    const followed = callsOf(mock, 'purchases.watch').length
    mock.state.status = { ...mock.state.status, account: { connected: true, creditIdMasked: '…0b1d' } }
    // The window polls the status every few seconds, and then subscribes to the purchases again.
    await expect.poll(() => callsOf(mock, 'purchases.watch').length).toBeGreaterThan(followed)
    await expect(image).toHaveAttribute('src', /^blob:/)
    await expect(page.getByRole('button', { name: 'Show result' })).toHaveCount(0)
  })

  test('is not paid without confirmation, and can be declined', async ({ window: { open, page, mock } }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await ask(page)
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    await page
      .getByRole('alertdialog', { name: 'Confirm in your terminal' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(card(page).getByRole('alert')).toContainText('confirm/refused')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(card(page)).toContainText('Nothing was paid.')
    await expect(card(page).getByRole('button', { name: /^Pay/ })).toHaveCount(0)
    await expect(card(page).getByRole('heading')).toBeFocused()
  })

  test('is bought by keyboard only', async ({ window: { open, page, mock } }) => {
    ready(mock)
    await open(PLACE)
    await expect(page.getByLabel('Model', { exact: true })).toBeVisible()
    await page.getByRole('radio', { name: 'Image', exact: true }).focus()
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('Model', { exact: true })).toBeFocused()
    await page.keyboard.press('P')
    await page.keyboard.press('Tab')
    await page.keyboard.type('A quiet room')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Get price' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('heading')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Pay 53 sats' })).toBeFocused()
    const outline = await page
      .getByRole('button', { name: 'Pay 53 sats' })
      .evaluate((element) => getComputedStyle(element).outlineStyle)
    expect(outline).toBe('solid')
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('img', { name: /^Image from/ })).toBeVisible()
    await expect(card(page).getByRole('heading')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(card(page).getByRole('button', { name: 'Save…' })).toBeFocused()
  })

  test('shows why its price is unavailable, and marks invalid values next to their fields', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    await form(page).getByText('Size, quality, and more').click()
    await form(page).getByLabel('Quantity').fill('5')
    await form(page).getByLabel('Starting image URL').fill('http://pictures.example/a.png')
    await page.getByRole('button', { name: 'Get price' }).click()
    for (const fault of [
      'Choose a model, or enter its ID.',
      'Enter 1 to 4, or leave blank.',
      'starts with https://',
    ])
      await expect(form(page)).toContainText(fault)
    await expect(form(page).getByLabel('Model', { exact: true })).toBeFocused()
    expect(callsOf(mock, 'purchases.quote')).toEqual([])
    await form(page).getByLabel('Quantity').fill('2')
    await form(page).getByLabel('Size').fill('16:9')
    await form(page).getByLabel('Starting image URL').fill('')
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(form(page)).toContainText('Enter a prompt.')
    mock.state.failures['purchases.quote'] = failure('payment/wrong-network')
    await ask(page)
    await expect(form(page).getByRole('alert')).toContainText('The invoice is for a different network')
    await expect(form(page).getByLabel('Prompt')).toHaveValue('A quiet room by the sea')
    delete mock.state.failures['purchases.quote']
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(card(page)).toContainText('53 sats')
    expect(callsOf(mock, 'purchases.quote').at(-1)?.input).toEqual({
      ask: {
        endpoint: 'images/generations',
        body: { model: 'sandbox/painter', prompt: 'A quiet room by the sea', size: '16:9', n: 2 },
      },
    })
  })

  test('can’t be paid after its price has expired', async ({ window: { open, page, mock } }) => {
    withoutWallet(mock)
    await page.clock.install()
    const start = await page.evaluate<number>('Date.now()')
    mock.state.purchases.list = [
      purchase('p1', { state: 'quoted', uri: MOCK_URI, expiresAt: start + 10 * 60_000 }),
    ]
    await open(PLACE)
    await expect(code(page)).toBeVisible()
    await page.clock.fastForward('10:01')
    await expect(card(page)).toContainText('This price has expired.')
    await expect(code(page)).toHaveCount(0)
    await expect(card(page).getByLabel('Preimage')).toHaveCount(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(card(page)).toContainText('Canceled')
  })
})

test.describe('another wallet', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`can scan exactly the invoice with a camera (${colorScheme})`, async ({
      window: { open, page, mock },
    }) => {
      withoutWallet(mock)
      await page.emulateMedia({ colorScheme })
      await open(PLACE)
      await ask(page)
      await expect(code(page)).toBeVisible()
      await expect.poll(() => readQr(code(page))).toBe(MOCK_URI)
      await expect(card(page)).not.toContainText('Not payable')
      await expect(page.getByRole('button', { name: /^Pay 53/ })).toHaveCount(0)
    })
  }

  test('gets the copied invoice in lower case, and the entered preimage is removed from the page', async ({
    window: { open, page, mock },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    withoutWallet(mock)
    await open(PLACE)
    await ask(page)
    await page.getByRole('button', { name: 'Copy invoice' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(MOCK_INVOICE)
    const field = card(page).getByLabel('Preimage')
    await field.fill('not a preimage')
    await page.keyboard.press('Enter')
    await expect(card(page)).toContainText('64 hexadecimal digits')
    await field.fill('ab'.repeat(32))
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('alert')).toContainText('This preimage doesn’t prove')
    await expect(field).toHaveValue('')
    await field.fill(` ${MOCK_PREIMAGE.toUpperCase()} `)
    // The search finds the preimage while the field holds it.
    expect((await wholePage(page)).toLowerCase()).toContain(MOCK_PREIMAGE)
    await page.getByRole('button', { name: 'I’ve paid' }).click()
    await expect(card(page).getByRole('img', { name: /^Image from/ })).toBeVisible()
    expect(callsOf(mock, 'purchases.prove').at(-1)?.input).toMatchObject({ preimage: MOCK_PREIMAGE })
    expect((await wholePage(page)).toLowerCase()).not.toContain(MOCK_PREIMAGE)
  })

  test('can’t pay the sandbox’s code, which is marked', async ({ window: { open, page, mock } }) => {
    mock.state.models = listed
    await open(PLACE)
    await ask(page)
    await expect(card(page)).toContainText('Not payable')
  })

  test('is an option if one is connected, and hidden while a payment is in progress', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    await ask(page)
    await expect(code(page)).toBeHidden()
    await page.getByText('Pay with another wallet').click()
    await expect(code(page)).toBeVisible()
    mock.state.purchases.turn('p-1', { state: 'paying' })
    await expect(card(page)).toContainText('Payment in progress')
    await expect(code(page)).toHaveCount(0)
    expect(await wholePage(page)).not.toContain(MOCK_INVOICE)
  })
})

test.describe('a purchase', () => {
  const outcomes: readonly [Purchase['state'], Partial<Purchase>, string, RegExp][] = [
    ['paying', {}, 'Payment in progress', /hasn’t answered yet.*Nothing is paid twice/],
    ['held', {}, 'Held', /locked the money.*Until then it counts as spent/],
    ['unknown', {}, 'Outcome unknown', /The wallet hasn’t reported whether it paid.*nothing is paid twice/],
    ['paid', {}, 'Paid', /sending the proof of payment/],
    ['paid', { job: { id: 'g1', status: 'pending' } }, 'In progress', /continues if you leave/],
    [
      'delivered',
      { job: { id: 'g1', status: 'failed' } },
      'Paid, generation failed',
      /Lightning payments can’t be refunded/,
    ],
    ['closed', {}, 'Closed, outcome unknown', /Whether it was paid isn’t known/],
    ['failed', {}, 'Payment failed', /Nothing was paid/],
    [
      'failed',
      { failure: failure('wallet/insufficient-balance') },
      'Payment failed',
      /The wallet’s balance doesn’t cover this payment.*Nothing was paid/,
    ],
    ['expired', {}, 'Expired', /Nothing was paid/],
    ['declined', {}, 'Canceled', /Nothing was paid/],
  ]

  test('shows its outcome live, and is never called failed while the outcome is unknown', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.purchases.list = [purchase('p1', { state: 'paying' })]
    await open(PLACE)
    for (const [state, part, name, means] of outcomes) {
      mock.state.purchases.list = [purchase('p1', { state: 'paying' })]
      mock.state.purchases.turn('p1', { state, ...part })
      await expect(card(page).getByText(name, { exact: true })).toBeVisible()
      await expect(card(page)).toContainText(means)
      if (state === 'paying' || state === 'held' || state === 'unknown')
        await expect(card(page)).not.toContainText(/failed|expired/i)
    }
  })

  test('is listed newest first, with the caller and the fee', async ({ window: { open, page, mock } }) => {
    ready(mock)
    mock.state.purchases.list = [
      purchase('p1', {
        at: now - 1000,
        endpoint: 'data',
        subject: '/api/websearch/search',
        caller: { kind: 'proxy', localKeyId: 'k1' },
      }),
      purchase('p2', { at: now - 2000, feeMsat: '9000', endpoint: 'videos', subject: 'sandbox/film' }),
      ...Array.from({ length: 12 }, (_, index) =>
        purchase(`q${String(index)}`, { at: now - 10_000 * (index + 1) }),
      ),
    ]
    await open(PLACE)
    const cards = page.getByRole('region', { name: 'Purchases' }).getByRole('article')
    await expect(cards).toHaveCount(10)
    await expect(cards.nth(0)).toContainText('requested by a tool')
    await expect(cards.nth(1)).toContainText('9 sats in fees (unusually high)')
    for (const index of [0, 1]) await expect(cards.nth(index)).toContainText('Visible')
    await page.getByRole('button', { name: 'Show older' }).click()
    await expect(cards).toHaveCount(14)
  })

  test('without delivery can be retried without payment, and its proof is saved after a confirmation', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    mock.state.purchases.outcome = 'undelivered'
    mock.state.purchases.list = [
      purchase('p1', { state: 'undelivered', attempts: 6, failure: failure('payment/undelivered') }),
    ]
    await open(PLACE)
    await expect(card(page)).toContainText('Sent 6 times with the proof of payment. Retrying costs nothing.')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export proof…' }).click()
    await confirm(page)
    const download = await downloading
    expect(download.suggestedFilename()).toBe('sotto-proof-p1.json')
    expect(await readFile(await download.path(), 'utf8')).toContain(MOCK_PREIMAGE)
    expect(await wholePage(page)).not.toContain(MOCK_PREIMAGE)
    await page.getByRole('button', { name: 'Retry delivery' }).click()
    await expect(card(page).getByRole('alert')).toContainText('the service didn’t deliver')
    await expect(card(page)).toContainText('7 times')
    mock.state.purchases.outcome = 'delivered'
    await page.getByRole('button', { name: 'Retry delivery' }).click()
    await expect(card(page).getByRole('img', { name: /^Image from/ })).toBeVisible()
    expect(callsOf(mock, 'purchases.pay')).toEqual([])
  })

  test('without delivery can be abandoned after a confirmation, and its proof remains', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    mock.state.purchases.list = [
      purchase('p1', { state: 'undelivered', attempts: 6, failure: failure('payment/undelivered') }),
    ]
    await open(PLACE)
    await page.getByRole('button', { name: 'Stop retrying…' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(card(page)).toContainText('confirm/refused')
    await page.getByRole('button', { name: 'Stop retrying…' }).click()
    await confirm(page)
    await expect(card(page)).toContainText('Paid, not delivered (stopped)')
    await expect(card(page)).toContainText('You stopped retrying')
    await expect(page.getByTestId('announcer')).toHaveText(
      'Image from sandbox/painter: Paid, not delivered (stopped)',
    )
    await expect(card(page).getByRole('heading')).toBeFocused()
    for (const gone of ['Stop retrying…', 'Retry delivery'])
      await expect(card(page).getByRole('button', { name: gone })).toHaveCount(0)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export proof…' }).click()
    await confirm(page)
    expect((await downloading).suggestedFilename()).toBe('sotto-proof-p1.json')
    expect(callsOf(mock, 'purchases.abandon')).toHaveLength(2)
  })

  test('with an unknown outcome can be closed by keyboard after a confirmation, and a preimage still counts', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    mock.state.purchases.list = [purchase('p1', { state: 'unknown', failure: failure('payment/unresolved') })]
    await open(PLACE)
    await page.getByRole('button', { name: 'Close payment…' }).focus()
    await page.keyboard.press('Enter')
    await confirm(page)
    await expect(card(page)).toContainText('Closed, outcome unknown')
    await expect(card(page)).toContainText('Whether it was paid isn’t known')
    await expect(card(page).getByRole('button', { name: 'Close payment…' })).toHaveCount(0)
    await expect(card(page).getByRole('heading')).toBeFocused()
    expect(await axeFaults(page, 'main')).toEqual([])
    await card(page).getByText('Enter the preimage from your wallet').click()
    await card(page).getByLabel('Preimage').fill(MOCK_PREIMAGE)
    await page.keyboard.press('Enter')
    await expect.poll(() => callsOf(mock, 'purchases.prove')).toHaveLength(1)
    expect(await wholePage(page)).not.toContain(MOCK_PREIMAGE)
  })

  test('never shows another file as an image, whatever type the service reports', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.purchases.list = [
      purchase('p1', {
        files: [
          { index: 1, contentType: 'image/png', bytes: SVG.length },
          { index: 2, contentType: 'text/html', bytes: PNG.length },
        ],
      }),
    ]
    mock.state.purchases.files.set('p1', [
      { contentType: 'image/png', bytes: SVG },
      { contentType: 'text/html', bytes: PNG },
    ])
    await open(PLACE)
    await page.getByRole('button', { name: 'Show result' }).click()
    await expect(card(page)).toContainText('can’t safely display this file as an image or video')
    await expect(card(page).getByRole('img')).toHaveCount(1)
    expect(await page.evaluate('window.wasRun')).toBeUndefined()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save 1…' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/\.bin$/)
  })

  test('shows an error if its file can’t be opened', async ({ window: { open, page, mock } }) => {
    ready(mock)
    mock.state.purchases.list = [
      purchase('p1', { files: [{ index: 1, contentType: 'image/png', bytes: 9 }] }),
    ]
    mock.state.failures['purchases.file'] = failure('store/damaged')
    await open(PLACE)
    await page.getByRole('button', { name: 'Show result' }).click()
    await expect(card(page).getByRole('alert')).toContainText('The data folder can’t be read')
  })
})

test.describe('other kinds of purchases', () => {
  test('data is selected from the service’s list, with its price', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    await page.getByRole('radio', { name: 'Data' }).check()
    const data = page.getByLabel('Data', { exact: true }).and(page.locator('select'))
    await expect(data.locator('option')).toHaveText([
      'Choose a lookup',
      'Web search (/api/websearch/search), list price $0.011',
      '/api/websearch/answer, no list price',
      'Place details (/api/maps/place-details/full), list price $0.03',
      'Enter a path…',
    ])
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(form(page)).toContainText('Choose a lookup.')
    await expect(data).toBeFocused()
    await data.selectOption('Web search (/api/websearch/search), list price $0.011')
    await expect(form(page)).toContainText('Description from the service: “Searches the web.”')
    await data.selectOption('Place details (/api/maps/place-details/full), list price $0.03')
    await page.getByLabel('Query parameters (JSON)').fill('{"id": "x"}')
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(card(page, /^Data/)).toContainText('Price quoted')
    expect(callsOf(mock, 'purchases.quote').map(({ input }) => input)).toEqual([
      { ask: { endpoint: 'data', method: 'GET', path: '/api/maps/place-details/full', input: { id: 'x' } } },
    ])
  })

  test('data is requested by its path if the list is unavailable', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.purchases.endpoints = undefined
    await open(PLACE)
    await page.getByRole('radio', { name: 'Data' }).check()
    await expect(page.getByLabel('Path under /v1/data')).toHaveValue('/api/')
    await expect(page.getByLabel('Data', { exact: true }).and(page.locator('select'))).toHaveCount(0)
  })

  test('data is requested by method, path and strict JSON, and its response is text', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.wallet.view = {
      ...mock.state.wallet.view,
      hosts: [{ host: 'api.service.example', spentInDay: '0', firstPaidAt: now }],
    }
    mock.state.purchases.answer = '{"html":"<img src=x onerror=\\"window.wasRun = true\\">"}'
    await open(PLACE)
    await page.getByRole('radio', { name: 'Data' }).check()
    await page.getByLabel('Data', { exact: true }).and(page.locator('select')).selectOption('Enter a path…')
    await page.getByLabel('Path under /v1/data').fill('/api/../keys')
    await page.getByLabel('Request (JSON)').fill('{"query": "sea", "query": "land"}')
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(form(page)).toContainText('Enter a path')
    await expect(form(page)).toContainText('Invalid JSON. Duplicate key.')
    await page.getByLabel('Request (JSON)').fill('{"query": ')
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(form(page)).toContainText('Invalid JSON.')
    expect(callsOf(mock, 'purchases.quote')).toEqual([])
    await page.getByLabel('Path under /v1/data').fill('/api/websearch/search')
    await page.getByLabel('Request (JSON)').fill('{"query": "sea", "limit": 2}')
    await page.getByRole('button', { name: 'Get price' }).click()
    await page.getByRole('button', { name: 'Pay 53 sats' }).click()
    const answer = card(page, /^Data/).getByRole('region', { name: 'Reply' })
    await expect(answer).toHaveText(mock.state.purchases.answer)
    expect(await page.evaluate('window.wasRun')).toBeUndefined()
    expect(callsOf(mock, 'purchases.quote').map(({ input }) => input)).toEqual([
      {
        ask: {
          endpoint: 'data',
          method: 'POST',
          path: '/api/websearch/search',
          input: { query: 'sea', limit: 2 },
        },
      },
    ])
    const downloading = page.waitForEvent('download')
    await card(page, /^Data/).getByRole('button', { name: 'Save…' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^sotto-api-websearch-search-.*\.json$/)
    expect(await readFile(await download.path(), 'utf8')).toBe(mock.state.purchases.answer)
  })

  test('an image is edited with a source image and a prompt', async ({ window: { open, page, mock } }) => {
    ready(mock)
    await open(PLACE)
    await page.getByRole('radio', { name: 'Image edit' }).check()
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Enter a model ID…' })
    await page.getByLabel('Model ID').fill('sandbox/retoucher')
    await page.getByLabel('Describe the change').fill('Open the window')
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(form(page)).toContainText('Choose an image')
    await page
      .getByTestId('file-input')
      .and(page.locator('[type="file"]'))
      .setInputFiles({ name: 'room.png', mimeType: 'image/png', buffer: PNG })
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(card(page, /^Edited image sandbox\/retoucher/)).toContainText('53 sats')
    expect(callsOf(mock, 'purchases.quote').map(({ input }) => input)).toMatchObject([
      {
        ask: { endpoint: 'images/edits', fields: { model: 'sandbox/retoucher', prompt: 'Open the window' } },
      },
    ])
  })

  test('a video is requested with its duration and format, and shown with controls', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    await page.getByRole('radio', { name: 'Video' }).check()
    await expect(
      page.getByLabel('Model', { exact: true }).getByRole('option', { name: /Film.*\$0\.05 per second/ }),
    ).toHaveCount(1)
    await page.getByLabel('Model', { exact: true }).selectOption('sandbox/film')
    await page.getByLabel('Prompt').fill('The tide comes in')
    await form(page).getByText('Size, quality, and more').click()
    await page.getByLabel('Duration (seconds)').fill('5')
    await page.getByLabel('Format', { exact: true }).fill('16:9')
    await page.getByRole('button', { name: 'Get price' }).click()
    await expect(card(page, /^Video/)).toContainText('53 sats')
    expect(callsOf(mock, 'purchases.quote').map(({ input }) => input)).toEqual([
      {
        ask: {
          endpoint: 'videos',
          body: { model: 'sandbox/film', prompt: 'The tide comes in', duration: '5', aspect_ratio: '16:9' },
        },
      },
    ])
    mock.state.purchases.turn('p-1', { state: 'paid', job: { id: 'g1', status: 'pending' } })
    await expect(card(page, /^Video/)).toContainText('In progress')
    mock.state.purchases.files.set('p-1', [
      { contentType: 'video/mp4', bytes: Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1') },
    ])
    mock.state.purchases.turn('p-1', {
      state: 'delivered',
      job: { id: 'g1', status: 'completed' },
      files: [{ index: 1, contentType: 'video/mp4', bytes: 16 }],
    })
    await expect(card(page, /^Video/).getByLabel('Video from sandbox/film')).toHaveAttribute('controls')
  })

  test('Revision A has no image edits, and allows up to ten images at once', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.status = { ...mock.state.status, service: { ...mock.state.status.service, revision: 'A' } }
    await open(PLACE)
    await expect(page.getByRole('radio', { name: 'Data' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Image edit' })).toHaveCount(0)
    await form(page).getByText('Size, quality, and more').click()
    await expect(form(page)).toContainText('1 to 10')
  })
})
