import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { goodVerdict, serviceStatus, usd } from './mock-data.ts'
import { failure } from './mock-server.ts'
import { goodTrial, localKey, refusedRequest, request, someKeys } from './mock-local-api.ts'
import { actOn } from './screens/key-screens.ts'
import { full, listOf } from './screens/local-api-screens.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

test.describe('the address', () => {
  test('shows that the proxy runs, its address, its reach, its service, and whether private models are available', async ({
    window: { open, page, mock },
  }) => {
    mock.state.verdict = goodVerdict(now)
    await open('#/developer')
    const main = page.getByRole('main')
    for (const part of [
      'Running',
      'http://127.0.0.1:7788/v1',
      'This computer, without TLS',
      'Demo mode: simulated models',
      'Verified',
    ])
      await expect(main).toContainText(part)
  })

  test('shows that a service without a policy refuses private models, and the certificate of a remote address', async ({
    window: { open, page, mock },
  }) => {
    const status = serviceStatus()
    mock.state.status = {
      ...status,
      service: { ...status.service, hasPolicy: false },
      proxy: {
        ...status.proxy,
        reach: { baseUrl: 'https://desk.example:7788/v1', fingerprint: Array(32).fill('AB').join(':') },
      },
    }
    await open('#/developer')
    await expect(page.getByRole('main')).toContainText('This service has no attestation policy')
    await expect(page.getByRole('main')).toContainText(
      'Other computers, with TLS, at https://desk.example:7788/v1',
    )
    await expect(page.getByRole('button', { name: 'Copy certificate (SHA-256)' })).toBeVisible()
    await expect(
      page
        .getByRole('paragraph')
        .filter({ hasText: 'no attestation policy' })
        .getByText('Blocked', { exact: true }),
    ).toBeVisible()
  })
})

