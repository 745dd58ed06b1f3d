import { beforeAll, describe, expect, test } from 'vitest'
import { readCollateral } from '../../../src/verifier/v3/collateral.ts'
import { EvidenceError } from '../../../src/verifier/text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/verifier/strict-json.ts'
import { createEnclave, type Enclave } from './verified-documents.ts'
import { edited, textOf, toJson } from './json-edits.ts'

let sev: Enclave
let tdx: Enclave
beforeAll(async () => {
  ;[sev, tdx] = [await createEnclave('sev-snp'), await createEnclave('tdx')]
})

function entriesOf(enclave: Enclave): JsonObject[] {
  const document = toJson(enclave.mint().toString())
  const list = isJsonObject(document) ? document['collateral'] : null
  if (!Array.isArray(list)) throw new Error('no collateral')
  return list.filter(isJsonObject)
}

function refuses(entries: readonly JsonObject[]): boolean {
  try {
    readCollateral(entries)
    return false
  } catch (error) {
    if (error instanceof EvidenceError) return true
    throw error
  }
}

const isObject = (value: JsonValue): JsonObject => {
  if (!isJsonObject(value)) throw new Error('not an object')
  return value
}
const ids = (entries: readonly JsonObject[]) => entries.map(({ id }) => textOf(id))
const entryOf = (entries: readonly JsonObject[], id: string) =>
  isObject(entries.find((entry) => entry['id'] === id) ?? null)
const withEntry = (entries: readonly JsonObject[], id: string, members: JsonObject) =>
  entries.map((entry) => (entry['id'] === id ? { ...entry, ...members } : entry))

describe('entries that aren’t used', () => {
  test.each<[string, JsonObject]>([
    [
      'a format that will come',
      {
        id: 'tinfoil-config',
        role: 'reference-values',
        format: 'https://tinfoil.sh/collateral/config-endorsement/v1',
        data: { endorsement_ref: 'x' },
      },
    ],
    [
      'a format of others',
      { id: 'other', role: 'endorsement', format: 'urn:other', subjects: ['gpu0'], data: {} },
    ],
    [
      'a known format in the other role',
      {
        id: 'other',
        role: 'endorsement',
        format: 'https://tinfoil.sh/collateral/sigstore-code/v1',
        data: { anything: 1 },
      },
    ],
    [
      'a witness of something else',
      {
        id: 'other-freshness',
        role: 'reference-values',
        format: 'https://tinfoil.sh/collateral/sigstore-freshness/v1',
        data: { sigstore_bundle: {} },
      },
    ],
    [
      'certificates of another part',
      {
        id: 'other',
        role: 'endorsement',
        format: 'https://tinfoil.sh/collateral/amd-crl/v1',
        subjects: ['cpu1'],
        data: { crl_der_base64: 'AAAA' },
      },
    ],
  ])('%s', (_, entry) => {
    const entries = entriesOf(sev)
    const document = isObject(toJson(sev.mint().toString()))
    for (const collateral of [
      [entry, ...entries],
      [...entries, entry],
    ]) {
      expect(readCollateral(collateral)).toEqual(readCollateral(entries))
      expect(sev.verify(Buffer.from(JSON.stringify({ ...document, collateral })))).toHaveProperty('facts')
    }
  })

  test('the order doesn’t matter', () => {
    const entries = entriesOf(tdx)
    expect(readCollateral(entries.toReversed())).toEqual(readCollateral(entries))
  })
})

describe('two entries for one purpose', () => {
  test('the first counts', () => {
    const entries = entriesOf(sev)
    const second = { ...entryOf(entries, 'cpu-crl'), id: 'second', data: { crl_der_base64: 'AAAA' } }
    expect(readCollateral([...entries, second])).toEqual(readCollateral(entries))
    expect(readCollateral([second, ...entries]).amdCrl).toEqual(Buffer.alloc(3))
  })

  test('a malformed second one refuses the document, also if it’s for another part', () => {
    for (const entries of [entriesOf(sev), entriesOf(tdx)]) {
      for (const id of ids(entries)) {
        for (const subjects of [undefined, ['cpu'], ['cpu1']]) {
          const second = {
            ...entryOf(entries, id),
            id: 'second',
            data: { extra: 1 },
            ...(subjects && { subjects }),
          }
          expect([id, subjects, refuses([...entries, second])]).toEqual([id, subjects, true])
        }
      }
    }
  })

  test('an ID is there once', () => {
    const entries = entriesOf(sev)
    for (const id of ids(entries)) expect(refuses([...entries, entryOf(entries, id)])).toBe(true)
    expect(refuses([...entries, { id: 'code', role: 'endorsement', format: 'urn:other', data: {} }])).toBe(
      true,
    )
  })
})

