import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRequestHead, parseRequestTarget } from '../../src/shared/request-head.ts'

const MODELS = { identifiersBelow: ['/v1/models/', '/models/'] }
/** As the proxy reads its paths. */
const PROXY = { ...MODELS, base: 'v1' }

describe('a target that is read', () => {
  it.each([
    ['/', '/', '/'],
    ['/v1/models', '/v1/models', '/v1/models'],
    ['/v1/models?type=image&x=a+b', '/v1/models', '/v1/models?type=image&x=a+b'],
    ['/?', '/', '/'],
    ['/assets/index-B_1.js', '/assets/index-B_1.js', '/assets/index-B_1.js'],
    ['/a%20b', '/a b', '/a%20b'],
    ['/%c3%a9', '/é', '/%C3%A9'],
    ['/chat%3F', '/chat?', '/chat%3F'],
    ['/x%23', '/x#', '/x%23'],
    ['/claude%5B1m%5D', '/claude[1m]', '/claude%5B1m%5D'],
    ['/%61pi/x', '/api/x', '/api/x'],
    ['/a..b/.hidden/c.', '/a..b/.hidden/c.', '/a..b/.hidden/c.'],
  ])('%s', (raw, pathname, href) => {
    expect(parseRequestTarget(raw)).toMatchObject({ pathname, href })
  })

  it('below models, %2F is a slash of the id', () => {
    expect(parseRequestTarget('/v1/models/private%2Flento', MODELS)).toMatchObject({
      pathname: '/v1/models/private/lento',
      href: '/v1/models/private/lento',
    })
    expect(parseRequestTarget('/v1/models/a%2f%2fb', MODELS)).toBeNull()
    expect(parseRequestTarget('/v1/models/..%2Fkeys', MODELS)).toBeNull()
    expect(parseRequestTarget('/v1/models%2Fx', MODELS)).toBeNull()
    expect(parseRequestTarget('/v1/keys/a%2Fb', MODELS)).toBeNull()
  })

  it('reads its query once', () => {
    expect(parseRequestTarget('/x?a=1&a=2&b=%2e%2e%2f')?.query.getAll('a')).toEqual(['1', '2'])
    expect(parseRequestTarget('/x?a=../api')?.pathname).toBe('/x')
  })
})

it.each([
  '',
  'x',
  '*',
  'http://host/x',
  '//x',
  '/a//b',
  '/a/',
  '/./a',
  '/a/.',
  '/a/..',
  '/a/../b',
  '/..',
  '/.../a',
  '/..;/a',
  '/.;x/a',
  '/%2e',
  '/%2E%2e/a',
  '/a%2fb',
  '/a%2Fb',
  '/a%5cb',
  '/a\\b',
  '/\\evil',
  '/a%00',
  '/a%0d%0aHost:x',
  '/a%7f',
  '/a%c2%80',
  '/a%e2%80%a8b',
  '/%',
  '/%z',
  '/%zz',
  '/%c0%ae',
  '/%ff',
  '/%ed%a0%80',
  '/%252e%252e',
  '/%25',
  '/a b',
  '/a\tb',
  '/a\u0000',
  '/é',
  '/a#b',
  '/a<b',
  '/a|b',
  '/a`b',
  '/a{b}',
  '/a^b',
  '/a"b',
  '/%ef%bc%8f',
  '/a%ef%bc%8fb',
  '/%e2%80%a5',
  '/%e2%80%a6/x',
  '/a%ef%bc%bcb',
  '/x?a=\u0000',
  '/x?é',
])('a target that is refused: %j', (raw) => {
  expect(parseRequestTarget(raw)).toBeNull()
})

