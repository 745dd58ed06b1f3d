import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientOver, failureOf, type ContractClient } from '../../src/cli/client.ts'
import { followTopup } from '../../src/cli/follow-topup.ts'
import { topupCommand } from '../../src/cli/topup-command.ts'
import { runTopup, type TopupOptions } from '../../src/cli/topup.ts'
import type { Fetch } from '../../src/shared/fetch.ts'
import type { Topup } from '../../src/shared/topup.ts'
import { windowCaller } from '../window-caller.ts'
import { startWorld, type World } from '../world.ts'
import { readTerminalQr } from './read-terminal-qr.ts'
import { dataOf } from '../process/command-json.ts'

const OPTIONS: TopupOptions = { currency: 'USD', method: 'btc-lightning', wait: false, json: false }

let world: World
let client: ContractClient
/** The status that the service reports in place of the real one. */
let status: string | undefined
let stdout: string
let stderr: string

/** The service's IDs of the invoices, by their address. */
const invoiceIds = new Map<string, string>()

const lying: (fetch: Fetch) => Fetch = (fetch) => async (url, init) => {
  const response = await fetch(url, init)
  const { pathname } = new URL(url)
  if (!pathname.includes('/topup/status/') && !pathname.includes('/topup/create/')) return response
  const parts: Uint8Array[] = []
  for await (const part of response.body ?? []) parts.push(part)
  const answer = JSON.parse(Buffer.concat(parts).toString()) as {
    invoice_id: string
    payment_address?: string
  }
  if (answer.payment_address !== undefined) invoiceIds.set(answer.payment_address, answer.invoice_id)
  const text = JSON.stringify({
    ...answer,
    ...(status !== undefined && pathname.includes('/topup/status/') && { status }),
  })
  async function* body(): AsyncGenerator<Uint8Array, void> {
    await Promise.resolve()
    yield Buffer.from(text)
  }
  return { ...response, body: body() }
}

