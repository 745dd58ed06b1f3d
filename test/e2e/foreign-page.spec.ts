import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { expect, test, type Browser, type Page, type Response } from '@playwright/test'
import type { SpendingReady, Spent } from '../process/spending.ts'
import { findChromiumShell } from './find-chromium.ts'
import { attack } from './foreign-attacks.ts'

/**
 * No page in a browser can spend the user's money. Real Chromium runs every attempt against the running
 * proxy, with the key known to the page, and none of them debits or reads anything. The same page does reach
 * a server that allows it.
 */
const MODEL = 'sandbox/allegro-mini'
/** Every attempt that a permissive server receives, without preflights. */
const ATTEMPTS = [
  'beacon',
  'beacon-blob',
  'event-source',
  'fetch-credentials',
  'fetch-form',
  'fetch-get',
  'fetch-get-with-key',
  'fetch-health',
  'fetch-json-with-key',
  'fetch-keepalive',
  'fetch-metrics',
  'fetch-multipart',
  'fetch-no-cors',
  'fetch-simple',
  'fetch-x-api-key',
  'form-multipart',
  'form-text',
  'form-urlencoded',
  'frame',
  'image',
  'object',
  'sandboxed-fetch',
  'sandboxed-form',
  'script',
  'style',
  'video',
  'websocket',
  'worker',
  'xhr',
]

let child: ChildProcess
let ready: SpendingReady
let control: Server
const heard = new Set<string>()
let evil: Server
let browser: Browser

test.beforeAll(async () => {
  child = fork(resolve(import.meta.dirname, '../process/spending-world.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  ;[ready] = (await once(child, 'message')) as [SpendingReady]
  control = createServer((request, response) => {
    if (request.method !== 'OPTIONS') heard.add(nameIn(request.url))
    const headers = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization, content-type, x-api-key, anthropic-version',
      'access-control-allow-private-network': 'true',
    }
    response
      .writeHead(200, {
        ...headers,
        'content-type': request.headers.accept === 'text/event-stream' ? 'text/event-stream' : 'text/html',
      })
      .end('<title>control</title>')
  })
  control.on('upgrade', (request, socket) => {
    heard.add(nameIn(request.url))
    socket.destroy()
  })
  evil = createServer(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE),
  )
  for (const server of [control, evil])
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const executablePath = findChromiumShell()
  browser = await (
    await import('@playwright/test')
  ).chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // The browser's own protection of this machine is off, because the test is about the proxy.
    args: ['--host-resolver-rules=MAP *.example 127.0.0.1', '--disable-features=LocalNetworkAccessChecks'],
  })
})
test.afterAll(async () => {
  await browser.close()
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
  for (const server of [control, evil]) {
    server.closeAllConnections()
    server.close()
  }
})

const PAGE = '<!doctype html><title>evil</title><link rel="icon" href="data:,"><body>'
const nameIn = (url = ''): string => new URL(url, 'http://x').searchParams.get('a') ?? url
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const proxyPort = (): number => Number(new URL(ready.baseUrl).port)

async function spent(): Promise<Spent> {
  const answer = once(child, 'message')
  child.send('spent')
  return ((await answer) as [Spent])[0]
}

/** Collects the responses from this port, for any frame. */
function answersFrom(page: Page, port: number): Response[] {
  const answers: Response[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).port === String(port)) answers.push(response)
  })
  return answers
}

async function nothingGained(
  outcome: Record<string, string>,
  answers: Response[],
  before: Spent,
): Promise<void> {
  for (const [name, response] of Object.entries(outcome)) {
    expect([name, response]).toEqual([
      name,
      expect.not.stringMatching(/chat\.completion|sandbox|private\/|sotto_/),
    ])
    expect([name, response]).toEqual([
      name,
      expect.not.stringMatching(/^(open|basic 2|cors 2|default 2|xhr 2)/),
    ])
  }
  expect(answers.length).toBeGreaterThan(10)
  for (const answer of answers) {
    expect([nameIn(answer.url()), answer.status() >= 400]).toEqual([nameIn(answer.url()), true])
    expect(
      Object.keys(await answer.allHeaders()).filter((name) => name.startsWith('access-control-')),
    ).toEqual([])
  }
  // A complete request of a program follows all attempts, so any of their effects would be recorded before
  // it.
  const program = await fetch(`${ready.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(program.status).toBe(200)
  await program.text()
  expect(await spent()).toEqual({
    debits: before.debits + 1,
    asked: [...before.asked, 'POST /v1/chat/completions'],
    receipts: before.receipts + 1,
  })
}

for (const [where, origin] of [
  ['on this machine', () => `http://127.0.0.1:${String(portOf(evil))}`],
  ['on the net', () => `http://evil.example:${String(portOf(evil))}`],
] as const) {
  test(`a page ${where} reaches a server that lets it, and spends nothing at the proxy`, async () => {
    const page = await browser.newPage()
    heard.clear()
    await page.goto(`${origin()}/`)
    await page.evaluate(attack, {
      target: `http://127.0.0.1:${String(portOf(control))}`,
      key: ready.key,
      model: MODEL,
    })
    await expect.poll(() => [...heard].sort()).toEqual(ATTEMPTS)

    const before = await spent()
    const answers = answersFrom(page, proxyPort())
    await page.goto(`${origin()}/`)
    const outcome = await page.evaluate(attack, {
      target: `http://127.0.0.1:${String(proxyPort())}`,
      key: ready.key,
      model: MODEL,
    })
    await nothingGained(outcome, answers, before)
    await page.close()
  })
}

test('a page whose name is pointed at this machine speaks to the proxy as its own, and spends nothing', async () => {
  for (const [port, isControl] of [
    [portOf(control), true],
    [proxyPort(), false],
  ] as const) {
    const page = await browser.newPage()
    heard.clear()
    const before = await spent()
    const evilOrigin = `http://evil.example:${String(port)}`
    // The page itself was loaded before its name was redirected to this address.
    await page.route(`${evilOrigin}/`, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
    await page.goto(`${evilOrigin}/`)
    const answers = answersFrom(page, port)
    const outcome = await page.evaluate(attack, { target: evilOrigin, key: ready.key, model: MODEL })
    if (isControl) await expect.poll(() => [...heard].sort()).toEqual(ATTEMPTS)
    else await nothingGained(outcome, answers, before)
    await page.close()
  }
})

test('a page that leads the whole window to the proxy, by a link or by a form, spends nothing', async () => {
  const page = await browser.newPage()
  const before = await spent()
  const answers: number[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).port === String(proxyPort())) answers.push(response.status())
  })
  for (const lead of [
    (to: string) => location.assign(`${to}/v1/models`),
    (to: string) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', enctype: 'text/plain', action: `${to}/v1/chat/completions` })
      const input = document.createElement('input')
      Object.assign(input, {
        name: '{"model":"sandbox/allegro-mini","messages":[{"role":"user","content":"hello"}],"x":"',
        value: '"}',
      })
      form.append(input)
      document.body.append(form)
      form.submit()
    },
  ]) {
    await page.goto(`http://evil.example:${String(portOf(evil))}/`)
    const led = page.waitForURL(`http://127.0.0.1:${String(proxyPort())}/**`)
    await page.evaluate(lead, `http://127.0.0.1:${String(proxyPort())}`)
    await led
  }
  expect(answers.filter((status) => status < 400)).toEqual([])
  expect(answers.length).toBeGreaterThanOrEqual(2)
  expect(await spent()).toEqual(before)
  await page.close()
})
