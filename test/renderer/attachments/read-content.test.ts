import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { zip64Of } from '../../zip64.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import { readContent } from '../../../src/renderer/files/readers/read-content.ts'
import { UnreadableFile } from '../../../src/renderer/files/readers/unreadable-file.ts'
import { encode } from '../../shared/text-encoding/encode.ts'

const fileCase = (name: string) => readFileSync(join(import.meta.dirname, 'cases', name))

function refusal(bytes: Uint8Array, name = 'file'): string {
  try {
    readContent(bytes, name)
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return `${thrown.code} ${renderEnglish(thrown.detail)}`.trim()
    throw thrown
  }
  return 'read'
}

describe('sample files', () => {
  test.each([
    ['cp1251.c', '// Автор: Иванов\n'],
    ['cp1252.csv', 'Müller;Zürich;5,00 €\nGroß;Köln;7,50 €\n'],
    ['latin1.csv', 'Müller;Zürich;5,00 EUR\nGroß;Köln;7,50 EUR\n'],
    ['eucjp.c', '// 日本語のコメント\n'],
    ['sjis.c', '// 日本語のコメント\n'],
    ['gbk.py', '# 中文注释：计算价格\n'],
    ['utf16-nobom.txt', 'Müller;Zürich;5,00 €\n'],
    ['utf16be.txt', 'Müller;Zürich;5,00 €\n'],
    ['utf16le.csv', 'Müller;Zürich;5,00 €\n'],
    ['utf8bom.csv', 'Müller;Zürich;5,00 €\n'],
    ['mixed.log', 'späte Zeile ü'],
    ['ansi.log', 'red\nred\n'],
    ['Makefile', ''],
    ['noext', ''],
    ['data.jsonl', '{"a":1}\n'],
    ['note.ipynb', '[Code]\nprint(1)\n[Output]\n[Picture: image/png]'],
    ['report.docx', 'Hello docx'],
    ['a.zip', 'Hello docx'],
    ['book.epub', 'Hi'],
    ['text.odt', 'Hi'],
  ])('%s', (name, content) => {
    const { text } = readContent(fileCase(name), name)
    expect(text).toContain(content)
    expect(text).not.toContain('\ufffd')
  })

  test.each(['export const x = 1\n', '<html><body><script>alert(1)</script><p>Hi</p></body></html>'])(
    'source code is attached as it is: %s',
    (source) => expect(readContent(Buffer.from(source), 'source').text).toBe(source),
  )

  test('with one line that isn’t UTF-8 keep the other lines', () => {
    const { text, encoding } = readContent(fileCase('mixed.log'), 'mixed.log')
    expect(text).toMatch(/^ok line\n/)
    expect(text).toContain('späte Zeile ü')
    expect(encoding).toBeDefined()
  })

  test.each([
    ['doc.doc', 'attachment/binary This is a Word 97–2003 document.'],
    ['msg.msg', 'attachment/binary This is an Outlook message.'],
    ['sheet.xlsx', 'attachment/document-no-text'],
    ['slides.pptx', 'attachment/document-no-text'],
  ])('%s is refused with its file type', (name, named) => {
    expect(refusal(fileCase(name), name)).toBe(named)
  })
})

const zip = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
const read = (files: Readonly<Record<string, string>>) => readContent(zip(files), 'x').text

