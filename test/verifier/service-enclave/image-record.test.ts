import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImageRecord } from '../../../src/verifier/service-enclave/index.ts'
import { EvidenceError } from '../../../src/verifier/text.ts'
import { OTHER_PCR0, pcr0, record, recordBytes } from './minted-answer.ts'

const refuses = (bytes: Uint8Array) => {
  expect(() => readImageRecord(bytes)).toThrow(EvidenceError)
}
const zeros = '0'.repeat(96)

describe('the record of images', () => {
  it('has one to four accepted images', () => {
    const more = ['d1', 'd2', 'd3'].map((byte) => byte.repeat(48))
    expect(readImageRecord(recordBytes({ accepted_pcr0: [pcr0, ...more] })).accepted).toEqual([pcr0, ...more])
    refuses(recordBytes({ accepted_pcr0: [pcr0, OTHER_PCR0, ...more] }))
    refuses(recordBytes({ accepted_pcr0: [] }))
  })

  it.each<[string, object]>([
    ['no list', { accepted_pcr0: pcr0 }],
    ['an image of zeros', { accepted_pcr0: [pcr0, zeros] }],
    ['a current image of zeros', { accepted_pcr0: [zeros], current: { ...record.current, pcr0: zeros } }],
    ['an image in upper case', { accepted_pcr0: [pcr0, OTHER_PCR0.toUpperCase()] }],
    ['an image of 47 bytes', { accepted_pcr0: [pcr0, 'ab'.repeat(47)] }],
    ['an image with a line end', { accepted_pcr0: [pcr0, `${OTHER_PCR0}\n`] }],
    ['an image that isn’t text', { accepted_pcr0: [pcr0, 7] }],
    ['a current image that isn’t accepted', { current: { ...record.current, pcr0: OTHER_PCR0 } }],
    ['no current image', { current: null }],
    ['no date', { updated: undefined }],
    ['a time', { updated: '2026-05-30T00:00:00Z' }],
    ['a day that no month has', { updated: '2026-02-30' }],
    ['a date before the calendar', { updated: '0000-00-00' }],
    ['a version of 65 characters', { current: { ...record.current, version: 'v'.repeat(65) } }],
    ['a commit that isn’t text', { current: { ...record.current, source_commit: 7 } }],
  ])('is refused with %s', (_, changes) => {
    refuses(recordBytes(changes))
  })

  it('is strict JSON in UTF-8 of 64 KiB at most', () => {
    refuses(Buffer.from(''))
    refuses(Buffer.from('null'))
    refuses(Buffer.from('[]'))
    refuses(Buffer.from(recordBytes().toString().replace('{', '{"updated":"2026-01-01",')))
    refuses(Buffer.concat([Buffer.from('efbbbf', 'hex'), recordBytes()]))
    refuses(Buffer.concat([recordBytes(), Buffer.of(0xff)]))
    const filled = (length: number) => Buffer.from(recordBytes().toString().padEnd(length))
    expect(readImageRecord(filled(64 * 1024)).accepted).toEqual([pcr0])
    refuses(filled(64 * 1024 + 1))
  })

  it('names the observed value in its error', () => {
    expect(() => readImageRecord(recordBytes({ updated: '2026-02-30' }))).toThrow(
      '2026-02-30, which isn’t a date',
    )
  })

  it('has claims without terminal control characters', () => {
    const claims = readImageRecord(
      recordBytes({ current: { ...record.current, version: 'v1\u001b[2J', source_commit: 'abc\u202e1' } }),
    )
    expect(claims).toMatchObject({ version: 'v1\ufffd[2J', commit: 'abc\ufffd1' })
  })

  it('of any content is read or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          refuses(bytes)
        },
      ),
    )
    const hex = fc.stringMatching(/^[0-9a-f]{96}$/).filter((text) => !/^0+$/.test(text))
    fc.assert(
      fc.property(fc.array(hex, { minLength: 1, maxLength: 4 }), fc.nat(3), (accepted, index) => {
        const current = accepted[index % accepted.length] ?? ''
        expect(
          readImageRecord(
            recordBytes({ accepted_pcr0: accepted, current: { ...record.current, pcr0: current } }),
          ),
        ).toMatchObject({ accepted, current })
      }),
    )
  })
})
