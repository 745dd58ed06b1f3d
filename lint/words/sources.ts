import { globSync } from 'node:fs'
import { readCatalog } from './read-catalog.ts'
import { readAnswers, readLiterals } from './read-code.ts'
import { readChangelog, readMarkdown } from './read-markdown.ts'
import { readRoles } from './read-roles.ts'
import type { Register } from './rules.ts'
import type { Text } from './text.ts'

/** A set of texts with one register. */
export interface Source extends Register {
  readonly name: string
  readonly read: (root: string) => readonly Text[]
}

const ERRORS = 'src/shared/error-codes/'
const CORE_CATALOG = 'src/shared/languages/en.po'
const isError = (origins: readonly string[]): boolean =>
  origins.length > 0 && origins.every((file) => file.startsWith(ERRORS))
const isSandbox = (origins: readonly string[]): boolean =>
  origins.length > 0 && origins.every((file) => file.startsWith('src/sandbox/'))
const SHORT = { maxWords: 20, inWindow: true } as const
const LONG = { maxWords: 25, inWindow: false } as const

/** Everything that people read. */
export const sources: readonly Source[] = [
  { name: 'window', ...SHORT, read: (root) => readCatalog(root, 'src/renderer/languages/en.po') },
  {
    name: 'window roles',
    ...SHORT,
    maxWords: Infinity,
    read: (root) => readEach(root, 'src/renderer/**/*.tsx', readRoles),
  },
  { name: 'desktop', ...SHORT, read: (root) => readCatalog(root, 'src/main/languages/en.po') },
  {
    name: 'core',
    ...LONG,
    inWindow: true,
    read: (root) => readCatalog(root, CORE_CATALOG, (origins) => !isError(origins) && !isSandbox(origins)),
  },
  { name: 'errors', ...LONG, inWindow: true, read: (root) => readCatalog(root, CORE_CATALOG, isError) },
  {
    name: 'errors for tools',
    ...LONG,
    read: (root) => readEach(root, 'src/shared/tool-texts/*.ts', readLiterals),
  },
  {
    name: 'sandbox',
    ...LONG,
    read: (root) => [
      ...readCatalog(root, CORE_CATALOG, isSandbox),
      ...readEach(root, 'src/sandbox/**/*.ts', readAnswers),
    ],
  },
  { name: 'command line', ...LONG, read: (root) => readEach(root, 'src/{cli,host}/**/*.ts', readLiterals) },
  {
    name: 'documents',
    ...LONG,
    read: (root) => [
      ...readEach(
        root,
        '{README,CONTRIBUTING,SECURITY,docs/*,docs/decisions/*,docs/languages/README}.md',
        readMarkdown,
      ),
      ...readChangelog(root, 'CHANGELOG.md'),
    ],
  },
]

function readEach(
  root: string,
  pattern: string,
  read: (root: string, file: string) => readonly Text[],
): readonly Text[] {
  return globSync(pattern, { cwd: root })
    .sort()
    .flatMap((file) => read(root, file.replaceAll('\\', '/')))
}
