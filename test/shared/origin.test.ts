import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOrigin } from '../../src/shared/origin.ts'

describe('an origin', () => {
  it.each([
    'https://notes.example',
    'http://localhost:3000',
    'http://[::1]:8080',
    'app://obsidian.md',
    'app://-',
    'capacitor://localhost',
    'tauri://localhost',
    'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh',
    'vscode-webview://0h8kj2q9s7a6d5f4g3h2j1k0',
    'moz-extension://5f1b2c3d-0000-4000-8000-000000000000',
  ])('%s is one', (text) => {
    expect(parseOrigin(text)).toBe(text)
    expect(parseOrigin(text.toUpperCase())).toBe(text)
  })

  it.each([
    '',
    '*',
    'null',
    'https://*',
    'https://*.example',
    'app://',
    'app:',
    'file://',
    'file://x',
    'notes.example',
    '//notes.example',
    'https://notes.example/',
    'app://obsidian.md/x',
    'https://a@notes.example',
    'https://notes.example:443',
    'http://notes.example:080',
    'https://notes.example:99999',
    'https://notes.example?x',
    'app://a b',
    'app://a\r\nset-cookie: x',
    'app://a;b',
    'app://$(x)',
    'https://nötes.example',
    `app://${'a'.repeat(300)}`,
    'https://a.example, https://b.example',
  ])('%j is none', (text) => {
    expect(parseOrigin(text)).toBeUndefined()
  })

  it('has only letters that are safe in a header, a text and a shell, and is parsed as itself again', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            'a',
            'Z',
            '0',
            ':',
            '/',
            '.',
            '-',
            '[',
            ']',
            '*',
            '$',
            ' ',
            '\n',
            '"',
            '\u202e',
            '://',
            'https://',
            'app://',
          ),
          maxLength: 30,
        }),
        (text) => {
          const origin = parseOrigin(text)
          if (origin === undefined) return
          expect(origin).toMatch(/^[a-z0-9:/.\-[\]]+$/)
          expect(origin).toBe(text.toLowerCase())
          expect(parseOrigin(origin)).toBe(origin)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
