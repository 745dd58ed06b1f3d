import { describe, expect, it, test } from 'vitest'
import fc from 'fast-check'
import { runSimpleTool } from '../../../src/core/tools/built-in.ts'
import { calculate } from '../../../src/core/tools/calculator.ts'
import { publicAddress } from '../../../src/core/tools/fetch-page.ts'
import type { Fetch, FetchInit } from '../../../src/shared/fetch.ts'

const signal = new AbortController().signal

describe('the calculator', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['10 % 4 - 1', 1],
    ['sqrt(16) + max(1, 5, 3)', 9],
    ['2 * pi', 2 * Math.PI],
    ['1.5e3', 1500],
  ])('%s = %d', (expression, value) => {
    expect(calculate(expression)).toBe(value)
  })

  it.each([
    '',
    '1 +',
    '(1',
    '1)',
    '1 / 0',
    'constructor(1)',
    'constructor',
    'sqrt(1, 2)',
    'process.exit()',
    '1; 2',
    '('.repeat(5000),
    '-'.repeat(5000) + '1',
    '2^'.repeat(5000) + '2',
  ])('%j is refused', (expression) => {
    expect(calculate(expression)).toBeUndefined()
  })

  test('agrees with the language for sums and products', () => {
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), fc.nat(999), (a, b, c) => {
        expect(calculate(`${String(a)}+${String(b)}*(${String(c)}-${String(a)})`)).toBe(a + b * (c - a))
      }),
    )
  })
})

describe('loading an address', () => {
  it.each([
    'http://example.org/',
    'https://localhost/',
    'https://a.localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://router/',
    'https://printer.local/',
    'https://printer.local./',
    'https://example.org:8443/',
    'https://user:password@example.org/',
    'file:///etc/passwd',
    'example.org',
  ])('%s is refused before a request', async (url) => {
    expect(publicAddress(url)).toBeUndefined()
    const fetch: Fetch = () => Promise.reject(new Error('a request was sent'))
    expect(await runSimpleTool('fetch-url', { url }, { fetch, now: () => 0, signal })).toMatchObject({
      failed: true,
    })
  })

  const answering =
    (status: number, type: string, text: string, sent: { url: string; init: FetchInit }[] = []): Fetch =>
    (url, init) => {
      sent.push({ url, init })
      const fields: Record<string, string> = { 'content-type': type, location: 'https://other.example/' }
      async function* body() {
        yield await Promise.resolve(Buffer.from(text))
      }
      return Promise.resolve({ status, headers: { get: (name) => fields[name] ?? null }, body: body() })
    }
  const load = (fetch: Fetch) =>
    runSimpleTool('fetch-url', { url: 'https://example.org/a#b' }, { fetch, now: () => 0, signal })

  it('sends one request without credentials, and returns the text of a page', async () => {
    const sent: { url: string; init: FetchInit }[] = []
    const page = '<title>T</title><script>let a = "<b>"</script><p>One  two</p>\n<style>p{}</style>\n<p>three'
    const result = await load(answering(200, 'text/html; charset=utf-8', page, sent))
    expect(result).toEqual({ text: 'T One two\nthree', images: [], failed: false })
    expect(sent.map(({ url }) => url)).toEqual(['https://example.org/a'])
    expect(Object.keys(sent[0]?.init.headers ?? {})).toEqual(['accept', 'accept-encoding'])
  })

  it('follows no redirect, takes only text, and cuts what is long', async () => {
    expect(await load(answering(302, 'text/html', ''))).toMatchObject({ failed: true })
    expect(await load(answering(200, 'image/png', 'x'))).toMatchObject({ failed: true })
    const long = await load(answering(200, 'text/plain', 'x'.repeat(3 * 1024 * 1024)))
    expect(long.text.length).toBeLessThan(61_000)
  })
})

test('the clock gives the time with its zone', async () => {
  const fetch: Fetch = () => Promise.reject(new Error('a request was sent'))
  const { text } = await runSimpleTool('clock', {}, { fetch, now: () => Date.UTC(2026, 0, 2), signal })
  expect(text).toContain('2026-01-02T00:00:00.000Z')
})