describe('where a base is named, doubled and trailing slashes and repetitions of it are dropped', () => {
  it.each([
    ['//', '/'],
    ['///', '/'],
    ['/v1/', '/v1'],
    ['/v1//chat///completions//', '/v1/chat/completions'],
    ['//v1/models', '/v1/models'],
    ['/v1/v1/models', '/v1/models'],
    ['/v1//v1/v1/models/', '/v1/models'],
    ['/v1/v1', '/v1'],
    ['/models/v1/v1', '/models/v1/v1'],
    ['/models', '/models'],
    ['/v1/v1/models//private%2Flento/', '/v1/models/private/lento'],
    ['//models/private%2flento', '/models/private/lento'],
  ])('%s is %s', (raw, pathname) => {
    expect(parseRequestTarget(raw, PROXY)).toMatchObject({ pathname, href: pathname })
    // Other servers tolerate nothing.
    if (/\/\/|.\/$/.test(raw)) expect(parseRequestTarget(raw, MODELS)).toBeNull()
  })
  it.each([
    '/v1//..//keys',
    '/v1/./models',
    '/v1//%2e%2e/keys',
    '/v1/%2fmodels',
    '/%2f/models',
    '/v1/models/a%2F%2Fb',
    '/v1/models/a%2f',
    '/v1/models/%2Fa',
    '/v1/models/..%2Fkeys',
    '/v1/models/a%252Fb',
    '/v1/keys/a%2Fb',
    '/v1/models%2Fx',
    '/%76%31/v1/models',
    '/v1/%761/models',
    '/%2Fv1/models',
    '/v1/v1%2Fmodels/a',
    '/v1\\models',
    '/v1/%00',
    '/v1/%ef%bc%8fmodels',
    '/..;/v1',
    '/v1/...//models',
    '//evil.example/x',
    '///evil.example/v1/models',
    '//evil:80/v1/models',
    '//user@evil/v1/models',
  ])('%s is refused as before', (raw) => {
    expect(parseRequestTarget(raw, PROXY)).toBeNull()
  })
})

it('names what is wrong with a head', () => {
  expect(parseRequestHead({ method: 'GET', url: '/x', rawHeaders: ['Host', 'a'] })).toMatchObject({
    method: 'GET',
    pathname: '/x',
  })
  expect(parseRequestHead({ url: '/%zz', rawHeaders: [] })).toBe('malformed-path')
  expect(parseRequestHead({ url: '/x', rawHeaders: ['Host', 'a', 'hOST', 'b'] })).toBe('ambiguous-host')
  expect(parseRequestHead({ url: 'HTTP://a/x', rawHeaders: ['Host', 'a'] })).toBe('ambiguous-host')
})

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '\\',
    ';',
    '%00',
    '%25',
    '%252f',
    '?',
    '#',
    'api',
    'upload',
    'media',
    'v1',
    'models',
    'é',
    '%c3%a9',
    '%ef%bc%8f',
    ' ',
    '%20',
    '@',
    ':',
  ),
  fc.string({ maxLength: 4 }),
)
const target = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)

it.each([
  ['the strict rules', MODELS],
  ['the rules of the proxy', PROXY],
])('by %s, whatever it accepts, every other reader finds the same path in', (_which, rules) => {
  fc.assert(
    fc.property(target, (raw) => {
      const parsed = parseRequestTarget(raw, rules)
      if (!parsed) return
      const { pathname, href } = parsed
      // The URL parser of browsers, Node and oRPC.
      const url = new URL(`http://sotto.invalid${href}`)
      expect(decodeURIComponent(url.pathname)).toBe(pathname)
      expect(url.host).toBe('sotto.invalid')
      expect([...url.searchParams]).toEqual([...parsed.query])
      // A second reading changes nothing.
      expect(parseRequestTarget(href)).toMatchObject({ pathname, href })
      expect(parseRequestTarget(href, rules)).toMatchObject({ pathname, href })
      // No reader that drops dots, doubled slashes or backslashes has anything to drop.
      expect(
        pathname === '/' ||
          pathname
            .slice(1)
            .split('/')
            .every((segment) => segment !== '' && !/^\.+$/.test(segment)),
      ).toBe(true)
      expect(pathname).not.toMatch(/[\\\p{Cc}]/u)
    }),
    { numRuns: 20_000 },
  )
})
