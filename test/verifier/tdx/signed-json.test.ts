import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { qeIdentityOf, readStatement, splitSignedJson, tcbInfoOf } from '../../../src/verifier/tdx/index.ts'
import { isStatementSignedBy } from '../../../src/verifier/tdx/signed-json.ts'

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const SIGNATURE = 'ab'.repeat(64)
const around = (statement: string, signature = SIGNATURE) =>
  Buffer.from(`{"tcbInfo":${statement},"signature":"${signature}"}`)
const textOf = (body: Uint8Array) => {
  const split = splitSignedJson(body, 'tcbInfo')
  return split && Buffer.from(split.statement).toString()
}
const read = (body: Uint8Array) => {
  const split = splitSignedJson(body, 'tcbInfo')
  return split && readStatement(split, (value) => value)
}

describe('a signed response', () => {
  it('is split into bytes', () => {
    expect(textOf(around('{"a":1}'))).toBe('{"a":1}')
    expect(textOf(around('{ "a" : [1,\n2] }'))).toBe('{ "a" : [1,\n2] }')
    expect(textOf(around('{"ä":"€"}'))).toBe('{"ä":"€"}')
    expect(textOf(Buffer.concat([around('{}'), Buffer.from(' \r\n\t')]))).toBe('{}')
    expect(splitSignedJson(around('{}'), 'tcbInfo')?.signature).toEqual(Buffer.alloc(64, 0xab))
  })

  it('is verified over the signed bytes', () => {
    const statement = '{"svn":5, "é":"\\u0061"}'
    const signature = sign('sha256', Buffer.from(statement), {
      key: keys.privateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('hex')
    const split = splitSignedJson(around(statement, signature), 'tcbInfo')
    expect(split && isStatementSignedBy(split, keys.publicKey)).toBe(true)
    expect(
      split && isStatementSignedBy(split, generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
    ).toBe(false)
    expect(split && readStatement(split, (value) => value)).toEqual({ svn: 5, é: 'a' })
    for (const other of [
      statement.replace('5', '6'),
      statement.replace(', ', ','),
      statement.replace('\\u0061', 'a'),
    ]) {
      const changed = splitSignedJson(around(other, signature), 'tcbInfo')
      expect(changed && isStatementSignedBy(changed, keys.publicKey)).toBe(false)
    }
  })

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['another member', Buffer.from(`{"enclaveIdentity":{},"signature":"${SIGNATURE}"}`)],
    ['another order', Buffer.from(`{"signature":"${SIGNATURE}","tcbInfo":{}}`)],
    ['white space before it', Buffer.concat([Buffer.from(' '), around('{}')])],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), around('{}')])],
    ['white space inside', Buffer.from(`{"tcbInfo": {}, "signature":"${SIGNATURE}"}`)],
    ['a member between', Buffer.from(`{"tcbInfo":{},"signature":"${SIGNATURE}","more":1}`)],
    ['something after it', Buffer.concat([around('{}'), Buffer.from('{}')])],
    ['much white space after it', Buffer.concat([around('{}'), Buffer.alloc(40, ' ')])],
    ['a short signature', around('{}', 'ab'.repeat(63))],
    ['a long signature', around('{}', 'ab'.repeat(65))],
    ['a signature in capitals', around('{}', 'AB'.repeat(64))],
    ['a signature that is no hex', around('{}', 'xy'.repeat(64))],
    ['an escape in its signature', around('{}', `${'ab'.repeat(61)}\\u0061`)],
    ['no statement', Buffer.from(`{"tcbInfo","signature":"${SIGNATURE}"}`)],
    ['the ending alone', Buffer.from(`,"signature":"${SIGNATURE}"}`)],
  ])('is refused with %s', (_, body) => {
    expect(splitSignedJson(body, 'tcbInfo')).toBeUndefined()
  })

  it.each<[string, Buffer]>([
    ['two statements', around(`{},"tcbInfo":{"id":"other"}`)],
    ['a second signature', around(`{},"signature":"${SIGNATURE}"`)],
    ['the statement named twice inside', around('{"id":"TDX","id":"SGX"}')],
    ['a name twice, spelt otherwise', around('{"id":"TDX","\\u0069d":"SGX"}')],
    ['an empty statement', around('')],
    ['half a statement', around('{"id":')],
    ['more than one value', around('{}{}')],
    [
      'UTF-8 that is none',
      Buffer.concat([
        Buffer.from('{"tcbInfo":"'),
        Buffer.from([0xc0, 0x80]),
        Buffer.from(`","signature":"${SIGNATURE}"}`),
      ]),
    ],
    ['a byte order mark inside', around('\ufeff{}')],
    ['depth without end', around(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ])('that splits is an invalid statement with %s', (_, body) => {
    expect(splitSignedJson(body, 'tcbInfo')).toBeDefined()
    expect(read(body)).toBeUndefined()
  })

  it('parses like the whole JSON text if that has one reading, and is refused otherwise', () => {
    fc.assert(
      fc.property(fc.json(), (statement) => {
        const body = around(statement)
        const whole = JSON.parse(body.toString()) as { tcbInfo: unknown }
        // A statement with a member twice is JSON to others, and to us is none.
        if (read(body) !== undefined) expect(read(body)).toEqual(whole.tcbInfo)
        expect(textOf(body)).toBe(statement)
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
        const split = splitSignedJson(Buffer.concat([before, around('{}'), after]), 'tcbInfo')
        if (split) expect(Buffer.from(split.statement).toString()).toBe('{}')
      }),
      { numRuns: 1000 },
    )
  })

  it('of any other content is refused as a statement', () => {
    fc.assert(
      fc.property(fc.json(), (statement) => {
        const split = splitSignedJson(around(statement), 'tcbInfo')
        expect(split && readStatement(split, tcbInfoOf)).toBeUndefined()
        expect(split && readStatement(split, qeIdentityOf)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })
})
