import { describe, expect, it } from 'vitest'
import type { PlaintextForm } from '../../../../src/core/gateway/relay/plaintext-request.ts'
import {
  isPlainName,
  looksPrivate,
  otherModels,
  refusePrivateFields,
  refusePrivateNames,
  refusePrivateNamesInChat,
} from '../../../../src/core/gateway/relay/private-name.ts'
import type { JsonValue } from '../../../../src/shared/strict-json.ts'

const refusal = expect.objectContaining({
  code: 'privacy/path',
  details: expect.objectContaining({ param: 'model' }) as unknown,
}) as Error

describe('a name that could mean a private model', () => {
  it.each([
    'private/x',
    'PRIVATE/x',
    'Private/X',
    ' private/x',
    '\tprivate / x',
    'private//x',
    './private/x',
    '/private/x',
    '"private/x"',
    'private%2Fx',
    'private%252fx',
    '%70rivate/x',
    '%25%37%30rivate/x',
    'private\\x',
    'private／x',
    'ｐｒｉｖａｔｅ/x',
    'private∕x',
    'private⁄x',
    'pri\u200bvate/x',
    '\ufeffprivate/x',
    'pri\u00advate/x',
    'private\u0000/x',
    'pr\u0301ivate/x',
    'private/',
  ])('%j', (name) => expect(looksPrivate(name)).toBe(true))
  it.each([
    'sandbox/x',
    'privateer/x',
    'x/private',
    'acme/private/x',
    'private',
    'private-x',
    'my-private/x',
    '',
    '%',
    '%zz',
    '100% private',
    'x'.repeat(3000),
  ])('differs from one that could not: %j', (name) => {
    expect(looksPrivate(name)).toBe(false)
  })
})

describe('a request that names a private model', () => {
  it.each<[string, JsonValue]>([
    ['as its model', { model: 'private/x' }],
    ['in a list', { model: ['a', 'private/x'] }],
    ['in a list that is one text', { models: 'a, private/x' }],
    ['in another case', { MODEL: 'private/x' }],
    ['in another member', { model: 'a', fallback_models: ['private/x'] }],
    ['in a member in full width', { ｍｏｄｅｌ: 'private/x' }],
    ['deep inside', { route: { options: [{ model: { id: 'private/x' } }] } }],
    ['as the voice', { voice: 'private/x' }],
    ['in its own __proto__', JSON.parse('{"__proto__":{"model":"private/x"}}') as JsonValue],
  ])('%s is refused', (_where, body) => expect(() => refusePrivateNames(body)).toThrow(refusal))

  it.each<[JsonValue]>([
    [{ input: 'private/x is a folder' }],
    [{ model: 'a', input: ['private/x'] }],
    [{ prompt: 'model: private/x' }],
    [[]],
    [null],
    ['private/x'],
    [{ n: 1, model: null }],
  ])('is accepted if the name is only part of a text: %j', (body) => {
    expect(() => refusePrivateNames(body)).not.toThrow()
  })

  it('is refused in a form’s field or as the name of a file', () => {
    const form = (fields: PlaintextForm['fields'], name = 'a.wav'): PlaintextForm => ({
      fields,
      files: [
        {
          field: 'model',
          upload: {
            name,
            type: 'audio/wav',
            size: 0,
            content: (async function* () {
              /* nothing */
            })(),
          },
        },
      ],
    })
    expect(() => refusePrivateFields(form([['models[]', 'Private/x']]))).toThrow(refusal)
    expect(() => refusePrivateFields(form([], 'private／x'))).toThrow(refusal)
    expect(() =>
      refusePrivateFields(
        form([
          ['model', 'a'],
          ['prompt', 'private/x'],
        ]),
      ),
    ).not.toThrow()
  })
})

describe('a list of names longer than any list of models', () => {
  const invalid = expect.objectContaining({
    code: 'request/invalid',
    details: expect.objectContaining({ param: 'model' }) as unknown,
  }) as Error
  it.each<[string, JsonValue]>([
    ['one text', 'a,'.repeat(15_000)],
    ['many texts', Array.from({ length: 500_000 }, () => 'a')],
    ['lists inside each other', Array.from({ length: 150 }, () => Array.from({ length: 150 }, () => null))],
  ])('is refused before it is read: %s', (_, models) => {
    expect(() => refusePrivateNames({ model: 'a', models })).toThrow(invalid)
    expect(() => refusePrivateNamesInChat({ model: 'a', models })).toThrow(invalid)
    expect(() => otherModels({ model: 'a', models })).toThrow(invalid)
  })
})

it('finds the other models that a chat may use', () => {
  expect(otherModels({ model: 'a', messages: [{ model: 'b' }], temperature: 1 })).toEqual([])
  expect([...otherModels({ model: 'a', models: ['b', { id: 'c' }], fallback_model: 'd' })].sort()).toEqual([
    'b',
    'c',
    'd',
  ])
})

it.each([
  ['deepgram_aura_2', true],
  ['21m00Tcm4TlvDq8ikWAM', true],
  ['aura-2-thalia-en', true],
  ['a/b', false],
  ['private%2fx', false],
  [' a', false],
  ['', false],
  ['ａ', false],
  ['a\\b', false],
  ['x'.repeat(201), false],
])('an unlisted name is sent only if it is plain: %j', (name, plain) => {
  expect(isPlainName(name)).toBe(plain)
})
