import { describe, expect, test } from 'vitest'
import { webAddress } from '../../src/renderer/ui/web-address.ts'
import { addressOf, parseRoute } from '../../src/renderer/ui/route.ts'
import { findCommands } from '../../src/renderer/ui/shell/palette-store.ts'
import { verdictState } from '../../src/renderer/ui/verdict-state.ts'

describe('web addresses', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'app://sotto/',
    'mailto:a@b.example',
    '/relative',
    '#x',
    'vbscript:x',
    '',
  ])('%j is refused', (text) => {
    expect(webAddress(text)).toBeUndefined()
  })

  test('an address is shown as the browser parses it', () => {
    expect(webAddress('https://www.ﬁsh.example/ä b')).toBe('https://www.fish.example/%C3%A4%20b')
    expect(webAddress('http://аpple.example')).toBe('http://xn--pple-43d.example/')
    expect(webAddress('https://bank.example@evil.example')).toBe('https://bank.example@evil.example/')
  })
})

describe('places in the window', () => {
  test('are written to the fragment and read from it', () => {
    for (const route of [
      { view: 'chat' },
      { view: 'privacy' },
      { view: 'chat', conversationId: 'a/b #?' },
      { view: 'developer', part: 'claude-code' },
      { view: 'studio', part: 'library' },
      { view: 'chat', receiptId: 'r-1' },
      { view: 'chat', conversationId: 'a?receipt=b', receiptId: '4f0e-9a' },
      { view: 'privacy', part: 'receipts', receiptId: 'r-1' },
    ] as const)
      expect(parseRoute(addressOf(route))).toEqual(route)
  })

  test.each([
    ['#/local-api', { view: 'developer' }],
    ['#/local-api/requests', { view: 'developer', part: 'requests' }],
    ['#/local-api/claude-code', { view: 'developer', part: 'claude-code' }],
    ['#/keys', { view: 'developer', part: 'keys' }],
    ['#/keys/new', { view: 'developer', part: 'new-api-key' }],
    ['#/keys/revoked', { view: 'developer', part: 'revoked-keys' }],
    ['#/keys/anything', { view: 'developer', part: 'keys' }],
  ])('the earlier address %s leads to Developer', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route)
  })

  test('are the chat view if they’re unknown', () => {
    for (const hash of [
      '',
      '#',
      '#/',
      '#/nowhere',
      '#/chat/%E0%A4%A',
      '#/keys/%E0%A4%A',
      '#/constructor',
      '#code=x',
      '#/chat?receipt=',
      '#/chat?receipt=../wallet',
      `#/chat?receipt=${'a'.repeat(65)}`,
    ])
      expect(parseRoute(hash)).toEqual({ view: 'chat' })
  })
})

test('a command is found by all of its words, first by its beginning', () => {
  const command = (title: string, also = '') => ({ id: title, title, also, run: () => undefined })
  const commands = [
    command('Go to Privacy'),
    command('Verify the enclave', 'privacy'),
    command('Privacy help'),
  ]
  expect(findCommands(commands, 'privacy').map(({ title }) => title)).toEqual([
    'Privacy help',
    'Go to Privacy',
    'Verify the enclave',
  ])
  expect(findCommands(commands, 'go privacy').map(({ title }) => title)).toEqual(['Go to Privacy'])
  expect(findCommands(commands, '')).toHaveLength(3)
  expect(findCommands(commands, 'nothing')).toEqual([])
})

test('a valid verdict isn’t shown as verified once it has expired', () => {
  const verdict = {
    good: true,
    steps: [],
    trust: 'sandbox',
    enclaveHost: 'a',
    verifiedAt: 0,
    validUntil: 100,
    evidenceDigest: '',
  } as const
  expect(verdictState({ ...verdict, steps: [] }, 99)).toBe('verified')
  expect(verdictState({ ...verdict, steps: [] }, 100)).toBe('ended')
  expect(verdictState({ ...verdict, steps: [], good: false }, 99)).toBe('refused')
  expect(verdictState(null, 0)).toBe('none')
})
