import { strToU8, zipSync } from 'fflate'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readContent } from '../../src/renderer/features/chat/attachments/readers/read-content.ts'
import { UnreadableFile } from '../../src/renderer/features/chat/attachments/readers/unreadable-file.ts'
import { readImageSize } from '../../src/shared/image-size/read-image-size.ts'
import { zip64Of } from '../zip64.ts'
import { edited, edits, fuzz, parserRuns, readOrRefuse } from './hostile-bytes.ts'

/** No file takes longer, also on a slow computer. */
const MAX_MS = 10_000
/** A reader keeps the file, its unpacked text (at most 100 MB) and the result. In kilobytes, above what the process had before. */
const MAX_MEMORY_KB = 900_000

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': '<Types/>',
  'word/document.xml':
    '<w:document><w:p><w:t>Hello</w:t></w:p><w:tbl><w:tr><w:tc>x</w:tc></w:tr></w:tbl></w:document>',
  'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml': '<worksheet><row r="1"><c r="A1" t="s"><v>0</v></c></row></worksheet>',
  'xl/sharedStrings.xml': '<sst><si><t>x</t></si></sst>',
  'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
  'ppt/slides/slide1.xml': '<p:sld><a:p><a:t>Slide</a:t></a:p></p:sld>',
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml': '<office:document-content><text:p>Open</text:p></office:document-content>',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
  'a.opf':
    '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
  'a.xhtml': '<html><body><p>Book</p></body></html>',
}
const MARKUP = [
  '<w:p>',
  '</w:p>',
  '<w:tbl>',
  '<c t="s">',
  '<v>',
  '99999999',
  '<![CDATA[',
  '&#x10ffff;',
  '"',
  '<',
  '>',
  '<!--',
  ' ',
]

/** Some parts of documents, some of them with other markup, in an archive whose bytes may be changed. */
const archives = fc
  .record({
    names: fc.subarray(Object.keys(PARTS), { minLength: 1 }),
    markup: fc.array(fc.constantFrom(...MARKUP), { maxLength: 30 }),
    repeats: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 200, 2_000),
    at: fc.nat(12),
    wide: fc.boolean(),
    changes: fc.option(edits),
  })
  .map(({ names, markup, repeats, at, wide, changes }) => {
    const files = Object.fromEntries(
      names.map((name, index) => [
        name,
        index === at % names.length ? markup.join('').repeat(repeats) : (PARTS[name] ?? ''),
      ]),
    )
    const archive = wide
      ? zip64Of(files)
      : zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
    return changes ? edited(archive, changes) : archive
  })

function readInBounds(bytes: Uint8Array): void {
  const began = performance.now()
  readOrRefuse(() => readContent(bytes, 'x'), UnreadableFile)
  expect(performance.now() - began).toBeLessThan(MAX_MS)
}

it('reads or refuses any archive and office file by a code, in bounded time and memory', () => {
  const before = process.resourceUsage().maxRSS
  fc.assert(fc.property(archives, readInBounds), { numRuns: parserRuns })
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MAX_MEMORY_KB)
})

it('refuses archives that would fill the memory, in bounded memory', () => {
  const before = process.resourceUsage().maxRSS
  const space = new Uint8Array(60_000_000).fill(0x20)
  for (const name of ['word/document.xml', 'xl/sharedStrings.xml', 'content.xml', 'a.xhtml']) {
    const bomb = zipSync({
      ...Object.fromEntries(Object.keys(PARTS).map((part) => [part, strToU8(PARTS[part] ?? '')])),
      [name]: space,
    })
    readInBounds(bomb)
  }
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MAX_MEMORY_KB)
})

it('reads or refuses any other bytes as a text, in bounded time', () => {
  fuzz(strToU8('From: a@example.org\r\nMIME-Version: 1.0\r\n\r\nHello'), readInBounds)
  fuzz(strToU8('{\\rtf1\\ansi Hello {\\b bold}\\par}'), readInBounds)
  fuzz(strToU8('{"nbformat":4,"cells":[{"cell_type":"code","source":["a"],"outputs":[]}]}'), readInBounds)
})

it('finds a positive size or none in any header of an image', () => {
  const header = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAA=', 'base64')
  fuzz(header, (bytes) => {
    const { width, height } = readImageSize(bytes) ?? { width: 1, height: 1 }
    expect(Math.min(width, height)).toBeGreaterThan(0)
  })
})
