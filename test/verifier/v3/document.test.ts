import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  MAX_V3_BYTES,
  readV3Document,
  V3DocumentError,
  type V3Document,
} from '../../../src/verifier/v3/document.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import { createEnclave, NONCE, platforms } from './verified-documents.ts'
import {
  duplicated,
  edited,
  escaped,
  extended,
  inAnotherCase,
  memberPaths,
  objectPaths,
  ofAnotherType,
  replaced,
  textOf,
  toJson,
  valueAt,
  without,
  type Path,
} from './json-edits.ts'

const documents = new Map<string, JsonValue>()
beforeAll(async () => {
  for (const platform of platforms)
    documents.set(platform, toJson((await createEnclave(platform)).mint().toString()))
})
function good(platform: (typeof platforms)[number] = 'sev-snp'): JsonValue {
  return documents.get(platform) ?? null
}

/** The code of the refusal, or `good`. */
function codeOf(document: JsonValue | Uint8Array): string {
  const bytes = document instanceof Uint8Array ? document : Buffer.from(JSON.stringify(document))
  try {
    readV3Document(bytes)
    return 'good'
  } catch (error) {
    if (error instanceof V3DocumentError) return error.code
    throw error
  }
}

const isAt = (path: Path, ...start: readonly (string | number)[]) =>
  start.every((key, index) => path[index] === key)
/** Sigstore bundles are read by their own reader, and headers may have any names. */
const isFree = (path: Path) => path.includes('sigstore_bundle') || path.includes('headers')

/** The code for a fault at a path. */
function codeAt(path: Path): string {
  return isAt(path, 'collateral') && path.length > 1 ? 'envelope/malformed-collateral' : 'envelope/malformed'
}

/** Members at any level, without those of Sigstore bundles. */
const members = (document: JsonValue) => memberPaths(document).filter((path) => !isFree(path.slice(0, -1)))

