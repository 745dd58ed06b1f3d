import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { codesIn, startSotto, type SottoProcess } from '../process/sotto-process.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL } from '../world.ts'

/** A hostile page and a hostile renderer get only what the design permits, tested in real Chromium. */
let folder: string
let sotto: SottoProcess
let attacker: Server
let evil: string

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-hostile-'))
  sotto = await startSotto(folder)
  attacker = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title><body>')
  })
  await new Promise<void>((listening) => attacker.listen(0, '127.0.0.1', listening))
  const address = attacker.address()
  evil = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}/`
})
test.afterAll(async () => {
  await sotto.stop('SIGTERM')
  attacker.close()
  await rm(folder, { recursive: true, force: true })
})

type Call = (path: string, input?: unknown) => Promise<{ status: number; text: string }>

/** Calls the API like a script of the page. */
function caller(page: Page): Call {
  return (path, input) =>
    page.evaluate(
      async ([route, body]) => {
        const token = sessionStorage.getItem('sotto.session') ?? ''
        const bearer = token.startsWith('{') ? (JSON.parse(token) as { token: string }).token : token
        const response = await fetch(`/api/${route}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${bearer}`,
            'x-csrf-token': 'orpc',
          },
          body: JSON.stringify({ json: body }),
        })
        return { status: response.status, text: await response.text() }
      },
      [path, input] as const,
    )
}

/**
 * Returns the result of a call that needs a code which only the terminal shows. The page sees the question,
 * guesses and cancels. After too many questions, the call is refused.
 */
async function withoutTheCode(page: Page, path: string, input: unknown): Promise<string> {
  const call = caller(page)
  const codes = () => codesIn(sotto.stderr())
  const before = codes().length
  let outcome: string | undefined
  const asked = page
    .evaluate(
      async ([route, body]) => {
        const leaving = new AbortController()
        addEventListener('leave', () => leaving.abort(), { once: true })
        const token = sessionStorage.getItem('sotto.session') ?? ''
        const bearer = token.startsWith('{') ? (JSON.parse(token) as { token: string }).token : token
        const headers = {
          'content-type': 'application/json',
          authorization: `Bearer ${bearer}`,
          'x-csrf-token': 'orpc',
        }
        return fetch(`/api/${route}`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ json: body }),
          signal: leaving.signal,
        }).then(
          (response) => response.text(),
          () => 'given up',
        )
      },
      [path, input] as const,
    )
    .then((text) => (outcome = text))
  const pendingNow = async () =>
    (JSON.parse((await call('confirmations/pending')).text) as { json: { id: string; says: unknown } | null })
      .json
  let pending: { id: string; says: unknown } | null = null
  await expect.poll(async () => outcome !== undefined || (pending = await pendingNow()) !== null).toBe(true)
  if (outcome !== undefined) return outcome
  await expect.poll(() => codes().length).toBe(before + 1)
  expect(JSON.stringify(pending)).not.toContain(codes().at(-1))
  for (const guess of ['0000-0000', '0', 'OOOO-OOOO']) {
    expect((await call('confirmations/answer', { id: pending!.id, code: guess })).text).toMatch(
      /"accepted":false|confirm\/too-soon/,
    )
  }
  await page.evaluate(() => dispatchEvent(new Event('leave')))
  await expect.poll(pendingNow).toBeNull()
  return asked
}

/** After too many questions, the call is refused without another question. */
const NOT_DONE = /^given up$|confirm\/too-many/

const getUiOrigin = (): string => new URL(sotto.ready.ui).origin

test.describe('a hostile page', () => {
  test('reads nothing of the door and nothing of the proxy', async ({ page }) => {
    await page.goto(evil)
    const attempts = [
      [`${getUiOrigin()}/`, {}],
      [`${getUiOrigin()}/index.html`, { mode: 'no-cors' }],
      [`${getUiOrigin()}/api/app/status`, { method: 'POST', body: '{}' }],
      [
        `${getUiOrigin()}/api/app/status`,
        { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' }, credentials: 'include' },
      ],
      [
        `${getUiOrigin()}/api/app/status`,
        {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
        },
      ],
      [`${getUiOrigin()}/session`, { method: 'POST', body: '{"code":"x"}' }],
      [`${sotto.ready.proxy.baseUrl}/models`, {}],
      [
        `${sotto.ready.proxy.baseUrl}/models`,
        { headers: { authorization: `Bearer ${sotto.ready.proxy.key ?? ''}` } },
      ],
      [
        `${sotto.ready.proxy.baseUrl}/chat/completions`,
        { method: 'POST', body: '{"model":"sandbox/allegro-mini","messages":[]}' },
      ],
      [sotto.ready.proxy.baseUrl.replace('/v1', '/health'), {}],
    ]
    const outcomes = await page.evaluate(async (list) => {
      const seen: string[] = []
      for (const [url, init] of list as [string, object][]) {
        seen.push(
          await fetch(url, init).then(
            (response) => `${response.type} ${String(response.status)}`,
            () => 'blocked',
          ),
        )
      }
      return seen
    }, attempts)
    for (const outcome of outcomes) expect(outcome).toMatch(/^(blocked|opaque 0)$/)
  })

  test('causes nothing by the requests that a browser sends without asking: they are answered with 403', async ({
    page,
  }) => {
    await page.goto(evil)
    const answered: number[] = []
    page.on('response', (response) => {
      if (!response.url().startsWith(evil)) answered.push(response.status())
    })
    await page.evaluate(
      async ([chat, api]) => {
        await fetch(chat!, {
          method: 'POST',
          mode: 'no-cors',
          body: '{"model":"sandbox/allegro-mini","messages":[]}',
        }).catch(() => undefined)
        await fetch(api!, { method: 'POST', mode: 'no-cors', body: '{}' }).catch(() => undefined)
      },
      [`${sotto.ready.proxy.baseUrl}/chat/completions`, `${getUiOrigin()}/api/app/begin`],
    )
    await expect.poll(() => answered).toEqual([403, 403])
    expect(await sotto.call('receipts/list', {})).toEqual([])
    expect(await sotto.call('app/status')).toMatchObject({ firstStart: true })
  })

  test('cannot submit a form to it', async ({ page }) => {
    await page.goto(evil)
    await page.evaluate((action) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.enctype = 'text/plain'
      form.action = action
      form.target = 'result'
      const frame = document.createElement('iframe')
      frame.name = 'result'
      document.body.append(frame, form)
      form.submit()
    }, `${getUiOrigin()}/api/app/begin`)
    const response = await page.waitForResponse((candidate) => candidate.url().includes('/api/app/begin'))
    expect(response.status()).toBe(403)
  })

  test('cannot frame the window, nor load its files as its own', async ({ page }) => {
    await page.goto(evil)
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(getUiOrigin())) statuses.push(response.status())
    })
    await page.evaluate((origin) => {
      const script = document.createElement('script')
      script.src = `${origin}/assets/index.js`
      const image = document.createElement('img')
      image.src = `${origin}/icon.svg`
      const frame = document.createElement('iframe')
      frame.src = `${origin}/`
      for (const element of [script, image, frame]) {
        element.addEventListener('load', () => (element.dataset['loaded'] = 'yes'))
        document.body.append(element)
      }
    }, getUiOrigin())
    await expect.poll(() => statuses).toEqual([403, 403, 403])
    expect(await page.locator('script[data-loaded], img[data-loaded]').count()).toBe(0)
    expect(await page.evaluate(() => document.querySelector('iframe')?.contentDocument ?? null)).toBeNull()
  })

  test('that rebinds its name to this machine is refused by its Host', async ({ playwright }) => {
    const { port } = new URL(sotto.ready.ui)
    const proxy = new URL(sotto.ready.proxy.baseUrl)
    const browser = await playwright.chromium.launch({
      ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
      args: ['--host-resolver-rules=MAP evil.example 127.0.0.1'],
    })
    try {
      const page = await browser.newPage()
      expect((await page.goto(`http://evil.example:${port}/`))?.status()).toBe(403)
      expect((await page.goto(`http://evil.example:${proxy.port}/health`))?.status()).toBe(403)
    } finally {
      await browser.close()
    }
  })

  test('that opens the window in a tab has no hold on it', async ({ page, context }) => {
    await page.goto(evil)
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate((url) => void window.open(url), `${getUiOrigin()}/`),
    ])
    await opened.waitForLoadState()
    await expect(opened.getByText(/not connected/i)).toBeVisible()
    expect(await opened.evaluate(() => window.opener === null)).toBe(true)
  })
})

