import { strToU8, zipSync } from 'fflate'
import fc from 'fast-check'
import { zip64Of } from '../zip64.ts'
import { edited, edits } from './hostile-bytes.ts'

/** One part of each kind of document. */
export const PARTS: Readonly<Record<string, string>> = {
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
/** Chats of an export, whole and broken. */
const CHATS = ['[{"messages":[{"role":"user","content":"Q"}]}]', '[', ']', '{"mapping":{}}', '\0', '\ufeff']

/** Small inputs are fast, so most of them are small. The large ones show that time and memory are bounded. */
const repetitions = fc.oneof(
  { weight: 94, arbitrary: fc.constant(1) },
  { weight: 5, arbitrary: fc.constant(200) },
  { weight: 1, arbitrary: fc.constant(2_000) },
)

/** Archives of some of these files, one of them with other content; the bytes of half of them are changed. */
function archivesOf(
  genuine: Readonly<Record<string, string>>,
  snippets: readonly string[],
): fc.Arbitrary<Uint8Array> {
  return fc
    .record({
      names: fc.subarray(Object.keys(genuine), { minLength: 1 }),
      content: fc.array(fc.constantFrom(...snippets), { maxLength: 30 }),
      repeats: repetitions,
      at: fc.nat(12),
      form: fc.constantFrom<Form>('stored', 'stored', 'stored', 'deflated', 'wide'),
      changes: fc.option(edits, { freq: 2 }),
    })
    .map(({ names, content, repeats, at, form, changes }) => {
      const files = Object.fromEntries(
        names.map((name, index) => [
          name,
          index === at % names.length ? content.join('').repeat(repeats) : (genuine[name] ?? ''),
        ]),
      )
      const archive = archiveOf(files, form)
      return changes ? edited(archive, changes) : archive
    })
}

type Form = 'stored' | 'deflated' | 'wide'

/** Without compression unless it matters, because compressing takes longer than reading. */
function archiveOf(files: Readonly<Record<string, string>>, form: Form): Uint8Array {
  if (form === 'wide') return zip64Of(files, { method: 0 })
  const contents = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const)
  return zipSync(Object.fromEntries(contents), form === 'stored' ? { level: 0 } : { level: 1, mem: 0 })
}

/** Office documents, OpenDocument files, books, and other archives. */
export const officeArchives = archivesOf(PARTS, MARKUP)

/** Exports of other programs, as they are downloaded. */
export const exportArchives = archivesOf(
  { 'conversations.json': CHATS[0] ?? '', 'a/chat-1.jsonl': CHATS[0] ?? '', 'a.png': 'x', 'user.json': '{}' },
  CHATS,
)