describe('subjects', () => {
  test.each(['cpu-endorsement', 'cpu-crl'])('without the processor among them %s isn’t used', (id) => {
    const member = id === 'cpu-crl' ? 'amdCrl' : 'vcek'
    for (const subjects of [[], ['cpu0'], ['CPU']])
      expect(readCollateral(withEntry(entriesOf(sev), id, { subjects }))).not.toHaveProperty(member)
    const { subjects: _, ...bare } = entryOf(entriesOf(sev), id)
    expect(readCollateral([bare])).toEqual({})
    expect(readCollateral(withEntry(entriesOf(sev), id, { subjects: ['gpu0', 'cpu'] }))).toHaveProperty(
      member,
    )
  })
})

describe('malformed entries', () => {
  test.each<[string, string, (old: JsonObject) => JsonObject]>([
    ['an unknown role', 'code', (old) => ({ ...old, role: 'advice' })],
    ['an empty ID', 'code', (old) => ({ ...old, id: '' })],
    ['an empty format', 'code', (old) => ({ ...old, format: '' })],
    ['data that is a list', 'code', (old) => ({ ...old, data: [] })],
    [
      'data of an unknown format that is a list',
      'code',
      (old) => ({ ...old, format: 'urn:other', data: [] }),
    ],
    ['a subject that is a number', 'cpu-crl', (old) => ({ ...old, subjects: [1] })],
    ['an empty subject', 'cpu-crl', (old) => ({ ...old, subjects: ['cpu', ''] })],
    ['a bundle that is a text', 'code-freshness', (old) => ({ ...old, data: { sigstore_bundle: 'x' } })],
  ])('%s', (_, id, change) => {
    const entries = entriesOf(sev)
    expect(refuses(entries.map((entry) => (entry['id'] === id ? change(entry) : entry)))).toBe(true)
  })

  test.each<[string, (pem: string) => string]>([
    ['one certificate', (pem) => pem.slice(0, pem.indexOf('-----END CERTIFICATE-----') + 26)],
    ['three certificates', (pem) => pem + pem.slice(pem.lastIndexOf('-----BEGIN'))],
    ['a text after them', (pem) => `${pem}text`],
    ['a text before them', (pem) => `text\n${pem}`],
    ['another block', (pem) => `${pem}-----BEGIN X-----\nAAAA\n-----END X-----\n`],
    ['nothing', () => ''],
  ])('a chain with %s', (_, change) => {
    const entries = entriesOf(sev).map((entry) =>
      entry['id'] === 'cpu-endorsement'
        ? isObject(edited(entry, ['data', 'cert_chain_pem'], (pem) => change(textOf(pem))))
        : entry,
    )
    expect(refuses(entries)).toBe(true)
  })

  test('a chain with white space after it is read', () => {
    const entries = entriesOf(sev)
    const spaced = entries.map((entry) =>
      entry['id'] === 'cpu-endorsement'
        ? isObject(edited(entry, ['data', 'cert_chain_pem'], (pem) => `${textOf(pem)} \n\n`))
        : entry,
    )
    expect(readCollateral(spaced)).toEqual(readCollateral(entries))
  })

  test.each<[string, JsonValue]>([
    ['a header in two spellings', { 'Tcb-Info-Issuer-Chain': ['x'], 'tcb-info-issuer-chain': ['y'] }],
    ['a header without a value', { a: [] }],
    ['a header that is a text', { a: 'x' }],
    ['no headers', []],
  ])('an answer of Intel’s with %s', (_, headers) => {
    const entries = entriesOf(tdx).map((entry) =>
      entry['id'] === 'cpu-endorsement'
        ? isObject(edited(entry, ['data', 'responses', 0, 'headers'], () => headers))
        : entry,
    )
    expect(refuses(entries)).toBe(true)
  })

  test('more entries than allowed', () => {
    const document = isObject(toJson(sev.mint().toString()))
    const collateral = Array.from({ length: 65 }, (_, index) => ({
      id: String(index),
      role: 'endorsement',
      format: 'urn:other',
      data: {},
    }))
    expect(sev.verify(Buffer.from(JSON.stringify({ ...document, collateral })))).toEqual({
      refused: 'v3/document envelope/malformed',
    })
  })
})
