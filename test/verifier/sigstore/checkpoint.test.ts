import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readCheckpoint } from '../../../src/verifier/sigstore/checkpoint.ts'
import type { TrustedLog } from '../../../src/verifier/sigstore/trusted-root.ts'

const ROOT = Buffer.alloc(32, 5)
const TEXT = `log.example - 77\n9\n${ROOT.toString('base64')}\nwhat a log says behind it\n`
const ID = Buffer.alloc(32, 3)
const forever = { start: 0, end: Infinity }

const kinds = {
  'ECDSA P-256': { pair: generateKeyPairSync('ec', { namedCurve: 'P-256' }), hash: 'sha256' },
  Ed25519: { pair: generateKeyPairSync('ed25519'), hash: null },
  'RSA-2048': { pair: generateKeyPairSync('rsa', { modulusLength: 2048 }), hash: 'sha256' },
} as const

describe.each(Object.entries(kinds))('a checkpoint signed with %s', (_kind, { pair, hash }) => {
  const log: TrustedLog = {
    id: ID,
    names: ['log.example', 'log.example/rekor'],
    key: pair.publicKey,
    hash,
    inForce: forever,
  }
  const signed = (text: string, { by = pair, id = ID } = {}) =>
    Buffer.concat([id.subarray(0, 4), sign(hash, Buffer.from(text), by.privateKey)]).toString('base64')
  const line = (text = TEXT, name = 'log.example') => `\u2014 ${name} ${signed(text)}\n`

  test('is read from a note that the log signed', () => {
    expect(readCheckpoint(`${TEXT}\n${line()}`, log)).toEqual({ treeSize: 9, rootHash: ROOT })
    expect(readCheckpoint(`${TEXT}\n${line(TEXT, 'log.example/rekor')}`, log)).toEqual({
      treeSize: 9,
      rootHash: ROOT,
    })
  })

  test('is read next to lines of witnesses, which are ignored', () => {
    const witness = `\u2014 witness.example/w ${Buffer.alloc(76, 9).toString('base64')}\n`
    const strange = `\u2014 log.example ${Buffer.alloc(68, 1).toString('base64')}\n`
    expect(readCheckpoint(`${TEXT}\n${witness}${strange}${line()}${witness}`, log)).toEqual({
      treeSize: 9,
      rootHash: ROOT,
    })
  })

  const other = generateKeyPairSync('ed25519')
  test.each([
    ['without a signature', `${TEXT}\n`],
    ['without an empty line', `${TEXT}${line()}`],
    ['with two empty lines', `log.example\n\n${TEXT}\n${line()}`],
    ['whose last line does not end', `${TEXT}\n${line().trimEnd()}`],
    [
      'that another key signed',
      `${TEXT}\n\u2014 log.example ${Buffer.concat([ID.subarray(0, 4), sign(null, Buffer.from(TEXT), other.privateKey)]).toString('base64')}\n`,
    ],
    ['over another text', `${TEXT}\n${line(TEXT.replace('9', '8'))}`],
    ['over the text without its last line feed', `${TEXT}\n${line(TEXT.trimEnd())}`],
    ['under another name', `${TEXT}\n${line(TEXT, 'log.example.evil')}`],
    ['under a part of the name', `${TEXT}\n${line(TEXT, 'log')}`],
    ['under another id', `${TEXT}\n\u2014 log.example ${signed(TEXT, { id: Buffer.alloc(32, 4) })}\n`],
    ['with a hyphen for the dash', `${TEXT}\n${line().replace('\u2014', '-')}`],
    ['with a signature that is no base64', `${TEXT}\n${line().replace(/=*\n$/, '*\n')}`],
    ['with a signature that is cut', `${TEXT}\n\u2014 log.example ${ID.subarray(0, 4).toString('base64')}\n`],
    [
      'with a wrong signature before the right one',
      `${TEXT}\n\u2014 log.example ${Buffer.concat([ID.subarray(0, 4), Buffer.alloc(64)]).toString('base64')}\n${line()}`,
    ],
    ['that is empty', ''],
  ])('isn’t read from a note %s', (_what, envelope) => {
    expect(readCheckpoint(envelope, log)).toBeUndefined()
  })

  test.each([
    ['no size', `log.example\nmany\n${ROOT.toString('base64')}\n`],
    ['a size with a zero before it', `log.example\n09\n${ROOT.toString('base64')}\n`],
    ['a size beyond what is exact', `log.example\n${'9'.repeat(17)}\n${ROOT.toString('base64')}\n`],
    ['a negative size', `log.example\n-9\n${ROOT.toString('base64')}\n`],
    ['no root', 'log.example\n9\n'],
    ['a root that is not canonical', `log.example\n9\n${ROOT.toString('base64').replace(/=$/, '')}\n`],
  ])('isn’t read from a note that the log signed, with %s', (_what, text) => {
    expect(readCheckpoint(`${text}\n${line(text)}`, log)).toBeUndefined()
  })
})