test.describe('a hostile renderer', () => {
  test('reaches the network nowhere', async ({ page }) => {
    await page.goto(await sotto.newAddress())
    await expect(page).toHaveURL(`${getUiOrigin()}/`)
    const hits: string[] = []
    attacker.on('request', (request: { url?: string }) => hits.push(request.url ?? ''))
    const outcome = await page.evaluate(async (url) => {
      const blocked: string[] = []
      document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
      const image = new Image()
      image.src = `${url}?image`
      document.body.append(image)
      const frame = document.createElement('iframe')
      frame.src = `${url}?frame`
      document.body.append(frame)
      // Trusted Types refuse a script's text before script-src applies, whichever way the text is set.
      let typed = 'assigned'
      try {
        document.createElement('script').textContent = 'window.injected = true'
      } catch {
        typed = 'blocked'
      }
      const script = document.createElement('script')
      script.append('window.injected = true')
      document.body.append(script)
      const sent = await fetch(`${url}?fetch`).then(
        () => 'sent',
        () => 'blocked',
      )
      const socket = await new Promise((resolve) => {
        try {
          const attempt = new WebSocket(url.replace('http', 'ws'))
          attempt.onerror = () => resolve('blocked')
          attempt.onopen = () => resolve('open')
        } catch {
          resolve('blocked')
        }
      })
      navigator.sendBeacon(`${url}?beacon`, 'x')
      // The browser reports violations asynchronously.
      while (
        !['img-src', 'connect-src', 'frame-src', 'require-trusted-types-for'].every((directive) =>
          blocked.includes(directive),
        )
      ) {
        await new Promise((resolve) =>
          document.addEventListener('securitypolicyviolation', resolve, { once: true }),
        )
      }
      return { sent, socket, typed, injected: 'injected' in window }
    }, evil)
    expect(outcome).toEqual({ sent: 'blocked', socket: 'blocked', typed: 'blocked', injected: false })
    expect(hits).toEqual([])
  })

  test('learns no secret of the account, and neither changes the service nor gives a key more rights without the terminal’s code', async ({
    page,
  }) => {
    await page.goto(await sotto.newAddress())
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0)
    const call = caller(page)

    // A script can read anything on the screen, but the account's key is on no screen.
    const answers = await Promise.all(
      [
        'app/status',
        'profiles/list',
        'models/list',
        'conversations/list',
        'privacy/current',
        'localApi/get',
        'localApi/keys',
        'accounts/list',
        'wallet/get',
        'purchases/list',
        'topups/list',
        'serviceKeys/list',
      ].map((path) => call(path, path === 'serviceKeys/list' ? { includeRevoked: true } : undefined)),
    )
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).not.toMatch(/sk-(?!sotto-)[A-Za-z0-9]{16,}/)
    }
    for (const path of [
      'vault/get',
      'wallet/connection',
      'accounts/apiKey',
      'constructor',
      '__proto__',
      'app',
    ]) {
      expect([path, (await call(path)).status]).toEqual([path, 404])
    }
    // A change of service, and a key with more permissions than the page has, need a code that only the
    // terminal shows.
    const [{ id: accountId } = { id: '' }] = (
      JSON.parse((await call('accounts/list')).text) as { json: { id: string }[] }
    ).json
    const refusals: [string, unknown][] = [
      ['profiles/choose', { profileId: 'ppq' }],
      ['localApi/create', { name: 'Of its own', limits: { grants: ['balance', 'pay-per-request'] } }],
      ['accounts/reveal', { accountId }],
    ]
    for (const [path, input] of refusals) expect(await withoutTheCode(page, path, input)).toBe('given up')
    expect((await call('localApi/keys')).text).not.toContain('Of its own')
    expect((await call('app/status')).text).toContain('"kind":"sandbox"')
  })

  test('spends nothing that nobody agreed to: neither wallet nor limit nor host is of its choosing', async ({
    page,
  }) => {
    await page.goto(await sotto.newAddress())
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0)
    const call = caller(page)
    // The simulated wallet holds no money, so connecting it needs no confirmation.
    expect((await call('wallet/connectSandbox')).text).toContain('"kind":"sandbox"')
    const before = (
      JSON.parse((await call('wallet/get')).text) as {
        json: { limits: Record<string, string>; spent: unknown; hosts: unknown[] }
      }
    ).json
    for (const name of ['perPayment', 'perDay', 'perHostAndDay', 'automaticUpTo']) {
      expect(
        await withoutTheCode(page, 'wallet/setLimits', { ...before.limits, [name]: '9'.repeat(20) }),
      ).toMatch(NOT_DONE)
    }
    const quoted = await call('purchases/quote', {
      ask: { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } },
    })
    const { id: purchaseId } = (JSON.parse(quoted.text) as { json: { id: string } }).json
    expect(await withoutTheCode(page, 'purchases/pay', { purchaseId })).toMatch(NOT_DONE)
    // An unpaid purchase can't be reported as paid.
    expect((await call('purchases/prove', { purchaseId, preimage: '0'.repeat(64) })).text).toContain(
      'payment/invalid-preimage',
    )
    expect((await call('purchases/retryDelivery', { purchaseId })).text).toContain(
      'payment/nothing-delivered',
    )
    // The sixth question within an hour.
    expect(
      await withoutTheCode(page, 'wallet/connectAutomaticTopup', {
        connection: 'sandbox',
        threshold: '5',
        amount: '900',
      }),
    ).toContain('confirm/too-many')
    expect((JSON.parse((await call('wallet/get')).text) as { json: unknown }).json).toMatchObject({
      limits: before.limits,
      spent: before.spent,
      hosts: [],
    })
    expect((await call('wallet/automaticTopup')).text).toContain('"connected":false')
  })

  test('can show a provider what it can read itself, and leaves a receipt of each time', async ({ page }) => {
    await page.goto(await sotto.newAddress())
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0)
    const call = caller(page)
    const open = async () =>
      (JSON.parse((await call('receipts/list', {})).text) as { json: { privacy: string }[] }).json.filter(
        ({ privacy }) => privacy === 'relayed',
      ).length
    const begin = { parameters: { maxTokens: 8 } }
    const begun = await call('chat/send', { model: PRIVATE_MODEL, text: 'between us', begin })
    const conversationId = /"conversationId":"([^"]+)"/.exec(begun.text)?.[1] ?? ''
    const aloud = { conversationId, model: PLAINTEXT_MODEL, text: 'aloud' }
    const before = await open()
    // A message without consent is refused, for a hostile page as for the window.
    expect((await call('chat/send', aloud)).text).toContain('privacy/consent-required')
    expect((await call('chat/send', { ...aloud, consentId: 'guessed' })).text).toContain(
      'privacy/consent-expired',
    )
    expect(await open()).toBe(before)
    // A hostile page can answer the question itself, or copy the text into a new conversation. Both go to the
    // chosen service and are visible as such.
    const { consentId } = (
      JSON.parse(
        (
          await call('consents/preview', {
            conversationId,
            purpose: 'continue',
            models: [PLAINTEXT_MODEL],
            text: 'aloud',
          })
        ).text,
      ) as { json: { consentId: string } }
    ).json
    expect((await call('chat/send', { ...aloud, consentId })).text).toContain('"privacy":"relayed"')
    expect((await call('chat/send', { model: PLAINTEXT_MODEL, text: 'between us', begin })).text).toContain(
      '"privacy":"relayed"',
    )
    expect(await open()).toBe(before + 2)
  })

  test('gets no file outside the window', async ({ page }) => {
    await page.goto(await sotto.newAddress())
    const statuses = await page.evaluate(async () => {
      const paths = [
        '/sotto.db',
        '/vault.json',
        '/..%2fpackage.json',
        '/assets/..%2f..%2f..%2fpackage.json',
        '//etc/passwd',
        '/%5c..%5cpackage.json',
      ]
      return Promise.all(paths.map(async (path) => (await fetch(location.origin + path)).status))
    })
    expect(statuses.filter((status) => status !== 404 && status !== 400)).toEqual([])
  })
})