describe.each(platforms)('a document of %s', (platform) => {
  test('is read', () => {
    const document: V3Document = readV3Document(Buffer.from(JSON.stringify(good(platform))))
    expect(document).toMatchObject({
      nonce: NONCE.toString('hex'),
      platform: platform === 'tdx' ? 'tdx' : 'sevSnp',
      devices: [],
    })
    expect(document.keys.map(({ id }) => id)).toEqual(['tls', 'hpke'])
    expect(Object.keys(document.collateral).sort()).toEqual(
      [
        ...(platform === 'tdx' ? [] : ['amdCrl']),
        'code',
        'codeFreshness',
        ...(platform === 'tdx' ? ['intelPcs'] : []),
        'platform',
        'platformFreshness',
        ...(platform === 'tdx' ? [] : ['vcek']),
      ].sort(),
    )
  })

  test('lacks no member, none is null, and none is of another type', () => {
    const document = good(platform)
    for (const path of members(document)) {
      const at = path.join('.')
      const code = codeAt(path)
      const optional = path.at(-1) === 'subjects'
      expect([at, codeOf(without(document, path))]).toEqual([at, optional ? 'good' : code])
      expect([at, codeOf(replaced(document, path, null))]).toEqual([at, code])
      expect([at, codeOf(replaced(document, path, ofAnotherType(valueAt(document, path))))]).toEqual([
        at,
        code,
      ])
    }
  })

  test('has no member twice, however the second name is written', () => {
    const document = good(platform)
    // Also inside Sigstore bundles.
    const paths = memberPaths(document)
    expect(paths.length).toBeGreaterThan(60)
    for (const path of paths) {
      for (const name of [undefined, escaped])
        expect([path.join('.'), codeOf(Buffer.from(duplicated(document, path, name)))]).toEqual([
          path.join('.'),
          'envelope/malformed',
        ])
    }
  })

  test('has no unknown member, nor a known one in another case', () => {
    const document = good(platform)
    for (const path of objectPaths(document).filter((at) => !isFree(at))) {
      const names = Object.keys(Object(valueAt(document, path)) as object)
      for (const name of ['extra', '', 'constructor', inAnotherCase(names[0] ?? 'format')]) {
        const at = [...path, name]
        expect([at.join('.'), codeOf(extended(document, path, { [name]: 'x' }))]).toEqual([
          at.join('.'),
          codeAt(path),
        ])
      }
    }
  })

  test('has no member __proto__ at any level', () => {
    const text = JSON.stringify(good(platform))
    const at = [...text.matchAll(/\{"/g)].map(({ index }) => index)
    for (const index of at) {
      for (const name of ['__proto__', '\\u005f_proto__']) {
        const hidden = `${text.slice(0, index + 1)}"${name}":{},${text.slice(index + 1)}`
        expect(codeOf(Buffer.from(hidden))).toBe('envelope/malformed')
      }
    }
  })
})

describe('the text', () => {
  const text = () => JSON.stringify(good())

  test.each<[string, () => Uint8Array]>([
    ['nothing', () => Buffer.alloc(0)],
    ['null', () => Buffer.from('null')],
    ['an array', () => Buffer.from(`[${text()}]`)],
    ['a byte order mark', () => Buffer.from(`\ufeff${text()}`)],
    ['UTF-16', () => Buffer.from(text(), 'utf16le')],
    ['a second value', () => Buffer.from(`${text()}{}`)],
    ['a zero byte at the end', () => Buffer.from(`${text()}\0`)],
    ['white space that isn’t JSON’s', () => Buffer.from(`${text()}\u00a0`)],
    ['a comment', () => Buffer.from(`${text()}//`)],
    ['a comma before the end', () => Buffer.from(`${text().slice(0, -1)},}`)],
    [
      'a byte that isn’t UTF-8',
      () => Buffer.concat([Buffer.from(text().slice(0, -2)), Buffer.of(0xff), Buffer.from('}')]),
    ],
    [
      'an overlong form of UTF-8',
      () =>
        Buffer.from(Buffer.from(text()).toString('latin1').replace('"nonce"', '"non\xc1\xa3e"'), 'latin1'),
    ],
    [
      'a surrogate in UTF-8',
      () => Buffer.from(Buffer.from(text()).toString('latin1').replace('cpu-crl', '\xed\xa0\x80'), 'latin1'),
    ],
    ['half a surrogate pair in a value', () => Buffer.from(text().replace('"cpu-crl"', '"\\ud800"'))],
    ['half a surrogate pair in a name', () => Buffer.from(text().replace('"mediaType"', '"\\udc00"'))],
    ['more bytes than allowed', () => Buffer.from(text() + ' '.repeat(MAX_V3_BYTES))],
    [
      'deep nesting',
      () =>
        Buffer.from(
          text().replace('"mediaType":', `"deep":${'['.repeat(5000)}${']'.repeat(5000)},"mediaType":`),
        ),
    ],
  ])('%s is refused', (_, bytes) => {
    expect(codeOf(bytes())).toBe('envelope/malformed')
  })

  test('may have white space around and between', () => {
    expect(codeOf(Buffer.from(` \r\n${text()}\t \n`))).toBe('good')
    expect(codeOf(Buffer.from(JSON.stringify(good(), undefined, 2)))).toBe('good')
  })

  test('that is any bytes is refused, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(codeOf(bytes)).toBe('envelope/malformed')
      }),
      { numRuns: 100 },
    )
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(codeOf(Buffer.from(json))).toMatch(/^envelope\//)
      }),
      { numRuns: 100 },
    )
  })
})

