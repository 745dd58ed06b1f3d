import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findDuplicates } from './duplicates.ts'
import { countSizeProblems, MAX_LINES, MIN_LINES } from './file-size.ts'

const SHOWN = 20

/** Prints the sizes of the source files and what they have in common: `npm run report`. */
function printReport(): void {
  const root = join(import.meta.dirname, '..')
  const files = new Map(
    globSync('src/**/*.{ts,tsx,css}', { cwd: root })
      .sort()
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]),
  )
  const sizes = [...files]
    .map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines)
  const counts = sizes.map(({ lines }) => lines)
  const missed = sizes.filter(({ file, lines }) => countSizeProblems(basename(file), lines) > 0)
  const long = missed.filter(({ lines }) => lines > MAX_LINES)
  const duplicates = findDuplicates(files)
  const shared = duplicates.reduce((sum, { lines }) => sum + lines, 0)
  print([
    `${files.size} files, ${counts.reduce((sum, lines) => sum + lines, 0)} lines, median ${counts[counts.length >> 1] ?? 0}`,
    ...['ts', 'tsx', 'css'].map((kind) => describeKind(kind, sizes)),
    `${missed.length - long.length} files under ${MIN_LINES} lines, without entries`,
    `${long.length} files over ${MAX_LINES} lines`,
    ...long.toReversed().map(({ file, lines }) => `  ${lines} ${file}`),
    `${duplicates.length} duplicates of ${shared} lines, the longest:`,
    ...duplicates.slice(0, SHOWN).map(({ lines, places }) => `  ${lines} ${places.join(' = ')}`),
  ])
}

function describeKind(kind: string, sizes: readonly { file: string; lines: number }[]): string {
  const ofKind = sizes.filter(({ file }) => file.endsWith(`.${kind}`))
  return `  ${kind}: ${ofKind.length} files, ${ofKind.reduce((sum, { lines }) => sum + lines, 0)} lines`
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

printReport()
