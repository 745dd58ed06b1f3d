import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeChosen, decodeText } from '../../../src/shared/text-encoding/decode-text.ts'
import { encode } from './encode.ts'

/** Encodings with texts as people write them there: a line of a table, a comment, a few sentences. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': [
    'Name;Ort;Preis\nMüller;Zürich;5,00 €\nGroß;Köln;7,50 €\n',
    'L’été dernier, nous avons visité « Château d’Eau » à Besançon – très beau…',
    'El niño comió piña mañana. ¿Cómo está usted? ¡Muy bien!',
    'São Paulo, coração e pão; não há informação',
    'Smörgåsbord på Öland: kött, fisk och sallad',
    'grün und blau',
    'Blåbærgrød og æbler på bordet',
  ],
  'windows-1251': [
    '// Автор: Иванов\nint main() { return 0; } // Привет, мир\n',
    'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    'Київ — столиця України. Їжак і ґанок',
    'ПРИВЕТ МИР',
    'Това е текст на български език',
  ],
  'koi8-r': ['Привет, мир! Это проверка кодировки.', 'Съешь же ещё этих мягких французских булок'],
  ibm866: ['Привет, мир! Это проверка кодировки текста.'],
  'iso-8859-5': ['Привет, мир! Это проверка кодировки текста.'],
  'x-mac-cyrillic': ['Привет, мир! Это проверка кодировки текста.'],
  'windows-1250': [
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    'Zażółć gęślą jaźń. Łódź i Kraków są piękne.',
    'Árvíztűrő tükörfúrógép',
  ],
  'iso-8859-2': ['Příliš žluťoučký kůň úpěl ďábelské ódy', 'Zażółć gęślą jaźń. Łódź i Kraków są piękne.'],
  'iso-8859-15': ["Prix;Œuvre\n5,00 €;Le cœur\n7,50 €;L'œil très ouvert\n"],
  'windows-1253': ['Καλημέρα κόσμε! Αυτό είναι ένα κείμενο στα ελληνικά.'],
  'iso-8859-7': ['Καλημέρα κόσμε! Αυτό είναι ένα κείμενο στα ελληνικά.'],
  'windows-1254': ['Türkçe bir metin: şeker, ığdır, İstanbul’da güneş ışığı'],
  'iso-8859-9': ['Türkçe bir metin: şeker, çağ, İstanbul güneş ışığı'],
  'windows-1255': ['שלום עולם, זה טקסט בעברית'],
  'windows-1256': ['مرحبا بالعالم، هذا نص باللغة العربية'],
  'iso-8859-6': ['مرحبا بالعالم، هذا نص باللغة العربية'],
  'windows-1257': ['Lietuvių kalba yra graži, žąsų šešėliai'],
  'windows-874': ['สวัสดีชาวโลก นี่คือข้อความภาษาไทย'],
  gbk: [
    '# 中文注释：计算价格\ndef f(x):\n    return x + 1\n',
    '姓名,城市,价格\n王小明,北京,五百元\n',
    '今天天气很好，我们去公园散步。',
  ],
  big5: ['今天天氣很好，我們去公園散步。', '姓名,城市,價格\n王小明,臺北,五百元\n'],
  'euc-jp': [
    '// 日本語のコメント\nint main(void) { return 0; }\n',
    '今日は天気がいいので、公園へ散歩に行きました。',
  ],
  shift_jis: [
    '// 日本語のコメント\nint main(void) { return 0; }\n',
    '今日は天気がいいので、公園へ散歩に行きました。',
    '名前,住所\n山田太郎,東京都\n',
  ],
  'euc-kr': [
    '// 한국어 주석입니다\n',
    '이름,도시,가격\n홍길동,서울,오백원\n',
    '오늘은 날씨가 좋아서 공원에 갔습니다.',
  ],
  macintosh: ['Name;Ort\rMüller;Zürich\rGroß;Köln', 'L’été à Besançon était très beau, garçon'],
}

describe.each(Object.entries(texts))('a text in %s', (encoding, examples) => {
  test.each(examples)('%s', (text) => {
    expect(decodeText(encode(text, encoding))?.text).toBe(text)
  })
  test('can be chosen', () => {
    for (const text of examples) expect(decodeChosen(encode(text, encoding), encoding)).toBe(text)
  })
})

const swapped = (bytes: Uint8Array, width: number) => {
  const copy = bytes.slice()
  for (let at = 0; at < copy.length; at += width) copy.subarray(at, at + width).reverse()
  return copy
}
const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'))
const utf32 = (text: string) =>
  Uint8Array.from(
    Array.from(text).flatMap((character) => [
      ...new Uint8Array(Uint32Array.of(character.codePointAt(0) ?? 0).buffer),
    ]),
  )

describe.each([
  'Name;Ort;Preis\nMüller;Zürich;5,00 €\n',
  '日本語の文章です',
  '今天天气很好，我们去公园散步。',
  'Привет, мир! Это проверка.',
  '이름, 도시 그리고 가격',
  '😀 hello world, ok',
])('UTF-16 and UTF-32, with and without a byte order mark: %s', (text) => {
  test.each([text, `\ufeff${text}`])('each byte order', (written) => {
    for (const bytes of [
      utf16(written),
      swapped(utf16(written), 2),
      utf32(written),
      swapped(utf32(written), 4),
    ])
      expect(decodeText(bytes)).toMatchObject({ text, sure: true })
  })
})

describe('a damaged text', () => {
  const lines = 'größer – 日本語\n'.repeat(50)
  const at = (bytes: Uint8Array, place: number, ...inserted: number[]) =>
    Uint8Array.from([...bytes.subarray(0, place), ...inserted, ...bytes.subarray(place)])

  test('one wrong byte is one wrong character', () => {
    const bytes = Buffer.from(lines)
    for (const byte of [0xe4, 0x80, 0xff]) {
      const read = decodeText(at(bytes, 300, byte))
      expect(read).toMatchObject({ encoding: 'utf-8', sure: true, repaired: { lines: 1 } })
      expect(read?.text.replace('\ufffd', '')).toBe(lines)
    }
  })
  test('a line of another encoding is read in it, and the others stay', () => {
    const read = decodeText(
      at(Buffer.from(lines), Buffer.from(lines).length, ...encode('späte Zeile für alle\n', 'windows-1252')),
    )
    expect(read?.text).toBe(`${lines}späte Zeile für alle\n`)
    expect(read?.repaired).toEqual({ lines: 1, legacy: 'windows-1252' })
  })
  test('a text that was cut within a character stays UTF-8', () => {
    expect(decodeText(Buffer.from(lines).subarray(0, -2))?.text.startsWith(lines.slice(0, -2))).toBe(true)
  })
  test('a null byte in a log is one wrong character', () => {
    expect(decodeText(at(Buffer.from(lines), 20, 0))?.text).toContain('größer')
  })
  test('colors and bells of a terminal are left out', () => {
    expect(decodeText(Buffer.from('\u001b[31mred\u001b[0m\u0007 x\u0008y\n'))?.text).toBe('red y\n')
  })
})

test('a short text in one of several encodings is a guess with others to choose from', () => {
  const read = decodeText(Uint8Array.of(0x61, 0xe6, 0x20, 0x62))
  expect(read).toMatchObject({ sure: false })
  expect(read?.others.length).toBeGreaterThan(2)
})

test('random bytes are no text, and never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 200, maxLength: 2_000 }), (bytes) => {
      const random = bytes.filter((byte) => byte > 0).length > 100 && new Set(bytes).size > 60
      if (random) expect(decodeText(bytes)).toBeNull()
    }),
  )
})

test.each([
  ['a word in KOI8-U', [0xb7, 0xd6, 0xc1, 0xcb]],
  ['two characters in GBK', [0xc4, 0xe3, 0xba, 0xc3]],
])('%s is a guess, because few bytes fit many encodings', (_, bytes) => {
  expect(decodeText(Uint8Array.from(bytes))?.sure ?? false).toBe(false)
})

describe.each(['Hi', 'Да', 'Привет', 'Привет Мир', '你好世界', '日本語', '한국어', 'Γειά', 'שלום', 'OK\n'])(
  'short UTF-16 without a byte order mark: %s',
  (text) => {
    test.each([
      ['little-endian', utf16(text)],
      ['big-endian', swapped(utf16(text), 2)],
    ])('%s is read or offered', (_, bytes) => {
      const read = decodeText(bytes)
      const forms = [read?.encoding, ...(read?.others ?? [])].filter((form) => form?.startsWith('utf-16'))
      expect(forms.map((form) => decodeChosen(bytes, form ?? ''))).toContain(text)
      if (read?.text !== text) expect(read?.sure).toBe(false)
    })
  },
)

test.each(['Да', 'Γειά', '你好世界'])('%s in UTF-16 without a mark is marked as a guess', (text) => {
  expect(decodeText(utf16(text))?.sure ?? false).toBe(false)
})

test.each([
  ['counters', [1, 0, 2, 0, 3, 0]],
  ['pointers', [0x10, 0x20, 0x30, 0x7f, 0, 0, 0, 0]],
  ['an odd number of bytes', [0x48, 0, 0x69, 0, 0x21]],
  ['private characters', [0x01, 0xe0, 0x02, 0xe0]],
])('%s are no UTF-16', (_, bytes) => expect(decodeText(Uint8Array.from(bytes))).toBeNull())
