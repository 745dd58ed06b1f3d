import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SignedUrls } from '../../src/sandbox/signed-urls.ts'

const base = 'http://127.0.0.1:1'
const urls = new SignedUrls(Buffer.alloc(32, 7), base)
const now = Date.UTC(2026, 10, 18)
const path = '/v1/media/gen_abc/0'
const signed = urls.sign(path, now).slice(base.length)
const day = 86_400_000

describe('a signed address', () => {
  test('has a signature and an expiry, and is valid for 24 hours', () => {
    expect(urls.sign(path, now)).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/v1\/media\/gen_abc\/0\?sig=[A-Za-z0-9_-]{43}&exp=\d+$/,
    )
    expect(urls.holds(signed, now)).toBe(true)
    expect(urls.holds(signed, now + day - 1)).toBe(true)
    expect(urls.holds(signed, now + day)).toBe(false)
  })

  test('is valid only for its path, its expiry and its key', () => {
    const { sig = '', exp = '' } = /sig=(?<sig>[^&]+)&exp=(?<exp>\d+)/.exec(signed)?.groups ?? {}
    const tampered = [
      signed.replace('gen_abc', 'gen_abd'),
      signed.replace('/0?', '/1?'),
      `${path}?sig=${sig}&exp=${Number(exp) + 1}`,
      `${path}?exp=${exp}&sig=${sig}`,
      `${path}?sig=${sig}`,
      `${path}?sig=&exp=${exp}`,
      `${path}?sig=${sig}&exp=${exp}&x=1`,
      `${path}?sig=${sig}&exp=0${exp}`,
      `${path}?sig=${sig}&exp=99999999999999`,
      path,
      '',
    ]
    for (const url of tampered) expect(urls.holds(url, now), url).toBe(false)
    expect(new SignedUrls(Buffer.alloc(32, 8), base).holds(signed, now)).toBe(false)
  })

  test('is invalid after any change of a character', () => {
    fc.assert(
      fc.property(
        fc.nat(signed.length - 1),
        fc.constantFrom(...Array.from('aZ09-_/?&=')),
        (at, character) => {
          const changed = signed.slice(0, at) + character + signed.slice(at + 1)
          return changed === signed || !urls.holds(changed, now)
        },
      ),
    )
  })
})
