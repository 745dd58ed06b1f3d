import { chmodSync, linkSync, mkdirSync, mkdtempSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { digestSources } from '../../build/source-digest.ts'
import { BUILT, COMMAND } from '../process/command.ts'

let root: string
const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-sources-'))
  write('package-lock.json', '{}')
  write('build/plugin.ts', '1')
  write('src/cli/sotto.ts', '1')
  write('src/renderer/app.tsx', '1')
})

it.each<[string, () => void]>([
  ['a source', () => write('src/cli/sotto.ts', '2')],
  ['the lockfile', () => write('package-lock.json', '{ }')],
  ['the build', () => write('build/plugin.ts', '2')],
  ['a new source', () => write('src/core/new.sql', '1')],
  ['the name of a source', () => renameSync(join(root, 'src/cli/sotto.ts'), join(root, 'src/cli/other.ts'))],
])('a change of %s changes the digest', (_what, change) => {
  const before = digestSources(root)
  change()
  expect(digestSources(root)).not.toBe(before)
})

it.each<[string, () => void]>([
  ['the window', () => write('src/renderer/app.tsx', '2')],
  ['a time', () => utimesSync(join(root, 'src/cli/sotto.ts'), 1, 1)],
  ['a mode', () => chmodSync(join(root, 'src/cli/sotto.ts'), 0o755)],
  ['the number of links', () => linkSync(join(root, 'src/cli/sotto.ts'), join(root, 'link'))],
])('a change of %s leaves the digest', (_what, change) => {
  const before = digestSources(root)
  change()
  expect(digestSources(root)).toBe(before)
})

it.runIf(process.env['CI'])('continuous integration tests the built command', () => {
  expect(COMMAND).toBe(BUILT)
})