describe('a document', () => {
  test('of Word includes headings, lists, tables and notes', () => {
    const p = (text: string, style = '') =>
      `<w:p>${style}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
    const cell = (text: string) => `<w:tc>${p(text)}</w:tc>`
    const body = `${p('Title', '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>')}${p('A &amp; B &#8364;')}${p('item', '<w:pPr><w:numPr/></w:pPr>')}<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p><w:tbl><w:tr>${cell('Name')}${cell('Price')}</w:tr><w:tr>${cell('Tea|Cup')}${cell('5 €')}</w:tr></w:tbl>${p('end')}`
    expect(
      read({
        '[Content_Types].xml': '<Types/>',
        'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
        'word/footnotes.xml': `<w:footnotes xmlns:w="x">${p('a note')}</w:footnotes>`,
      }),
    ).toBe(
      '# Title\nA & B €\n- item\none\ttwo\n\n| Name | Price |\n| --- | --- |\n| Tea\\|Cup | 5 € |\n\nend\n\n[footnotes]\na note',
    )
  })

  test('of Word includes its headers and footers once', () => {
    const p = (text: string) => `<w:p><w:t>${text}</w:t></w:p>`
    expect(
      read({
        'word/header1.xml': p('head'),
        'word/header2.xml': p('head'),
        'word/footer1.xml': p('foot'),
        'word/document.xml': `<w:document>${p('head')}</w:document>`,
      }),
    ).toBe('head\n\n[header1]\nhead\n\n[footer1]\nfoot')
  })

  test('of Excel includes each sheet with its rows, values and dates', () => {
    expect(
      read({
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><sheets><sheet name="Prices &amp; more" sheetId="1" r:id="rId1"/><sheet name="Empty" sheetId="2" r:id="rId2"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
        'xl/sharedStrings.xml':
          '<sst><si><t>Name</t></si><si><r><t>Tea, </t></r><r><t>green</t></r><rPh><t>x</t></rPh></si></sst>',
        'xl/styles.xml':
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        'xl/worksheets/sheet1.xml':
          '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Day</t></is></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1+1</f><v>2</v></c><c r="C2" s="1"><v>45292</v></c></row></sheetData></worksheet>',
        'xl/worksheets/sheet2.xml': '<worksheet><sheetData/></worksheet>',
      }),
    ).toBe('[Sheet Prices & more]\nName,,Day\n"Tea, green",2,2024-01-01')
  })

  test('of Word in any language has headings by the names of their styles', () => {
    const style = (id: string, name: string) =>
      `<w:style w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
    const p = (id: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>${id}</w:t></w:r></w:p>`
    expect(
      read({
        'word/styles.xml': `<w:styles>${style('berschrift1', 'heading 1')}${style('2', 'Heading 2')}${style('Standard', 'Normal')}</w:styles>`,
        'word/document.xml': `<w:document>${p('berschrift1')}${p('2')}${p('Standard')}</w:document>`,
      }),
    ).toBe('# berschrift1\n\n## 2\nStandard')
  })

  test('of Excel has dates in East Asian and Thai formats, and numbers without binary noise', () => {
    const cell = (style: number, value: string) => `<c s="${String(style)}"><v>${value}</v></c>`
    const cells = [cell(0, '0.30000000000000004'), ...[1, 2, 3, 4].map((style) => cell(style, '45292'))]
    expect(
      read({
        'xl/workbook.xml': '<workbook/>',
        'xl/styles.xml': `<styleSheet><cellXfs>${[0, 31, 57, 70, 62].map((id) => `<xf numFmtId="${String(id)}"/>`).join('')}</cellXfs></styleSheet>`,
        'xl/worksheets/a.xml': `<worksheet><sheetData><row>${cells.join('')}</row></sheetData></worksheet>`,
      }),
    ).toBe('[Sheet a]\n0.3,2024-01-01,2024-01-01,2024-01-01,45292')
  })

  test('of PowerPoint includes its slides in order, with tables and notes', () => {
    const slide = (text: string) => `<p:sld xmlns:a="a"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`
    expect(
      read({
        'ppt/presentation.xml':
          '<p:presentation><p:sldIdLst><p:sldId id="1" r:id="b"/><p:sldId id="2" r:id="a"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels':
          '<Relationships><Relationship Id="a" Target="slides/slide1.xml"/><Relationship Id="b" Target="slides/slide2.xml"/></Relationships>',
        'ppt/slides/slide1.xml': slide('second'),
        'ppt/slides/slide2.xml': slide('first'),
        'ppt/slides/_rels/slide2.xml.rels':
          '<Relationships><Relationship Id="n" Target="../notesSlides/notesSlide1.xml"/></Relationships>',
        'ppt/notesSlides/notesSlide1.xml': slide('say hello'),
      }),
    ).toBe('[Slide 1]\nfirst\n\n[Notes]\nsay hello\n\n[Slide 2]\nsecond')
  })

  test('of OpenDocument includes its paragraphs, or the rows of a spreadsheet', () => {
    expect(
      read({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml':
          '<office:body><text:h text:outline-level="2">Head</text:h><text:p>one<text:s text:c="2"/>two</text:p><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></office:body>',
      }),
    ).toBe('## Head\none  two\n\n| a | b |\n| --- | --- |')
    expect(
      read({
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml':
          '<table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell table:number-columns-repeated="2"><text:p>b</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>',
      }),
    ).toBe('[Sheet S]\na,,,b,b')
    expect(
      read({
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml':
          '<table:table table:name="S"><table:table-row><table:table-cell office:value="5"/><table:table-cell office:value="0.5"><text:p>50%</text:p></table:table-cell><table:table-cell office:date-value="2024-01-01"/></table:table-row></table:table>',
      }),
    ).toBe('[Sheet S]\n5,50%,2024-01-01')
    expect(
      refusal(
        zip({
          mimetype: 'application/vnd.oasis.opendocument.text',
          'content.xml': 'x',
          'META-INF/manifest.xml': '<manifest:encryption-data/>',
        }),
      ),
    ).toBe('attachment/binary This is a password-protected document.')
  })

  test('of EPUB includes its chapters in the order of the spine', () => {
    expect(
      read({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        'OEBPS/book.opf':
          '<package><manifest><item id="b" href="b%20b.xhtml"/><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
        'OEBPS/a.xhtml':
          '<html><head><title>no</title></head><body><h1>Two</h1><p>Caf&eacute; and\n rest</p></body></html>',
        'OEBPS/b b.xhtml': '<html><body><script>if (a < b) {}</script><p>One<br/>more</p></body></html>',
      }),
    ).toBe('One\nmore\n\n# Two\nCaf&eacute; and rest')
  })

  test('that is another kind of archive is refused with its file type', () => {
    expect(refusal(zip({ 'a.txt': 'x' }))).toBe('attachment/binary This is an archive.')
    expect(refusal(zip({ 'Index/Document.iwa': 'x' }))).toBe(
      'attachment/binary This is an Apple iWork document.',
    )
    expect(refusal(Buffer.from('PK\x03\x04 and nothing more', 'latin1'))).toBe('attachment/document-damaged')
    const ole = (stream: string) => Buffer.concat([fileCase('doc.doc'), Buffer.from(stream, 'utf16le')])
    expect(refusal(ole('WordDocument'), 'x')).toBe('attachment/binary This is a Word 97–2003 document.')
    expect(refusal(ole('Workbook'), 'x.doc')).toBe('attachment/binary This is an Excel 97–2003 workbook.')
    expect(refusal(ole('EncryptedPackage'), 'x.docx')).toBe(
      'attachment/binary This is a password-protected Office document.',
    )
  })
})

describe('a ZIP64 archive', () => {
  const document = {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': '<w:p><w:t>Hello wide</w:t></w:p>',
  }

  test.each([0, 8])('is read like any other, with method %d', (method) => {
    expect(readContent(zip64Of(document, { method }), 'x').text).toBe('Hello wide')
    expect(refusal(zip64Of({ 'a.txt': 'x' }, { method }))).toBe('attachment/binary This is an archive.')
  })

  test('that is encrypted or has an unknown compression is refused with the reason', () => {
    expect(refusal(zip64Of(document, { flags: 1 }))).toBe(
      'attachment/binary This is a password-protected document.',
    )
    expect(refusal(zip64Of(document, { method: 93 }))).toBe(
      'attachment/binary This archive uses an unknown compression method.',
    )
  })

  test.each([
    // The end of the directory is 22 bytes, the locator before it 20, and the larger end before that 56.
    ['the number of its entries', -98 + 32, 'attachment/document-too-large'],
    ['the place of its directory', -98 + 48, 'attachment/document-damaged'],
    ['the place of the end of its directory', -42 + 8, 'attachment/document-damaged'],
  ])('with a false number for %s is refused', (_, at, code) => {
    for (const value of [0xffff_ffff_ffff_ffffn, 0x7fff_ffff_ffff_fff0n, 1_000_000n]) {
      const archive = zip64Of(document)
      archive.writeBigUInt64LE(value, archive.length + at)
      expect(refusal(archive)).toBe(code)
    }
  })

  test('with a wrong size or offset of an entry is refused, without allocating memory for it', () => {
    const archive = zip64Of(document)
    const directory = Number(archive.readBigUInt64LE(archive.length - 98 + 48))
    // Behind the name of the first entry and a field of 5 bytes: the header of the field, and three numbers.
    const field = directory + 46 + '[Content_Types].xml'.length + 5 + 4
    const second = field + 24 + 46 + 'word/document.xml'.length + 5 + 4
    for (const at of [8, 16]) {
      const changed = Buffer.from(archive)
      changed.writeBigUInt64LE(0x7fff_ffff_ffffn, second + at)
      expect(refusal(changed)).toBe('attachment/document-damaged')
    }
    const unpacked = Buffer.from(archive)
    unpacked.writeBigUInt64LE(0x7fff_ffff_ffffn, second)
    expect(readContent(unpacked, 'x').text).toBe('Hello wide')
  })
})

describe('a hostile archive', () => {
  test('that would fill the memory is refused', () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(60_000_000).fill(0x20) }, { level: 9 })
    expect(bomb.length).toBeLessThan(100_000)
    expect(refusal(bomb)).toBe('attachment/document-too-large')
    const cells = '<c t="s"><v>0</v></c>'.repeat(2_000)
    const many = zip({
      'xl/workbook.xml': '<workbook/>',
      'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(3_000_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><row>${cells}</row></worksheet>`,
    })
    expect(refusal(many)).toBe('attachment/too-large')
    expect(refusal(zip({ 'word/document.xml': '<a>'.repeat(5_000) }))).toBe('attachment/document-damaged')
    expect(
      refusal(zip(Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [String(at), ''])))),
    ).toBe('attachment/document-too-large')
  })

  test('of any bytes, or any change of a valid one, is read or refused with a code, in bounded time', () => {
    const good = zip({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml':
        '<w:document><w:p><w:t>Hello</w:t></w:p><w:tbl><w:tr><w:tc>x</w:tc></w:tr></w:tbl></w:document>',
    })
    const changed = fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const copy = good.slice()
        for (const [at, byte] of changes) copy[at] = byte
        return copy
      })
    const markup = fc
      .array(
        fc.constantFrom(
          '<w:p>',
          '</w:p>',
          '<w:tbl>',
          '</w:tc>',
          '<w:tc>',
          '<w:tr>',
          '</w:tbl>',
          '<![CDATA[',
          '&#x10ffff;',
          '"',
          '<',
          '>',
          '<!--',
          'x',
        ),
        { maxLength: 80 },
      )
      .map((parts) => zip({ 'word/document.xml': parts.join('') }))
    fc.assert(
      fc.property(
        fc.oneof(
          changed,
          markup,
          fc.uint8Array({ maxLength: 400 }).map((bytes) => Uint8Array.of(0x50, 0x4b, 3, 4, ...bytes)),
        ),
        (bytes) => {
          const began = performance.now()
          refusal(bytes)
          expect(performance.now() - began).toBeLessThan(5_000)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('formatted text', () => {
  test('of a mail includes its headers and text, each part in its encoding', () => {
    const mail = Buffer.concat([
      Buffer.from(
        'From: =?utf-8?B?TcO8bGxlcg==?= <m@example.org>\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=windows-1251\r\n\r\n',
      ),
      encode('Привет', 'windows-1251'),
      Buffer.from(
        '\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>soft=\r\n ware =E2=82=AC</p>\r\n--b\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n',
      ),
    ])
    expect(readContent(mail, 'x.eml').text).toBe(
      'From: Müller <m@example.org>\nSubject: Grüße\n\nПривет\n\nsoft ware €\n\n[Attachment: a.pdf]',
    )
  })

  test('of RTF is read in its code page and in Unicode', () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0 Hello \'cf\'f0\'e8 {\b bold}\par \u8364? 5\line a\~b \{x\}}`
    expect(readContent(Buffer.from(rtf), 'x.rtf').text).toBe('Hello При bold\n€ 5\na\u00a0b {x}')
    // As TextEdit writes it.
    for (const end of ['\n', '\r\n'])
      expect(
        readContent(Buffer.from(`{\\rtf1\\ansi First\\${end}Second\\${end}\\${end}e\\_mail}`), 'x.rtf').text,
      ).toBe('First\nSecond\n\ne\u2011mail')
  })
})

test('a notebook includes the errors and HTML of its outputs', () => {
  const outputs = [
    { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: [] },
    { output_type: 'display_data', data: { 'text/html': ['<table><tr><td>a</td></tr></table>'] } },
  ]
  const notebook = { nbformat: 4, cells: [{ cell_type: 'code', source: ['f()'], outputs }] }
  expect(readContent(Buffer.from(JSON.stringify(notebook)), 'x.ipynb').text).toBe(
    '[Code]\nf()\n[Output]\nValueError: bad\n| a |\n| --- |',
  )
})

test('each mail of a mailbox is read', () => {
  const mail = (subject: string) =>
    `From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\nFrom here on\n\n`
  expect(readContent(Buffer.from(mail('One') + mail('Two')), 'inbox').text).toBe(
    ['One', 'Two']
      .map((subject) => `From: a@b.example\nSubject: ${subject}\n\nGrüße\nFrom here on`)
      .join('\n\n---\n\n'),
  )
})