describe('formats', () => {
  test.each<[string, Path, string, string]>([
    [
      'document v2',
      ['format'],
      'https://tinfoil.sh/predicate/sev-snp-guest/v2',
      'envelope/unsupported-format',
    ],
    ['document v4', ['format'], 'https://tinfoil.sh/predicate/attestation/v4', 'envelope/unsupported-format'],
    [
      'the format with a slash',
      ['format'],
      'https://tinfoil.sh/predicate/attestation/v3/',
      'envelope/unsupported-format',
    ],
    ['no format', ['format'], '', 'envelope/unsupported-format'],
    [
      'another way to compute the report data',
      ['challenge', 'report_data_algorithm'],
      'https://tinfoil.sh/report-data/v2',
      'envelope/unsupported-format',
    ],
    [
      'another platform',
      ['cpu_evidence', 'format'],
      'https://tinfoil.sh/format/nitro/v1',
      'envelope/unsupported-format',
    ],
    [
      'the next version of the report',
      ['cpu_evidence', 'format'],
      'https://tinfoil.sh/format/sev-snp-report/v2',
      'envelope/unsupported-format',
    ],
  ])('%s', (_, path, format, code) => {
    expect(codeOf(replaced(good(), path, format))).toBe(code)
  })

  test('the members of June 2026 have a code of their own', () => {
    const keys = { tls_key_fp: 'ab'.repeat(32), hpke_key: 'cd'.repeat(32), nonce: NONCE.toString('hex') }
    const former = {
      format: 'https://tinfoil.sh/predicate/attestation/v3',
      report_data: keys,
      cpu: { platform: 'sev-snp', report: 'AA==' },
      certificate: '',
      signature: '',
    }
    expect(codeOf(former)).toBe('envelope/superseded-v3')
    expect(codeOf({ ...former, report_data: 'x' })).toBe('envelope/malformed')
  })
})

/** Each member in hex, and each in base64. */
const hexPaths: readonly Path[] = [
  ['challenge', 'nonce'],
  ['challenge', 'report_data'],
  ['cpu_evidence', 'endorsed', 'crypto_material_hash'],
  ['cpu_evidence', 'endorsed', 'device_evidence_hash'],
]
const base64Paths: readonly Path[] = [
  ['cpu_evidence', 'report_base64'],
  ['crypto_material'],
  ['device_evidence'],
  ['collateral', 0, 'data', 'vcek_der_base64'],
  ['collateral', 1, 'data', 'crl_der_base64'],
]

describe('values', () => {
  const string = (change: (old: string) => string) => (old: JsonValue) => change(textOf(old))

  test.each<[string, (old: string) => string]>([
    ['upper case', () => 'AB'.repeat(32)],
    ['one digit less', (old) => old.slice(1)],
    ['one byte less', (old) => old.slice(2)],
    ['one byte more', (old) => `${old}00`],
    ['a prefix', (old) => `0x${old.slice(2)}`],
    ['a line break', (old) => `${old}\n`],
    ['another letter', (old) => `g${old.slice(1)}`],
    ['a digit of another script', (old) => `٣${old.slice(1)}`],
    ['nothing', () => ''],
  ])('hex with %s is refused', (_, change) => {
    for (const path of hexPaths)
      expect(
        codeOf(
          edited(
            good(),
            path,
            string((old) => (change(old) === 'AB'.repeat(32) ? old.replace(/^../, 'AB') : change(old))),
          ),
        ),
      ).toBe('envelope/malformed')
    expect(
      codeOf(
        edited(
          good(),
          ['collateral', 2, 'data', 'digest'],
          string((old) => (change(old) === 'AB'.repeat(32) ? old.replace(/^../, 'AB') : change(old))),
        ),
      ),
    ).toBe('envelope/malformed-collateral')
  })

  test.each<[string, (bytes: Buffer) => string]>([
    [
      'a line break',
      (bytes) =>
        bytes
          .toString('base64')
          .replace(/^.{76}/, '$&\n')
          .concat('\n'),
    ],
    [
      'no pad',
      (bytes) =>
        Buffer.concat([bytes, Buffer.of(1)].slice(0, bytes.length % 3 === 0 ? 2 : 1))
          .toString('base64')
          .replace(/=+$/, ''),
    ],
    [
      'the alphabet of URLs',
      (bytes) =>
        Buffer.concat([Buffer.of(0xfb, 0xff, 0xfe), bytes])
          .toString('base64')
          .replaceAll('+', '-')
          .replaceAll('/', '_'),
    ],
    ['stray bits before the pad', () => 'AB=='],
    ['a pad too many', () => 'AAAA===='],
    ['a pad in the middle', (bytes) => `AA==${bytes.toString('base64')}`],
    ['a space', (bytes) => ` ${bytes.toString('base64')}`],
    ['a letter that isn’t in the alphabet', () => 'AA*A'],
  ])('base64 with %s is refused', (_, write) => {
    for (const path of base64Paths)
      expect(
        codeOf(
          edited(
            good(),
            path,
            string((old) => write(Buffer.from(old, 'base64'))),
          ),
        ),
      ).toBe(codeAt(path))
  })

  test('a report over the limit is refused', () => {
    expect(
      codeOf(
        replaced(good(), ['cpu_evidence', 'report_base64'], Buffer.alloc(16 * 1024 + 3).toString('base64')),
      ),
    ).toBe('envelope/malformed')
  })
})

