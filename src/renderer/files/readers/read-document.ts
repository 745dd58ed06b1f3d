import { nameArchive, PROTECTED_DOCUMENT } from '../../../shared/file-kind.ts'
import { readFlow, type FlowFormat } from './flow-text.ts'
import { relationsOf, resolvePath } from './package-relations.ts'
import { readOpenSheets, readWorkbook } from './read-sheets.ts'
import { scanMarkup } from '../../../shared/markup/scan-markup.ts'
import { BoundedText, UnreadableFile } from './unreadable-file.ts'
import { ZipArchive } from './unzip.ts'

const MAX_DOCUMENT_BYTES = 50_000_000

/**
 * The text of an Office document, an OpenDocument file or an EPUB book, by the parts of its archive.
 *
 * @throws {UnreadableFile} attachment/document-…, attachment/too-large, or attachment/binary with the kind of the archive
 */
export function readDocument(bytes: Uint8Array): string {
  if (bytes.length > MAX_DOCUMENT_BYTES) throw new UnreadableFile('attachment/document-too-large')
  const archive = new ZipArchive(bytes)
  const text = textOf(archive)
  if (text === undefined) throw new UnreadableFile('attachment/binary', nameArchive(archive.names))
  if (text.trim() === '') throw new UnreadableFile('attachment/document-no-text')
  return text
}

function textOf(archive: ZipArchive): string | undefined {
  const type = archive.has('mimetype') ? (archive.text('mimetype') ?? '').trim() : ''
  if (archive.has('word/document.xml') || archive.names.some((name) => /^word\/document\d*\.xml$/.test(name)))
    return readWord(archive)
  if (archive.has('xl/workbook.xml')) return readWorkbook(archive)
  if (archive.has('ppt/presentation.xml')) return readSlides(archive)
  if (type === 'application/epub+zip' || archive.has('META-INF/container.xml')) return readBook(archive)
  if (type.startsWith('application/vnd.oasis.opendocument.') && archive.has('content.xml'))
    return readOpenDocument(archive, type)
  return undefined
}

const setOf = (...names: string[]): ReadonlySet<string> => new Set(names)

/** @param levels of the headings, by the ID of their style */
const wordFormat = (levels: ReadonlyMap<string, number>): FlowFormat => ({
  paragraph: setOf('p'),
  table: 'tbl',
  row: 'tr',
  cells: setOf('tc'),
  textIn: setOf('t'),
  // A fallback repeats the content before it, and deleted text isn't part of the document.
  skipped: setOf('fallback', 'del', 'movefrom', 'instrtext'),
  mark: (name, attribute) => {
    if (name === 'tab') return '\t'
    if (name === 'br' || name === 'cr') return '\n'
    if (name === 'numpr') return '- '
    if (name === 'nobreakhyphen') return '-'
    const level = name === 'pstyle' ? levels.get(attribute('w:val') ?? '') : undefined
    return level === undefined ? undefined : `\n${'#'.repeat(level)} `
  },
})

/** The levels of the headings by the ID of their style. The ID depends on Word's language, but the name doesn't. */
function headingLevels(styles: string): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  let id = ''
  scanMarkup(styles, {
    open: (name, attribute) => {
      if (name === 'style') id = attribute('w:styleId') ?? ''
      const level = name === 'name' ? /^heading ([1-6])$/i.exec(attribute('w:val') ?? '')?.[1] : undefined
      if (level !== undefined) levels.set(id, Number(level))
    },
    close: () => undefined,
    text: () => undefined,
  })
  return levels
}

/** For documents without styles, as programs write them. */
const ENGLISH_LEVELS = new Map(
  [1, 2, 3, 4, 5, 6].flatMap((level) => [
    [`Heading${String(level)}`, level],
    [`heading ${String(level)}`, level],
  ]),
)

function readWord(archive: ZipArchive): string {
  const parts = archive.names.filter((name) =>
    /^word\/(?:document\d*|footnotes|endnotes|comments|(?:header|footer)\d*)\.xml$/.test(name),
  )
  const result = new BoundedText()
  const format = wordFormat(
    new Map([...ENGLISH_LEVELS, ...headingLevels(archive.text('word/styles.xml') ?? '')]),
  )
  // Each section repeats its headers and footers.
  const known = new Set<string>()
  for (const part of parts.toSorted(
    (a, b) => Number(b.startsWith('word/document')) - Number(a.startsWith('word/document')),
  )) {
    const text = readFlow(archive.text(part) ?? '', format)
    if (text !== '' && !known.has(text))
      result.add(`${part.startsWith('word/document') ? '' : `[${part.slice(5, -4)}]\n`}${text}\n\n`)
    if (!part.startsWith('word/document')) known.add(text)
  }
  return result.toString()
}

const SLIDE: FlowFormat = {
  paragraph: setOf('p'),
  table: 'tbl',
  row: 'tr',
  cells: setOf('tc'),
  textIn: setOf('t'),
  skipped: setOf('fallback'),
  mark: (name) => (name === 'br' ? '\n' : undefined),
}

