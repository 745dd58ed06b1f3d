import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase32, labelledBytes } from '../../src/verifier/certificate-labels.ts'

const decoded = (text: string) => {
  const bytes = decodeBase32(text)
  return bytes && Buffer.from(bytes).toString('latin1')
}

describe('base32', () => {
  it('decodes the test vectors of RFC 4648 section 10', () => {
    const vectors = {
      '': '',
      my: 'f',
      mzxq: 'fo',
      mzxw6: 'foo',
      mzxw6yq: 'foob',
      mzxw6ytb: 'fooba',
      mzxw6ytboi: 'foobar',
    }
    for (const [text, plain] of Object.entries(vectors)) expect(decoded(text)).toBe(plain)
  })

  it('accepts only one spelling of each text', () => {
    for (const text of ['MY', 'my======', 'mz', 'm', 'mzx', 'mzxw6y', 'm1', 'm8', 'my ', 'mÿ'])
      expect(decodeBase32(text)).toBeUndefined()
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z2-7]{0,60}$/), (text) => {
        const bytes = decodeBase32(text)
        if (bytes) expect(text).toHaveLength(Math.ceil((bytes.length * 8) / 5))
      }),
      { numRuns: 300 },
    )
  })
})

describe('labels', () => {
  const read = (...names: string[]) => {
    const bytes = labelledBytes(names, 'hpke', 'example')
    return bytes && Buffer.from(bytes).toString('latin1')
  }

  it('are joined by number, in any order', () => {
    expect(read('host.example', '01xw6.hpke.example', '00mz.hpke.example')).toBe('foo')
    expect(read('00mzxw6.hpke.example', '00my.hatt.example', '00my.hpke.other.example')).toBe('foo')
  })

  it.each([
    ['none', ['host.example']],
    ['a gap', ['00mz.hpke.example', '02xw6.hpke.example']],
    ['no first', ['01mzxw6.hpke.example']],
    ['one twice', ['00mzxw6.hpke.example', '00mzxw6.hpke.example']],
    ['no number', ['mzxw6.hpke.example']],
    ['a number of one digit', ['0mzxw6.hpke.example']],
    ['no bytes', ['00.hpke.example']],
    ['capital letters', ['00MZXW6.hpke.example']],
    ['a label in between', ['00mzxw6.x.hpke.example']],
    ['a wildcard beside it', ['*.hpke.example', '00mzxw6.hpke.example']],
    ['another suffix', ['00mzxw6.hpke.example.net']],
    ['a suffix that only ends alike', ['00mzxw6.hpkexexample']],
  ])('with %s contain no value', (_, names) => {
    expect(read(...names)).toBeUndefined()
  })
})