test.describe('keys', () => {
  test('show the spent and the reserved part of the budget, its reset, and their permissions', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/keys')
    const claude = page.getByRole('article', { name: 'Claude Code' })
    for (const part of [
      '$1.9274 of $5.00 per day',
      '$0.35 reserved',
      /Resets in 3 h/,
      'Private models only, 240 requests per minute',
      '1,204 requests',
    ])
      await expect(claude).toContainText(part)
    const notebook = page.getByRole('article', { name: /^Notebook/ })
    for (const part of [
      'used up',
      'equests with unknown prices allowed',
      '3 of 5 models',
      'can read the balance',
    ])
      await expect(notebook).toContainText(part)
    await expect(page.getByRole('article', { name: 'Trip' })).toContainText('Expired')
    await expect(page.getByRole('article', { name: 'Old laptop' })).toBeHidden()
    await page.getByLabel('Show revoked').check()
    await expect(page.getByRole('article', { name: 'Old laptop' })).toContainText('Revoked')
  })

  test('have aliases and origins that are edited by keyboard, and the first key has no origins', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/keys')
    const research = page.getByRole('article', { name: 'Research' })
    await expect(research).toContainText('2 aliases, 1 allowed origin')
    await actOn(page, 'Research', 'Edit')
    const form = page.getByRole('dialog', { name: 'Edit Research' })
    await expect(form).toContainText('Not among the listed chat models: private/not-listed.')
    await form.getByLabel('Who may read requests').selectOption('sealed')
    await form.getByLabel('Aliases, one per line').fill('o3 = sandbox/echo')
    await form.getByLabel('Allowed origins, one per line').fill('APP://Obsidian.md\nhttps://*.example')
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(form.getByLabel('Aliases, one per line')).toBeFocused()
    await expect(form).toContainText('This key can’t use sandbox/echo.')
    await expect(form).toContainText('Line “https://*.example” isn’t an origin.')
    expect(await axeFaults(page)).toEqual([])
    await form.getByLabel('Aliases, one per line').fill('o3 = private/sandbox-large')
    await form.getByLabel('Allowed origins, one per line').fill('APP://Obsidian.md')
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(form).toBeHidden()
    expect(mock.state.localApi.keys.find(({ name }) => name === 'Research')?.limits).toMatchObject({
      atLeast: 'sealed',
      aliases: [{ pattern: 'o3', model: 'private/sandbox-large' }],
      origins: ['app://obsidian.md'],
    })
    await actOn(page, 'First key', 'Edit')
    await expect(page.getByLabel('Aliases, one per line')).toBeVisible()
    await expect(page.getByLabel('Allowed origins, one per line')).toBeHidden()
  })

  test('update their spending live, and again after a lost connection', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/keys')
    const claude = page.getByRole('article', { name: 'Claude Code' })
    await expect(claude).toContainText('$1.9274')
    const key = mock.state.localApi.keys[1]!
    mock.state.localApi.tell({ keys: [{ ...key, spent: usd(2.5), held: '0' }] })
    await expect(claude).toContainText('$2.50')
    await expect(claude).not.toContainText('held')
    mock.state.localApi.keys = mock.state.localApi.keys.map((each) =>
      each.id === key.id ? { ...key, spent: usd(3.75) } : each,
    )
    mock.state.localApi.cut()
    await expect(claude).toContainText('$3.75')
  })

  test('mask the first key until it is shown, and copy it whole', async ({
    window: { open, page },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('#/developer/keys')
    await expect(page.getByTestId('local-key')).toHaveText(/^sotto-•+$/)
    expect(await page.evaluate('document.body.innerText')).not.toContain('4f9d2c7a')
    await page.getByRole('button', { name: 'Copy key' }).click()
    await expect.poll(() => clipboard(page)).toBe('sotto-4f9d2c7a8b1e6035')
    await page.getByRole('button', { name: 'Show the key' }).click()
    await expect(page.getByTestId('local-key')).toHaveText('sotto-4f9d2c7a8b1e6035')
  })

  test('are created with all limits, and show their secret once', async ({
    window: { open, page, mock },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    mock.state.projects = [
      { id: 'p1', name: 'Taxes', instructions: '', privateOnly: false, createdAt: 0, updatedAt: 0 },
    ]
    await open('#/developer/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('Notes')
    await form.getByLabel('US dollars').fill('2.50')
    await form.getByLabel('Resets').selectOption('week')
    await form.getByLabel('Who may read requests').selectOption('sealed')
    await form.getByLabel('Models, one pattern per line').fill('private/*\nnone/*')
    await expect(form.getByText('2 of 5 models')).toBeVisible()
    await expect(form).toContainText('No model matches none/*')
    await form.getByLabel('Requests per minute').fill('30')
    await form.getByLabel('Expires').fill('2099-12-24T18:00')
    await form.getByLabel('Web search').check()
    await form.getByLabel('Project documents').selectOption('p1')
    await form.getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByRole('dialog', { name: 'Secret for Notes' })
    const text = await secret.getByTestId('new-secret').innerText()
    await secret.getByRole('button', { name: 'Copy secret' }).click()
    await expect.poll(() => clipboard(page)).toBe(text)
    // A stray key doesn't close it.
    await page.keyboard.press('Escape')
    await expect(secret.getByRole('alert')).toContainText('the secret can’t be shown again')
    await secret.getByRole('button', { name: 'I’ve saved it' }).click()
    await expect(page.getByTestId('new-secret')).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'Notes' })).toContainText('$0.00 of $2.50 per week')
    expect(
      await page.evaluate(
        'JSON.stringify([document.body.innerHTML, { ...localStorage }, { ...sessionStorage }])',
      ),
    ).not.toContain(text)
    expect(mock.state.localApi.keys.at(-1)?.limits).toEqual({
      budget: { picoUsd: usd(2.5), period: 'week' },
      atLeast: 'sealed',
      models: ['private/*', 'none/*'],
      requestsPerMinute: 30,
      expiresAt: new Date('2099-12-24T18:00').getTime(),
      serverTools: { webSearch: true, knowledge: 'p1' },
    })
  })

  test('show an invalid value next to its field, and a refusal by the core below', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('US dollars').fill('2,50')
    await form.getByLabel('Requests per minute').fill('many')
    await form.getByLabel('Expires').fill('2020-01-01T00:00')
    await form.getByRole('button', { name: 'Create key' }).click()
    for (const fault of [
      'Enter a name',
      'Enter an amount in dollars, such as',
      'Enter a whole number',
      'This time has passed',
    ])
      await expect(form).toContainText(fault)
    await expect(form.getByLabel('Name')).toBeFocused()
    expect(mock.calls.some(({ path }) => path === 'localApi.create')).toBe(false)
    await form.getByLabel('Name').fill('Claude Code')
    await form.getByLabel('US dollars').fill('2.50')
    await form.getByLabel('Requests per minute').fill('')
    await form.getByLabel('Expires').fill('')
    await form.getByRole('button', { name: 'Create key' }).click()
    await expect(form.getByRole('alert')).toContainText('Another local key already has this name')
  })

  test('explain each scope, and need a confirmation outside the window to add one', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.confirmationCode = '314159'
    await open('#/developer/keys')
    await actOn(page, 'Claude Code', 'Edit')
    const form = page.getByRole('dialog', { name: 'Edit Claude Code' })
    await expect(form.getByLabel('US dollars')).toHaveValue('5')
    for (const means of ['see the account balance', 'never their content', 'at /metrics', 'from your wallet'])
      await expect(form).toContainText(means)
    await form.getByLabel('Read balance').check()
    await form.getByLabel('Budget', { exact: true }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Code from your terminal').fill('314159')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('article', { name: 'Claude Code' })).toContainText('can read the balance')
    await expect(page.getByRole('article', { name: 'Claude Code' })).toContainText('no budget')
  })

  test('with a soft budget show the alert, the increase and the other limits', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/keys')
    const research = page.getByRole('article', { name: 'Research' })
    for (const part of [
      '$12.40 of $15.00 per month (soft)',
      '$5.00 added until',
      'At least 80% of the budget is spent',
      'Alert at 80%, 200,000 tokens per minute, 4 parallel requests',
    ])
      await expect(research).toContainText(part)
    // The increase counts.
    await expect(research).not.toContainText('used up')
  })

  test('are created with a soft budget, an alert and limits by keyboard', async ({
    window: { open, page, mock },
  }) => {
    await open('#/developer/keys')
    await page.getByRole('button', { name: 'Create key' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('Agent')
    await expect(form.getByLabel('Allow requests with unknown prices')).toBeVisible()
    await form.getByLabel('Soft budget').press('Space')
    await expect(form).toContainText('Parallel requests can exceed the budget')
    // A soft budget asks for no price.
    await expect(form.getByLabel('Allow requests with unknown prices')).toHaveCount(0)
    await form.getByLabel('Alert at').fill('0')
    await form.getByLabel('Tokens per minute').fill('-1')
    await form.getByLabel('Parallel requests').fill('1.5')
    expect(await axeFaults(page, '[role="dialog"]')).toEqual([])
    await form.getByRole('button', { name: 'Create key' }).press('Enter')
    for (const most of ['99', '999,999,999', '999'])
      await expect(form).toContainText(`Enter a whole number from 1 to ${most}, or leave it empty.`)
    await expect(form.getByLabel('Alert at')).toBeFocused()
    await form.getByLabel('Alert at').fill('75')
    await form.getByLabel('Tokens per minute').fill('100000')
    await form.getByLabel('Parallel requests').fill('3')
    await form.getByRole('button', { name: 'Create key' }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Secret for Agent' })).toBeVisible()
    expect(mock.state.localApi.keys.at(-1)?.limits).toEqual({
      budget: { picoUsd: usd(5), period: 'month', soft: true, alertPercent: 75 },
      tokensPerMinute: 100_000,
      parallelRequests: 3,
    })
  })

  test('get a temporary budget increase after confirmation, and lose it again, by keyboard', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.confirmationCode = '314159'
    await open('#/developer/keys')
    const claude = page.getByRole('article', { name: 'Claude Code' })
    await actOn(page, 'Claude Code', 'Increase budget')
    const dialog = page.getByRole('dialog', { name: 'Temporary increase for Claude Code' })
    await expect(dialog.getByLabel('US dollars')).toBeFocused()
    await expect(dialog.getByRole('button', { name: 'Remove increase' })).toHaveCount(0)
    expect(await axeFaults(page, '[role="dialog"]')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Enter an amount in dollars, such as')
    await dialog.getByLabel('US dollars').fill('2.50')
    await dialog.getByLabel('Until').fill('2099-01-01T00:00')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('within 30 days')
    await dialog.getByLabel('Until').fill('')
    await page.keyboard.press('Enter')
    await page.getByLabel('Code from your terminal').fill('314159')
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await expect(claude).toContainText('$2.50 added until')
    await expect(dialog).toHaveCount(0)

    await actOn(page, 'Claude Code', 'Increase budget')
    await dialog.getByRole('button', { name: 'Remove increase' }).press('Enter')
    await expect(claude).not.toContainText('added until')
    expect(
      mock.calls.filter(({ path }) => path === 'localApi.increase').map(({ input }) => input),
    ).toMatchObject([
      { picoUsd: usd(2.5), until: new Date('2099-01-01T00:00').getTime() },
      { picoUsd: usd(2.5) },
      { picoUsd: '0' },
    ])
  })

  test('are revoked after a confirmation, and the first key is renewed instead', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/keys')
    await actOn(page, 'Claude Code', 'Revoke')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    const claude = page.getByRole('article', { name: 'Claude Code' })
    await expect(claude).toHaveCount(0)
    await page.getByLabel('Show revoked').check()
    await expect(claude).toContainText('Revoked')
    await page.getByRole('button', { name: 'Actions for First key' }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Rotate'])
    await page.keyboard.press('Escape')
    await actOn(page, 'First key', 'Rotate')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect.poll(() => mock.calls.some(({ path }) => path === 'localApi.rotate')).toBe(true)
  })
})

test.describe('requests', () => {
  test('are listed with tool, model, privacy, tokens, cost and overhead, and open their receipts', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    mock.state.localApi.requests = [
      request('q1', now),
      refusedRequest('q2', now - 1000),
      request('q3', now - 2000, {
        privacy: 'forwarded',
        model: 'sandbox/echo',
        outcome: 'interrupted',
        addedMs: 12.4,
      }),
    ]
    mock.state.receipts = []
    await open('#/developer/requests')
    const lines = listOf(page).getByRole('button', { name: /Claude Code/ })
    await expect(lines).toHaveCount(3)
    await expect(lines.nth(0)).toHaveText(
      /Claude Code.*private\/sandbox-large.*Private.*212 tokens in, 430 out.*0\.8 ms overhead.*0\.13518¢.*Done/,
    )
    await expect(lines.nth(1)).toHaveText(/Blocked.*not sent.*attestation\/failed/)
    await expect(lines.nth(2)).toHaveText(/Visible.*12 ms overhead.*interrupted/)
    await lines.nth(0).click()
    // A deleted receipt doesn't leave the dialog loading forever.
    await expect(page.getByRole('dialog', { name: 'Receipt' }).getByRole('alert')).toContainText(
      'Receipt not found.',
    )
    await expect(page.getByRole('dialog', { name: 'Receipt' })).not.toContainText('Loading')
    expect(mock.calls.filter(({ path }) => path === 'receipts.get').at(-1)?.input).toEqual({
      receiptId: 'q1',
    })
  })

  test('are filtered by tool and by privacy', async ({ window: { open, page, mock } }) => {
    full(mock)
    await open('#/developer/requests')
    await expect(listOf(page).getByText('Blocked').first()).toBeVisible()
    await page
      .getByLabel('Tool', { exact: true })
      .selectOption({ label: 'Notebook of the long name that somebody gave to it' })
    await expect(listOf(page).getByText('Claude Code')).toHaveCount(0)
    await expect(listOf(page).getByText('Visible').first()).toBeVisible()
    await page.getByLabel('Privacy').selectOption('refused')
    await expect(page.getByText('No matching requests')).toBeVisible()
    await page.getByRole('button', { name: 'Show all requests' }).click()
    await expect(listOf(page).getByText('Claude Code').first()).toBeVisible()
    await expect(page.getByLabel('Tool', { exact: true })).toHaveValue('')
  })

  test('are rendered only in part, and older ones load while scrolling', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/requests')
    await expect(listOf(page).getByRole('button').first()).toBeVisible()
    expect(await listOf(page).getByRole('button').count()).toBeLessThan(60)
    // Distinct pages, because a page can be loaded more than once.
    const pages = () =>
      new Set(
        mock.calls
          .filter(({ path }) => path === 'localApi.requests')
          .map(({ input }) => JSON.stringify(input)),
      ).size
    const before = pages()
    await expect
      .poll(async () => {
        await listOf(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
        return pages()
      })
      .toBe(before + 3)
    await expect
      .poll(async () => {
        await listOf(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
        return page.getByRole('button', { name: 'Load older requests' }).count()
      })
      .toBe(0)
    expect(await listOf(page).getByRole('button').count()).toBeLessThan(60)
  })

  test('appear at the top as they arrive, and a user who reads further down isn’t moved and sees a notice', async ({
    window: { open, page, mock },
  }) => {
    full(mock)
    await open('#/developer/requests')
    await expect(listOf(page).getByRole('button').first()).toBeVisible()
    await expect(page.getByText('Updating live.')).toBeVisible()
    mock.state.localApi.tell({ requests: [request('n1', Date.now(), { model: 'private/brand-new' })] })
    await expect(listOf(page).getByText('private/brand-new')).toBeInViewport()
    await listOf(page).evaluate((element) => element.scrollTo({ top: 700 }))
    await expect(listOf(page).getByText('private/brand-new')).not.toBeInViewport()
    mock.state.localApi.tell({
      requests: [request('n3', Date.now(), { model: 'private/newest' }), request('n2', Date.now())],
    })
    await page.getByRole('button', { name: '2 new requests' }).click()
    await expect(listOf(page).getByText('private/newest')).toBeInViewport()
    await expect(page.getByRole('button', { name: /new requests/ })).toHaveCount(0)
  })

  test('that don’t match the filter don’t appear', async ({ window: { open, page, mock } }) => {
    full(mock)
    await open('#/developer/requests')
    await page.getByLabel('Privacy').selectOption('refused')
    await expect(listOf(page).getByText('Blocked').first()).toBeVisible()
    await expect(listOf(page).getByText('Private', { exact: true })).toHaveCount(0)
    await expect(page.getByText('Updating live.')).toBeVisible()
    mock.state.localApi.tell({
      requests: [
        request('n1', Date.now(), { model: 'private/not-this' }),
        refusedRequest('n2', Date.now(), { model: 'private/but-this' }),
      ],
    })
    await expect(listOf(page).getByText('private/but-this')).toBeVisible()
    await expect(listOf(page).getByText('private/not-this')).toHaveCount(0)
  })

  test('show an error if the list can’t be loaded, and load again', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['localApi.requests'] = failure('store/damaged')
    await open('#/developer/requests')
    await expect(page.getByRole('alert')).toContainText('The data folder can’t be read')
    delete mock.state.failures['localApi.requests']
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No requests from tools yet')).toBeVisible()
  })
})