describe('sections', () => {
  const section = (name: 'crypto_material' | 'device_evidence', text: string | Uint8Array) =>
    codeOf(replaced(good(), [name], Buffer.from(text).toString('base64')))
  const TLS = { id: 'tls', format: 'https://tinfoil.sh/key/spki-fp-sha256/v1', data: 'ab'.repeat(32) }
  const GPU = {
    id: 'gpu0',
    kind: 'gpu',
    vendor: 'nvidia',
    format: 'https://tinfoil.sh/format/nvidia-gpu-evidence/v1',
    evidence: { arch: 'HOPPER', levels: [1, { a: null }] },
  }
  const sections = [
    ['crypto_material', { format: 'https://tinfoil.sh/crypto-material/v1', items: [TLS] }],
    ['device_evidence', { format: 'https://tinfoil.sh/device-evidence/v1', items: [GPU] }],
  ] as const

  test.each(sections)('%s: each member is required, of its type, there once and known', (name, value) => {
    expect(section(name, JSON.stringify(value))).toBe('good')
    const json = toJson(value)
    const evidence = (path: Path) => path.includes('evidence')
    for (const path of memberPaths(json)) {
      if (!evidence(path)) {
        expect(section(name, JSON.stringify(replaced(json, path, null)))).toBe('envelope/malformed-section')
        expect(section(name, JSON.stringify(replaced(json, path, ofAnotherType(valueAt(json, path)))))).toBe(
          'envelope/malformed-section',
        )
      }
      if (!evidence(path) || path.at(-1) === 'evidence')
        expect(section(name, JSON.stringify(without(json, path)))).toBe('envelope/malformed-section')
      for (const spelling of [undefined, escaped])
        expect(section(name, duplicated(json, path, spelling))).toBe('envelope/malformed-section')
    }
    for (const path of objectPaths(json).filter((at) => !evidence(at))) {
      for (const member of [{ extra: 1 }, { Format: 'x' }])
        expect(section(name, JSON.stringify(extended(json, path, member)))).toBe('envelope/malformed-section')
    }
  })

  test.each(sections)('%s: other texts are refused', (name, value) => {
    const text = JSON.stringify(value)
    for (const other of [
      '',
      'null',
      `${text}{}`,
      `\ufeff${text}`,
      text.replace('/v1"', '/v2"'),
      text.replace('"items"', '"__proto__":{},"items"'),
      text.replace(/"id":"\w+"/, '"id":"\\ud800"'),
      text.replace(/"id":"\w+"/, '"id":""'),
    ]) {
      expect([other, section(name, other)]).toEqual([other, 'envelope/malformed-section'])
    }
    expect(section(name, Buffer.concat([Buffer.from(text), Buffer.of(0xc0)]))).toBe(
      'envelope/malformed-section',
    )
    expect(section(name, `${text}\n`)).toBe('good')
  })

  test.each(sections)('%s: an ID is there once', (name, { format, items: [item] }) => {
    expect(section(name, JSON.stringify({ format, items: [item, item] }))).toBe('envelope/malformed-section')
    expect(section(name, JSON.stringify({ format, items: [item, { ...item, id: 'other' }] }))).toBe('good')
    expect(
      section(
        name,
        JSON.stringify({
          format,
          items: Array.from({ length: 65 }, (_, index) => ({ ...item, id: String(index) })),
        }),
      ),
    ).toBe('envelope/malformed-section')
  })

  test.each([[null], [true], ['text'], [1.5], [[]], [{}]])('a device’s evidence can be %j', (evidence) => {
    expect(
      section(
        'device_evidence',
        JSON.stringify({ format: 'https://tinfoil.sh/device-evidence/v1', items: [{ ...GPU, evidence }] }),
      ),
    ).toBe('good')
  })
})