/** Slides in the order in which they are shown, each with its notes. */
function readSlides(archive: ZipArchive): string {
  const result = new BoundedText()
  for (const [at, path] of slidePaths(archive).entries()) {
    const slide = readFlow(archive.text(path) ?? '', SLIDE)
    const notes = [...relationsOf(archive, path).values()].find((target) => target.includes('/notesSlides/'))
    const notesText = notes === undefined ? '' : readFlow(archive.text(notes) ?? '', SLIDE)
    if (slide === '' && notesText === '') continue
    result.add(
      `[Slide ${String(at + 1)}]\n${slide}\n${notesText === '' ? '' : `\n[Notes]\n${notesText}\n`}\n`,
    )
  }
  return result.toString()
}

function slidePaths(archive: ZipArchive): readonly string[] {
  const relations = relationsOf(archive, 'ppt/presentation.xml')
  const listed: string[] = []
  scanMarkup(archive.text('ppt/presentation.xml') ?? '', {
    open: (name, attribute) => {
      const path = name === 'sldid' ? relations.get(attribute('r:id') ?? '') : undefined
      if (path !== undefined) listed.push(path)
    },
    close: () => undefined,
    text: () => undefined,
  })
  const number = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0)
  return listed.length > 0
    ? listed
    : archive.names
        .filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
        .toSorted((a, b) => number(a) - number(b))
}

const ODF_TEXT: FlowFormat = {
  paragraph: setOf('p', 'h', 'page'),
  table: 'table',
  row: 'table-row',
  cells: setOf('table-cell'),
  skipped: setOf('tracked-changes', 'automatic-styles', 'styles', 'font-face-decls', 'forms'),
  mark: (name, attribute) => {
    if (name === 'tab') return '\t'
    if (name === 'line-break') return '\n'
    if (name === 's') return ' '.repeat(Math.min(Number(attribute('text:c') ?? 1) || 1, 100))
    if (name === 'list-item') return '- '
    if (name === 'h')
      return `\n${'#'.repeat(Math.min(6, Math.max(1, Number(attribute('text:outline-level') ?? 1) || 1)))} `
    return name === 'page' ? `\n[Slide]\n` : undefined
  },
}

function readOpenDocument(archive: ZipArchive, type: string): string {
  if ((archive.text('META-INF/manifest.xml') ?? '').includes('encryption-data'))
    throw new UnreadableFile('attachment/binary', PROTECTED_DOCUMENT)
  const content = archive.text('content.xml') ?? ''
  return type.includes('spreadsheet') ? readOpenSheets(content) : readFlow(content, ODF_TEXT)
}

const PAGE: FlowFormat = {
  paragraph: setOf(
    'p',
    'div',
    'section',
    'article',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'li',
    'blockquote',
    'pre',
    'dt',
    'dd',
  ),
  table: 'table',
  row: 'tr',
  cells: setOf('td', 'th'),
  skipped: setOf('script', 'style', 'head'),
  mark: (name, attribute) => {
    if (name === 'br') return '\n'
    if (name === 'li') return '- '
    if (name === 'img') return attribute('alt') ?? ''
    const level = /^h([1-6])$/.exec(name)?.[1]
    return level === undefined ? undefined : `\n${'#'.repeat(Number(level))} `
  },
}

/** The text of a page of HTML. */
export function readPage(markup: string): string {
  return readFlow(markup, PAGE)
}

/** Chapters in the order of the book's spine, or of their names if it has none. */
function readBook(archive: ZipArchive): string {
  const result = new BoundedText()
  for (const path of chapterPaths(archive)) {
    const text = readPage(archive.text(path) ?? '')
    if (text !== '') result.add(`${text}\n\n`)
  }
  return result.toString()
}

function chapterPaths(archive: ZipArchive): readonly string[] {
  let packagePath = ''
  const items = new Map<string, string>()
  const spine: string[] = []
  const ignore = () => undefined
  scanMarkup(archive.text('META-INF/container.xml') ?? '', {
    open: (name, attribute) => {
      if (name === 'rootfile' && packagePath === '') packagePath = attribute('full-path') ?? ''
    },
    close: ignore,
    text: ignore,
  })
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1)
  scanMarkup(archive.text(packagePath) ?? '', {
    open: (name, attribute) => {
      if (name === 'item')
        items.set(attribute('id') ?? '', resolvePath(folder, unescapePath(attribute('href') ?? '')))
      if (name === 'itemref') spine.push(items.get(attribute('idref') ?? '') ?? '')
    },
    close: ignore,
    text: ignore,
  })
  const inOrder = spine.filter((path) => archive.has(path))
  return inOrder.length > 0
    ? inOrder
    : archive.names
        .filter((name) => /\.x?html?$/i.test(name))
        .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

function unescapePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