test.describe('a tool', () => {
  test('gets a key with limits in one click, filled-in settings, and a test', async ({
    window: { open, page, mock },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('#/developer/tools')
    await page.getByRole('link', { name: /^Codex CLI/ }).click()
    await expect(page.getByRole('heading', { name: 'Codex CLI' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try it' })).toBeDisabled()
    await expect(page.getByText('$5.00 per day, private models only, 240 requests per minute')).toBeVisible()
    await page.getByRole('button', { name: 'Create key' }).click()
    const terminal = page.getByRole('region', { name: 'In the terminal that runs codex' })
    await expect(terminal).toContainText("export SOTTO_API_KEY='sk-sot••")
    const createdKey = mock.state.localApi.keys.at(-1)!
    expect(createdKey).toMatchObject({
      name: 'Codex CLI',
      limits: { budget: { picoUsd: usd(5), period: 'day' }, atLeast: 'sealed', requestsPerMinute: 240 },
    })
    const secret = `sk-sotto-secret-of-${createdKey.id}`
    await page.getByRole('button', { name: 'Copy: In the terminal that runs codex' }).click()
    await expect.poll(() => clipboard(page)).toBe(`export SOTTO_API_KEY='${secret}'`)
    await page.getByRole('button', { name: 'Show key' }).click()
    await expect(terminal).toContainText(secret)
    await expect(page.getByText(/at most 0\.0\d+¢/)).toBeVisible()
    await page.getByRole('button', { name: 'Try it' }).click()
    const trial = page.getByTestId('trial')
    for (const part of [
      'It works',
      'status 200',
      'Private',
      '0.00405¢',
      'Hello, and good to meet you.',
      'including 0.7 ms overhead',
    ])
      await expect(trial).toContainText(part)
    await expect
      .poll(() => mock.calls.find(({ path }) => path === 'localApi.try')?.input)
      .toEqual({ secret, dialect: 'responses', model: 'private/sandbox-large' })
    await trial.getByRole('button', { name: 'Open receipt' }).click()
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('$0.0000405')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await expect(page.getByText('A key named Codex CLI already exists')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create key' })).toBeVisible()
    expect(await page.evaluate('document.body.innerHTML')).not.toContain(secret)
  })

  test('shows the refusal of a test with its code', async ({ window: { open, page, mock } }) => {
    const { receipt: _r, text: _t, ...rest } = goodTrial(now)
    mock.state.localApi.trial = {
      ...rest,
      status: 402,
      privacy: 'refused',
      error: {
        code: 'budget/exceeded',
        message: 'This local key’s budget doesn’t cover the request’s possible cost.',
      },
    }
    await open('#/developer/curl')
    await page.getByRole('button', { name: 'Use the default key instead' }).click()
    await page.getByRole('button', { name: 'Try it' }).click()
    for (const part of ['status 402', 'Blocked', 'budget/exceeded'])
      await expect(page.getByTestId('trial')).toContainText(part)
  })

  test('can change the limits of its key before creation, and its model after that', async ({
    window: { open, page, mock },
  }) => {
    await open('#/developer/opencode')
    await page.getByRole('button', { name: 'Edit limits…' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await expect(form.getByLabel('Name')).toHaveValue('opencode')
    await form.getByLabel('US dollars').fill('9')
    await form.getByRole('button', { name: 'Create key' }).click()
    await expect(page.getByText(/These settings use the key opencode: \$9.00 per day/)).toBeVisible()
    await page.getByLabel('Model', { exact: true }).selectOption('sandbox/echo')
    await expect(page.getByText('This key can’t use this model')).toBeVisible()
    await expect(page.getByRole('region', { name: '~/.config/opencode/opencode.json' })).toContainText(
      'sandbox/echo',
    )
    expect(mock.state.localApi.keys.at(-1)?.limits.budget?.picoUsd).toBe(usd(9))
  })

  test('gets a unique name for a second key', async ({ window: { open, page, mock } }) => {
    mock.state.localApi.keys = [...someKeys(now), localKey('k8', 'aider'), localKey('k9', 'AIDER 2')]
    await open('#/developer/aider')
    await expect(page.getByText('New key aider 3')).toBeVisible()
  })

  test('is found from the palette', async ({ window: { open, page, composer } }) => {
    await open()
    await expect(composer).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await page.keyboard.type('settings for zed')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Zed' })).toBeVisible()
    await page.getByRole('link', { name: 'All tools' }).click()
    await expect(page.getByRole('link', { name: /^Claude Code/ })).toBeVisible()
    await expect(page.getByText('X-Sotto-Privacy')).toBeVisible()
  })
})

test('another service has other keys, and the previous secret is hidden', async ({
  window: { open, page, mock },
}) => {
  await open('#/developer/curl')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText(/These settings use the key curl/)).toBeVisible()
  mock.state.localApi.keys = [localKey('k1', 'First key', { first: true })]
  mock.state.status = serviceStatus()
  await expect(page.getByText(/^New key curl:/)).toBeVisible()
  expect(await page.evaluate('document.body.innerHTML')).not.toContain('sk-sot')
})

test('the view remains usable after an account is connected elsewhere', async ({
  window: { open, page, mock },
}) => {
  full(mock)
  await open('#/developer')
  await expect(page.getByRole('main')).toContainText('http://127.0.0.1:7788/v1')
  const asked = () => mock.calls.filter(({ path }) => path === 'localApi.get').length
  const before = asked()
  mock.state.status = { ...mock.state.status, account: { connected: true, creditIdMasked: '…0b1d' } }
  await expect.poll(asked).toBeGreaterThan(before)
  await expect(page.getByRole('main')).toContainText('http://127.0.0.1:7788/v1')
  await page.getByRole('tab', { name: 'Requests' }).click()
  await expect(listOf(page).getByRole('button').first()).toBeVisible()
  const watched = () => mock.calls.filter(({ path }) => path === 'localApi.watch').length
  const earlier = watched()
  mock.state.status = { ...mock.state.status, account: { connected: true, creditIdMasked: '…77aa' } }
  await expect.poll(watched).toBeGreaterThan(earlier)
  await expect(listOf(page).getByRole('button').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Keys' }).click()
  await expect(page.getByRole('article', { name: 'Claude Code' })).toBeVisible()
})

test('every part of the view is reachable by keyboard', async ({ window: { open, page, mock } }) => {
  full(mock)
  await open('#/developer')
  await expect(page.getByRole('link', { name: /^curl/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Tools' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Keys' })).toBeFocused()
  await expect(page.getByRole('article', { name: 'Claude Code' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(listOf(page).getByRole('button').first()).toBeVisible()
  for (const name of ['Tool', 'Privacy']) {
    await page.keyboard.press('Tab')
    await expect(page.getByLabel(name, { exact: true })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(listOf(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(listOf(page).getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
})