beforeAll(async () => {
  world = await startWorld({ fetch: lying })
  client = clientOver((request) => world.core.api(request, windowCaller))
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  status = undefined
  stdout = ''
  stderr = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const run = (options: Partial<TopupOptions>, signal = new AbortController().signal): Promise<number> =>
  runTopup(client, { ...OPTIONS, ...options }, signal)
const newest = async (): Promise<Topup> => (await client.topups.list())[0]!
const lines = (): { topup: Topup }[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => dataOf(line) as { topup: Topup })

/** Simulates for one test that an output is a terminal of this width. */
function asTerminal(stream: NodeJS.WriteStream, columns: number): void {
  vi.stubEnv('NO_COLOR', '')
  vi.stubEnv('TERM', 'xterm-256color')
  const { isTTY } = stream
  Object.assign(stream, { isTTY: true, columns })
  onTestEnd.push(() => Object.assign(stream, { isTTY, columns: undefined }))
}
const onTestEnd: (() => void)[] = []
afterEach(() => {
  for (const undo of onTestEnd.splice(0)) undo()
})

describe('a top-up', () => {
  it('without an amount lists the methods with their limits, and creates nothing', async () => {
    const before = (await client.topups.list()).length
    expect(await run({})).toBe(2)
    expect(stdout).toContain(
      'btc-lightning  Bitcoin (Lightning): 100 sats to 1,000,000 sats; 0.000001 BTC to 0.01 BTC; $0.10 to $1,000.00\n',
    )
    expect(stdout).toMatch(/^xmr {12}Monero: .*; \$5\.00 to \$10,000\.00$/m)
    expect(stderr).toContain('Pass it with --amount.')
    expect(await client.topups.list()).toHaveLength(before)
    stdout = ''
    expect(await run({ json: true })).toBe(2)
    expect(dataOf(stdout)).toEqual({ methods: await client.topups.methods() })
  })

  it('prints the exact amount, the expiry and the invoice, and no QR code without a terminal', async () => {
    expect(await run({ amount: '50000', currency: 'SATS' })).toBe(0)
    const { lightningInvoice = '', expiresAt = 0, invoiceId } = await newest()
    expect(stdout).toBe(
      `${[
        'Top-up:        50,000 sats for the account “Account”',
        'Method:        Bitcoin (Lightning)',
        'Amount to pay: 0.0005 BTC (50,000 sats)',
        `Expires:       ${new Date(expiresAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
        `Invoice:       ${lightningInvoice}`,
        `Top-up ID:     ${invoiceId}`,
      ].join('\n')}\n`,
    )
    expect(lightningInvoice).toMatch(/^lnbcrt/)
    expect(stderr).toContain('Demo mode uses simulated money. Real wallets can’t pay this.\n')
  })

  it.each(['btc', 'ltc', 'lbtc', 'xmr'] as const)(
    'by %s prints the address and the payment link',
    async (method) => {
      expect(await run({ amount: '20', method })).toBe(0)
      const { address, uri, coinAmount } = await newest()
      expect(address).toBeDefined()
      expect(stdout).toContain(`Address:       ${String(address)}\n`)
      expect(stdout).toContain(`Payment link:  ${String(uri)}\n`)
      expect(stdout).toContain(`Amount to pay: ${String(coinAmount)} `)
    },
  )

  it('is printed as one line with --json, without a QR code', async () => {
    asTerminal(process.stdout, 200)
    expect(await run({ amount: '10', json: true })).toBe(0)
    expect(lines()).toEqual([{ topup: await newest() }])
    expect(stderr).toBe('')
  })

  it.each([
    ['0.01', 'USD'],
    ['1000.01', 'USD'],
    ['0.5', 'SATS'],
  ] as const)('of %s %s is refused', async (amount, currency) => {
    const before = (await client.topups.list()).length
    const refused = await run({ amount, currency }).catch((thrown: unknown) => failureOf(thrown))
    expect(refused).toMatchObject({ code: 'topup/amount-out-of-range' })
    expect(stdout).toBe('')
    expect(await client.topups.list()).toHaveLength(before)
  })
})

describe('its QR code', () => {
  it.each([true, false])('contains the payment data on a dark (%s) terminal', async (dark) => {
    asTerminal(process.stdout, 200)
    expect(await run({ amount: '10' })).toBe(0)
    expect(readTerminalQr(stdout, { dark })).toBe((await newest()).uri)
    expect(await run({ amount: '20', method: 'xmr' })).toBe(0)
    expect(readTerminalQr(stdout.slice(stdout.lastIndexOf('Top-up:')), { dark })).toBe((await newest()).uri)
  })

  it('has no escape codes with NO_COLOR', async () => {
    asTerminal(process.stdout, 200)
    vi.stubEnv('NO_COLOR', '1')
    vi.stubEnv('COLORFGBG', '0;15')
    expect(await run({ amount: '10' })).toBe(0)
    expect(stdout).not.toContain('\u001b')
    expect(readTerminalQr(stdout, { dark: false })).toBe((await newest()).uri)
  })

  it('is omitted with --no-qr, and on a terminal that is too narrow', async () => {
    asTerminal(process.stdout, 200)
    expect(await run({ amount: '10', qr: false })).toBe(0)
    asTerminal(process.stdout, 40)
    expect(await run({ amount: '10' })).toBe(0)
    expect(stdout).not.toMatch(/[█▀▄]/)
    expect(stderr).toMatch(/The terminal is too narrow for the QR code, which needs \d+ columns\.\n/)
  })

  it('is printed with --qr without a terminal, and on standard error with --json', async () => {
    expect(await run({ amount: '10', qr: true })).toBe(0)
    expect(readTerminalQr(stdout, { dark: true })).toBe((await newest()).uri)
    stdout = ''
    stderr = ''
    expect(await run({ amount: '10', qr: true, json: true })).toBe(0)
    expect(lines()).toHaveLength(1)
    expect(readTerminalQr(stderr, { dark: true })).toBe((await newest()).uri)
  })
})

describe('--wait', () => {
  it('exits with 0 after the payment, and prints the amounts', async () => {
    const before = BigInt((await client.accounts.balance()).picoUsd)
    const waiting = run({ amount: '10', wait: true })
    await expect.poll(() => stdout).toContain('Invoice:')
    await (await world.sandbox.control()).pay((await newest()).lightningInvoice ?? '')
    expect(await waiting).toBe(0)
    const { coinAmount } = await newest()
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^Paid: top-up of \\$10\\.00; ${String(coinAmount)} BTC \\([\\d,]+ sats\\) paid$`),
    )
    expect(BigInt((await client.accounts.balance()).picoUsd) - before).toBe(10_000_000_000_000n)
  })

  it('prints each change once, as text and as JSON', async () => {
    const waiting = run({ amount: '20', method: 'btc', wait: true, json: true })
    await expect.poll(() => stdout).toContain('"topup"')
    status = 'Processing'
    await expect.poll(() => stdout, { timeout: 8000 }).toContain('"processing"')
    status = 'Settled'
    expect(await waiting).toBe(0)
    expect(lines().map(({ topup }) => topup.state)).toEqual(['new', 'processing', 'settled'])
    expect(stderr).toBe('')
  })

  it.each([
    ['Expired', 3, 'Expired: top-up of $10.00; '],
    ['Invalid', 4, 'Invalid: top-up of $10.00; '],
  ] as const)('for a top-up that is %s exits with %d', async (word, code, line) => {
    status = word
    expect(await run({ amount: '10', wait: true })).toBe(code)
    expect(stdout).toContain(`\n${line}`)
  })

  it('prints the received amount and the rest to send', async () => {
    const stop = new AbortController()
    const waiting = run({ amount: '20', method: 'btc', wait: true }, stop.signal)
    await expect.poll(() => stdout).toContain('Address:')
    const { address = '' } = await newest()
    const control = await world.sandbox.control()
    expect(await control.receiveTopup(invoiceIds.get(address) ?? '', 10_000n)).toBe('New')
    await expect
      .poll(() => stdout, { timeout: 8000 })
      .toMatch(
        /^Partly paid: top-up of \$20\.00; 0\.0001 of 0\.00025 BTC received; send 0\.00015 BTC more to the same address before \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m,
      )
    status = 'Expired'
    expect(await waiting).toBe(3)
    expect(stdout).toMatch(/^Partly paid: top-up of \$20\.00; 0\.0001 of 0\.00025 BTC received$/m)
  })

  it('prints a QR code for the rest of a partly paid top-up, once', async () => {
    const stop = new AbortController()
    const waiting = run({ amount: '20', method: 'btc', wait: true, qr: true }, stop.signal)
    await expect.poll(() => stdout).toContain('Address:')
    const { address = '' } = await newest()
    const control = await world.sandbox.control()
    const before = stdout.length
    await control.receiveTopup(invoiceIds.get(address) ?? '', 10_000n)
    await expect.poll(() => stdout.slice(before), { timeout: 8000 }).toMatch(/^Partly paid[^]*[█▀▄]/m)
    const { uri } = await newest()
    expect(readTerminalQr(stdout.slice(before), { dark: true })).toBe(uri)
    expect(uri).toMatch(/amount=0\.00015/)
    const after = stdout.length
    await control.receiveTopup(invoiceIds.get(address) ?? '', 1000n)
    await expect.poll(() => stdout.slice(after), { timeout: 8000 }).toContain('Partly paid')
    status = 'Expired'
    expect(await waiting).toBe(3)
    expect(stdout.slice(after)).not.toMatch(/[█▀▄]/)
  })

  it('exits with 130 on Ctrl-C, and the top-up remains', async () => {
    const stop = new AbortController()
    const waiting = run({ amount: '10', wait: true }, stop.signal)
    await expect.poll(() => stdout).toContain('Invoice:')
    stop.abort()
    expect(await waiting).toBe(130)
    expect(stderr).toMatch(
      /Stopped waiting\. The top-up is saved, and can be paid until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.\n$/,
    )
    expect(await newest()).toMatchObject({ state: 'new' })
  })

  it('ends after the expiry if the service has no payment, and continues if it has one', async () => {
    const follow = (topup: Topup, seen: string[]) =>
      followTopup(
        client,
        { ...topup, expiresAt: Date.now() },
        { onChange: ({ state }) => seen.push(state), signal: new AbortController().signal, graceMs: 10 },
      )
    const topup = await client.topups.create({ amount: '10', currency: 'USD', method: 'btc' })
    status = 'New'
    expect(await follow(topup, [])).toMatchObject({ state: 'new' })
    const paid = await client.topups.create({ amount: '10', currency: 'USD', method: 'btc' })
    status = 'Processing'
    const seen: string[] = []
    const followed = follow(paid, seen)
    await expect.poll(() => seen, { timeout: 8000 }).toContain('processing')
    status = 'Settled'
    expect(await followed).toMatchObject({ state: 'settled' })
  })

  it('fails with an error code if the running Sotto quits', async () => {
    const topup = await client.topups.create({ amount: '10', currency: 'USD', method: 'btc' })
    let calls = 0
    const broken = clientOver((request) => {
      calls++
      return request.url.includes('/topups/watch')
        ? Promise.reject(new TypeError('fetch failed'))
        : world.core.api(request, windowCaller)
    })
    const failed = await followTopup(broken, topup, {
      onChange: () => undefined,
      signal: new AbortController().signal,
    }).catch((thrown: unknown) => failureOf(thrown))
    expect(failed).toMatchObject({
      code: 'host/already-running',
      says: 'Sotto quit while the command waited for the payment.',
    })
    expect(calls).toBe(1)
  })
})

describe('the options of the top-up command', () => {
  it.each([
    ['--amount', '0,5'],
    ['--amount', '-1'],
    ['--amount', '1e3'],
    ['--amount', '$5'],
    ['--amount', '1.123456789'],
    ['--currency', 'EUR'],
    ['--method', 'paypal'],
  ])('refuse %s %s', async (...args) => {
    const command = topupCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    })
  })
})
