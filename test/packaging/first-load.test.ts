import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

/** The window as `npm run build` built it. */
const folder = resolve(
  import.meta.dirname,
  '../..',
  process.env['SOTTO_WINDOW_DIR'] ?? join('out', 'renderer'),
)
const LIMIT_BYTES = 250_000

const read = (file: string) => readFileSync(join(folder, file))

/** The files that a page names: its script, and the files that it preloads. */
function namedBy(file: string): readonly string[] {
  const page = read(file).toString('utf8')
  return [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(
    ([, file = '']) => file,
  )
}

/** The static imports of a file. Files that it fetches later are not included. */
function importedBy(file: string): readonly string[] {
  const { staticImports, staticExports } = parseSync(file, read(file).toString('utf8')).module
  const named = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ]
  return named.map((from) => posix.join(posix.dirname(file), from))
}

function firstLoad(page = 'index.html'): readonly string[] {
  const files = new Set<string>()
  const open = [...namedBy(page)]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue
    files.add(file)
    open.push(...importedBy(file))
  }
  return [...files]
}

/** Strings that a minifier leaves unchanged, from libraries that the first screen doesn't need. */
const lateWords = {
  'the judging of schemas (zod)': '"~standard"',
  'the parser of Markdown': 'thematicBreak',
  'the drawing of formulas (KaTeX)': 'KaTeX parse error',
  'the colouring of code (highlight.js)': 'hljs-',
}

describe('the gallery of primitives', () => {
  /** A class of its style sheet, which no build renames. */
  const mark = 'gallery-colors'

  it('is in no file of the built window', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(?:html|js|css)$/.test(file),
    )
    expect(files).toContain('index.html')
    expect(files.filter((file) => /gallery/i.test(file) || read(file).includes(mark))).toEqual([])
    const sources = resolve(import.meta.dirname, '../renderer/gallery')
    expect(readFileSync(join(sources, 'tokens.tsx'), 'utf8')).toContain(mark)
  })
})

describe('the first load of the window', () => {
  const first = firstLoad()

  it('is at most 265 kB of script, with each file compressed separately', () => {
    const sizes = first
      .map((file) => ({ file, bytes: gzipSync(read(file), { level: 9 }).length }))
      .toSorted((a, b) => b.bytes - a.bytes)
    const sum = sizes.reduce((total, { bytes }) => total + bytes, 0)
    // React already exceeds this. A smaller sum means that the page was not parsed.
    expect(sum).toBeGreaterThan(60_000)
    expect(
      sum,
      `The largest: ${sizes
        .slice(0, 5)
        .map(({ file, bytes }) => `${file} ${String(bytes)}`)
        .join(', ')}`,
    ).toBeLessThanOrEqual(LIMIT_BYTES)
  })

  it.each(Object.entries(lateWords))('excludes %s (loaded when needed)', (_, word) => {
    const scripts = readdirSync(join(folder, 'assets'))
      .filter((file) => file.endsWith('.js'))
      .map((file) => `assets/${file}`)
    const holding = scripts.filter((file) => read(file).includes(word))
    expect(holding).not.toEqual([])
    expect(holding.filter((file) => first.includes(file))).toEqual([])
  })
})

describe('the page for a team', () => {
  const [script = ''] = namedBy('admin.html')

  it('is built next to the window, and shares files with it', () => {
    expect(script).toMatch(/^assets\/admin-/)
    expect(firstLoad('admin.html').filter((file) => firstLoad().includes(file))).not.toEqual([])
  })

  it('loads no script that only the window needs, and the window loads none of its scripts', () => {
    const [ofWindow = ''] = namedBy('index.html')
    expect(firstLoad('admin.html')).not.toContain(ofWindow)
    expect(firstLoad()).not.toContain(script)
    expect(firstLoad().filter((file) => read(file).includes('sotto-team-activity'))).toEqual([])
  })
})
